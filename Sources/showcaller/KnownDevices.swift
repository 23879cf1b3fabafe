import CastProtocol
import Glibc

/// The devices that the last discovery found, for completions: `$XDG_CACHE_HOME/showcaller/devices.json`. A cache: whatever
/// goes wrong with it is nobody's concern.
enum KnownDevices {
  struct Device: Hashable, Sendable {
    var name: String
    var id: String
    var model: String
    var host: String
    var port: Int

    /// As `--host` takes it.
    var address: String {
      let shown = host.contains(":") ? "[\(host)]" : host
      return port == HostAndPort.defaultPort ? (host.contains(":") ? host : shown) : "\(shown):\(port)"
    }
  }

  private static let byteLimit = 1 << 18
  private static let deviceLimit = 500

  /// The folder for what can be found again; `nil` where there is none.
  private static var folder: String? {
    if let cache = Terminal.environment("XDG_CACHE_HOME"), cache.hasPrefix("/") { return cache + "/showcaller" }
    guard let home = Terminal.environment("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.cache/showcaller"
  }

  /// What was found last, sorted by name as it was stored; nothing where the file is missing, damaged or too large.
  static func read() -> [Device] {
    guard let path = folder.map({ $0 + "/devices.json" }) else { return [] }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= byteLimit else {
      return []
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= byteLimit {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      bytes += chunk.prefix(count)
    }
    guard bytes.count <= byteLimit, let json = try? JSONValue(parsing: bytes), json["v"]?.int == 1 else { return [] }
    return (json["devices"]?.array ?? []).prefix(deviceLimit).compactMap { Device($0) }
  }

  /// Replaces what was found before, whole or not at all.
  static func store(_ devices: [Device]) {
    guard let folder else { return }
    let stored: JSONValue = ["v": 1, "devices": .array(devices.prefix(deviceLimit).map(\.json))]
    let text = stored.serialized() + "\n"
    guard text.utf8.count <= byteLimit else { return }
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EISDIR { return }
    }
    let temporary = "\(folder)/devices.\(getpid()).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let isWhole = FileOutput(descriptor: descriptor).write(text) == nil
    guard close(descriptor) == 0, isWhole, rename(temporary, folder + "/devices.json") == 0 else {
      unlink(temporary)
      return
    }
  }
}

extension KnownDevices.Device {
  fileprivate init?(_ json: JSONValue) {
    guard let name = json["name"]?.string, let host = json["host"]?.string, !name.isEmpty else { return nil }
    self.init(
      name: name, id: json["id"]?.string ?? "", model: json["model"]?.string ?? "", host: host,
      port: json["port"]?.int ?? HostAndPort.defaultPort)
  }

  fileprivate var json: JSONValue {
    ["name": .string(name), "id": .string(id), "model": .string(model), "host": .string(host), "port": .int(port)]
  }
}
