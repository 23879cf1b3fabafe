import CastProtocol

/// The devices that discovery found last, for completions and for commands that need an address at once:
/// `$XDG_CACHE_HOME/showcaller/devices.json`. A cache: its failures are not reported.
package struct KnownDevices: Sendable {
  /// What is known of a device.
  package struct Device: Hashable, Sendable {
    /// The friendly name that the device announces.
    package var name: String
    /// Empty where it has not told one.
    package var id: String
    /// Empty where it has not told one.
    package var model: String
    /// The host of its address.
    package var host: String
    /// The port of its address.
    package var port: Int
    /// When it was there, in Unix seconds; `nil` for a group, which may be elsewhere by now.
    package var seen: Int?

    /// A device as it answered.
    package init(name: String, id: String, model: String, host: String, port: Int, seen: Int?) {
      self.name = name
      self.id = id
      self.model = model
      self.host = host
      self.port = port
      self.seen = seen
    }

    /// As `--host` takes it.
    package var address: String {
      let shown = host.contains(":") ? "[\(host)]" : host
      return port == HostAndPort.defaultPort ? (host.contains(":") ? host : shown) : "\(shown):\(port)"
    }
  }

  static let byteLimit = 1 << 18
  static let deviceLimit = 500

  /// The folder for what can be found again; `nil` where there is none.
  private let folder: String?
  private let unixTime: @Sendable () -> Double

  /// Those that were found in these surroundings.
  package init(_ surroundings: Surroundings) {
    folder = surroundings.cacheFolder
    unixTime = surroundings.unixTime
  }

  /// Now, as ``Device/seen`` counts.
  package var now: Int? { Int(exactly: unixTime().rounded(.down)) }

  /// How long ago a device was there; `nil` for one whose address may be another's by now.
  package func age(of device: Device) -> Duration? {
    device.seen.map { .clamped(seconds: unixTime() - Double($0)) }
  }

  /// What was found last, sorted by name as it was stored; nothing where the file is missing, damaged or too large.
  package func read() -> [Device] {
    guard let path, let bytes = try? Files.read(path, limit: Self.byteLimit), let json = try? JSONValue(parsing: bytes),
      json["v"]?.int == 1
    else { return [] }
    return (json["devices"]?.array ?? []).prefix(Self.deviceLimit).compactMap { Device($0) }
  }

  /// Adds a device to what was found before, in place of what was known of it.
  package func remember(_ device: Device) {
    store(read().filter { $0.id.isEmpty ? $0.name != device.name : $0.id != device.id } + [device])
  }

  /// Replaces what was found before, whole or not at all.
  package func store(_ devices: [Device]) {
    guard let folder, let path else { return }
    let sorted = devices.sorted { ($0.name.lowercased(), $0.name, $0.id) < ($1.name.lowercased(), $1.name, $1.id) }
    let stored: JSONValue = ["v": 1, "devices": .array(sorted.prefix(Self.deviceLimit).map(\.json))]
    let text = stored.serialized() + "\n"
    guard text.utf8.count <= Self.byteLimit else { return }
    do throws(FileError) {
      try Files.makeFolders(folder)
      try Files.replace(Array(text.utf8), at: path, mode: 0o600, isDurable: false)
    } catch {
      // It is found again.
    }
  }

  private var path: String? { folder.map { $0 + "/devices.json" } }
}

extension KnownDevices.Device {
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
