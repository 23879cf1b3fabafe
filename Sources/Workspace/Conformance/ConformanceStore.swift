import CastProtocol
package import Conformance
import Glibc
import ScenarioLanguage

/// The last results of `conform`, a file for each device in `$XDG_STATE_HOME/showcaller/conformance`.
package struct ConformanceStore: Sendable {
  /// `nil` where nothing can be kept.
  private let folder: String?

  package init(_ surroundings: Surroundings) { folder = surroundings.stateFolder.map { $0 + "/conformance" } }

  /// How many files are looked through.
  private static let mostFiles = 1_000

  /// Where the results of a device are: in a file that is named by its id. Where it told none, now or the last time, that
  /// is the one file whose newest result is of this device by its name, else one that is named by its name.
  package func path(of device: CheckedDevice) -> String? {
    guard let folder else { return nil }
    let own = "\(folder)/\(Files.uniqueName(device.id ?? device.name)).json"
    if device.id != nil, Files.kind(of: own) != nil { return own }
    let others = Files.names(in: folder).filter { $0.hasSuffix(".json") }.sorted().prefix(Self.mostFiles)
      .map { "\(folder)/\($0)" }
    let fitting = others.filter { path in
      guard let bytes = try? Files.read(path, limit: ConformanceRecord.byteLimit),
        let newest = (try? ConformanceRecord(parsing: bytes))?.devices.last
      else { return false }
      return newest.isSame(as: device)
    }
    return fitting.count == 1 ? fitting[0] : own
  }

  /// What is kept of a device; empty where nothing is.
  /// - Throws: Where its file is damaged, or cannot be read.
  package func record(of device: CheckedDevice) throws(WorkspaceError) -> ConformanceRecord {
    guard let path = path(of: device), Files.kind(of: path) != nil else { return ConformanceRecord() }
    return try Self.read(path) { problem in
      problem.isNewer
        ? "use that version, or compare with another result: --baseline FILE"
        : "remove it, and the next result is the first again: rm \(ShellWord.quoted(path))"
    }
  }

  /// Reads a result that is named on the command line.
  /// - Throws: Where it is none, or cannot be read.
  package static func baseline(_ path: String) throws(WorkspaceError) -> ConformanceRecord {
    let record = try read(path, code: .notReadable) { _ in
      "a result is what `showcaller conform DEVICE --format json -o FILE` writes"
    }
    if record.devices.isEmpty {
      throw WorkspaceError(.notReadable, "cannot compare with \(path): it has no device")
    }
    return record
  }

  private static func read(
    _ path: String, code: WorkspaceError.Code = .damaged, help: (ConformanceRecord.Problem) -> String
  ) throws(WorkspaceError) -> ConformanceRecord {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try Files.read(path, limit: ConformanceRecord.byteLimit)
    } catch {
      throw WorkspaceError(code, "cannot read \(path): \(error.message)")
    }
    do throws(ConformanceRecord.Problem) {
      return try ConformanceRecord(parsing: bytes)
    } catch {
      throw WorkspaceError(code, "cannot compare with \(path): \(error.message)", help: help(error))
    }
  }

  /// Keeps a result as the newest of its device.
  /// - Throws: Where it cannot be written.
  package func keep(_ device: CheckedDevice, in record: ConformanceRecord) throws(WorkspaceError) {
    guard let path = path(of: device) else {
      throw WorkspaceError(
        .notWritten, "the result is not kept: neither XDG_STATE_HOME nor HOME names a folder",
        help: "write it to a file: -o FILE --format json")
    }
    var record = record
    record.keep(device)
    do throws(FileError) {
      try Files.makeFolders(Files.folder(of: path))
      try Files.replace(Array((record.json.serialized() + "\n").utf8), at: path, mode: 0o600)
    } catch {
      throw WorkspaceError(writing: path, error)
    }
  }

  /// Looks before a suite is run whether its matrix can be written.
  package static func refuseUnwritable(_ path: String) throws(WorkspaceError) {
    switch Files.kind(of: path) {
    case .folder: throw WorkspaceError(.notWritten, "cannot write \(path): it is a folder")
    case nil:
      if access(Files.folder(of: path), W_OK) != 0 { throw WorkspaceError(writing: path, .last) }
    default:
      if access(path, W_OK) != 0 { throw WorkspaceError(writing: path, .last) }
    }
  }

  /// Writes the matrix.
  package static func write(_ text: String, to path: String) throws(WorkspaceError) {
    do throws(FileError) {
      if ReplacedFile.canBe(at: path) { return try ReplacedFile.replace(path, with: text, mode: 0o666) }
      try Files.store(Array(text.utf8), at: path, mode: 0o666)
    } catch {
      throw WorkspaceError(writing: path, error)
    }
  }
}
