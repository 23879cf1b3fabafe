package import CastProtocol

/// Up to when the times of a scenario were dealt with, a small file for each scenario in
/// `$XDG_STATE_HOME/showcaller/schedules`.
///
/// What goes wrong with it keeps no scenario from running: then nothing was missed.
package struct ScheduleMemoryStore: Sendable {
  static let byteLimit = 256 << 10

  private let folder: String?
  private let name: String

  /// That of one scenario, for whoever has these surroundings.
  /// - Parameter file: The document; two may have one id.
  package init(scenario id: String, file: String, _ surroundings: Surroundings) {
    folder = surroundings.stateFolder.map { "\($0)/schedules" }
    name = Files.uniqueName("\(id) \((try? Files.realPath(of: file)) ?? file)")
  }

  private var path: String? { folder.map { "\($0)/\(name).json" } }

  /// What was stored last; `nil` where nothing was, or it is damaged.
  package func recall() -> JSONValue? {
    guard let path, let bytes = try? Files.read(path, limit: Self.byteLimit, followsLink: false) else { return nil }
    return try? JSONValue(parsing: bytes)
  }

  /// Stores it whole or not at all.
  package func remember(_ memory: JSONValue) {
    let bytes = Array(memory.serialized().utf8)
    guard let folder, let path, bytes.count <= Self.byteLimit else { return }
    do throws(FileError) {
      try Files.makeFolders(folder)
      try Files.replace(bytes, at: path, mode: 0o600, isDurable: false)
    } catch {
      // Nothing was missed then.
    }
  }
}
