import CastProtocol
import Glibc
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// The devices that discovery found last, for completions and for commands that need an address at once:
/// `$XDG_CACHE_HOME/showcaller/devices.json`. A cache: whatever goes wrong with it is nobody's concern.
enum KnownDevices {
  struct Device: Hashable, Sendable {
    var name: String
    var id: String
    var model: String
    var host: String
    var port: Int
    /// When it was there, in Unix seconds; `nil` for a group, which may be elsewhere by now.
    var seen: Int?

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

  /// Adds a device to what was found before, in place of what was known of it.
  static func remember(_ device: Device) {
    var devices = read().filter { $0.id.isEmpty ? $0.name != device.name : $0.id != device.id }
    devices.append(device)
    store(devices.sorted { ($0.name.lowercased(), $0.name, $0.id) < ($1.name.lowercased(), $1.name, $1.id) })
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
    _ = FileReplacement.put(Array(text.utf8), at: folder + "/devices.json", mode: 0o600, isDurable: false)
  }
}

extension KnownDevices.Device {
  /// As a resolver asks for it.
  var remembered: DeviceResolver.Remembered? {
    guard let seen else { return nil }
    let device = FoundDevice(
      name: name, id: id.isEmpty ? nil : id, model: model.isEmpty ? nil : model,
      address: HostAndPort(host: host, port: port), via: .cache)
    return DeviceResolver.Remembered(device: device, age: .clamped(seconds: WallClock.now - Double(seen)))
  }

  fileprivate init?(_ json: JSONValue) {
    guard let name = json["name"]?.string, let host = json["host"]?.string, !name.isEmpty, !host.isEmpty else {
      return nil
    }
    let port = json["port"]?.int ?? HostAndPort.defaultPort
    guard (1...65_535).contains(port) else { return nil }
    self.init(
      name: name, id: json["id"]?.string ?? "", model: json["model"]?.string ?? "", host: host, port: port,
      seen: json["seen"]?.int)
  }

  fileprivate var json: JSONValue {
    var object: JSONObject = [
      "name": .string(name), "id": .string(id), "model": .string(model), "host": .string(host), "port": .int(port),
    ]
    object["seen"] = seen.map(JSONValue.int)
    return .object(object)
  }
}
