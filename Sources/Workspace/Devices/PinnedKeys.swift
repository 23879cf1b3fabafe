import CastProtocol
import Glibc

/// The keys that devices showed when `auth: pin` saw them first, a small file for each in
/// `$XDG_STATE_HOME/showcaller/keys` (docs/security.md 1.6).
///
/// A file that is damaged says nothing for a device, and is not replaced: somebody has to forget it.
package struct PinnedKeys: Sendable {
  /// What is kept of a device.
  package struct Pin: Hashable, Sendable {
    /// What devices are told apart by.
    package var device: String
    /// As it called itself.
    package var name: String
    /// SHA-256 of the key, 64 lower-case hexadecimal digits.
    package var key: String
    /// Unix time in seconds of the first sight.
    package var since: Int

    package init(device: String, name: String, key: String, since: Int) {
      self.device = device
      self.name = name
      self.key = key
      self.since = since
    }
  }

  static let byteLimit = 4096
  /// More devices are not kept; none gives way, since a key that is forgotten is no protection.
  static let deviceLimit = 4096

  private let folder: String?

  /// Those of whoever has these surroundings.
  package init(_ surroundings: Surroundings) { folder = surroundings.stateFolder.map { $0 + "/keys" } }

  /// What is kept of a device; `nil`: nothing.
  /// - Throws: Where that cannot be known.
  package func pin(of device: String) throws(WorkspaceError) -> Pin? {
    let path = try path(of: device)
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try Files.read(path, limit: Self.byteLimit, followsLink: false)
    } catch {
      if error.code == ENOENT { return nil }
      throw WorkspaceError(.damaged, "cannot read \(path): \(error.message)")
    }
    guard let json = try? JSONValue(parsing: bytes), let pin = Pin(json), pin.device == device else {
      throw WorkspaceError(.damaged, "\(path) is damaged")
    }
    return pin
  }

  /// Keeps the first key of a device, whole or not at all.
  /// - Returns: What is kept: another process may have been first.
  package func keep(_ pin: Pin) throws(WorkspaceError) -> Pin {
    let path = try path(of: pin.device)
    if let kept = try self.pin(of: pin.device) { return kept }
    let bytes = Array(pin.json.serialized().utf8)
    guard bytes.count <= Self.byteLimit else { throw WorkspaceError(.notWritten, "its name is too long") }
    do throws(FileError) {
      try Files.makeFolders(Files.folder(of: path))
      guard Files.names(in: Files.folder(of: path)).count < Self.deviceLimit else {
        throw FileError.system(EDQUOT)
      }
      try Files.create(bytes, at: path, mode: 0o600)
      return pin
    } catch {
      if error.code == EEXIST, let kept = try self.pin(of: pin.device) { return kept }
      if error.code == EDQUOT {
        throw WorkspaceError(
          .notWritten, "the keys of \(Self.deviceLimit) devices are kept already, in \(Files.folder(of: path))")
      }
      throw WorkspaceError(writing: path, error)
    }
  }

  /// Forgets what is kept of a device, also where it is damaged.
  /// - Returns: Whether there was something.
  package func forget(_ device: String) throws(WorkspaceError) -> Bool {
    let path = try path(of: device)
    if unlink(path) == 0 { return true }
    if errno == ENOENT { return false }
    throw WorkspaceError(writing: path, .last)
  }

  /// The devices that called themselves `name`.
  package func pins(named name: String) -> [Pin] {
    files.compactMap(Self.pin(in:)).filter { $0.name.lowercased() == name.lowercased() }
  }

  /// The files that say nothing, because they are damaged: nobody knows of which device they are.
  package var damagedFiles: [String] { files.filter { Self.pin(in: $0) == nil } }

  private var files: [String] {
    guard let folder else { return [] }
    return Files.names(in: folder).filter { $0.hasSuffix(".json") }.sorted().prefix(2 * Self.deviceLimit).map {
      "\(folder)/\($0)"
    }
  }

  private static func pin(in file: String) -> Pin? {
    guard let bytes = try? Files.read(file, limit: byteLimit, followsLink: false) else { return nil }
    return (try? JSONValue(parsing: bytes)).flatMap { Pin($0) }
  }

  private func path(of device: String) throws(WorkspaceError) -> String {
    guard let folder else {
      throw WorkspaceError(
        .notWritten, "there is no place for keys: neither XDG_STATE_HOME nor HOME names a folder",
        help: "set HOME or XDG_STATE_HOME")
    }
    return "\(folder)/\(Files.uniqueName(device)).json"
  }
}

extension PinnedKeys.Pin {
  fileprivate init?(_ json: JSONValue) {
    guard json["v"]?.int == 1, let device = json["device"]?.string, let name = json["name"]?.string,
      let key = json["key"]?.string, let since = json["since"]?.int, since >= 0, key.utf8.count == 64,
      key.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.init(device: device, name: name, key: key, since: since)
  }

  fileprivate var json: JSONValue {
    ["v": 1, "device": .string(device), "name": .string(name), "key": .string(key), "since": .int(since)]
  }
}
