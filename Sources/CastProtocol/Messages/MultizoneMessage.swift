/// What a device says of groups on the multizone namespace. Source: docs/protocol.md 3.6.
package enum MultizoneMessage: Hashable, Sendable {
  /// `nil` when it holds none.
  case status(requestID: Int, MultizoneStatus?)
  case deviceAdded(MultizoneStatus.Device)
  case deviceUpdated(MultizoneStatus.Device)
  case deviceRemoved(deviceID: String)
  /// News without a shape that anybody has written down: CASTING_GROUPS, PLAYBACK_SESSION_UPDATED, and what devices add.
  case other(type: String?, requestID: Int)

  /// Reads a payload, by its type first; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    let type = object["type"]?.string ?? object["responseType"]?.string
    let requestID = object["requestId"]?.lenientInteger ?? 0
    self = .other(type: type, requestID: requestID)
    switch type {
    case "MULTIZONE_STATUS":
      self = .status(requestID: requestID, object["status"].flatMap { MultizoneStatus($0) })
    case "DEVICE_ADDED", "DEVICE_UPDATED":
      guard let device = object["device"].flatMap({ MultizoneStatus.Device($0) }) else { return }
      self = type == "DEVICE_ADDED" ? .deviceAdded(device) : .deviceUpdated(device)
    case "DEVICE_REMOVED":
      if let id = object["deviceId"]?.lenientText { self = .deviceRemoved(deviceID: id) }
    default: break
    }
  }
}

/// The members of a group, or the groups of a single device. Source: docs/protocol.md 3.6.
package struct MultizoneStatus: Hashable, Sendable {
  package var devices: [Device] = []

  package init() {}

  package struct Device: Hashable, Sendable {
    package var deviceID = ""
    package var name = ""
    /// The bits of the `ca` record (docs/protocol.md 7.1).
    package var capabilities: Int?
    package var volume = ReceiverStatus.Volume()

    package init() {}

    /// Whether it says that it is a group itself (docs/protocol.md 7.1).
    package var isGroup: Bool { (capabilities ?? 0) & 32 != 0 }
  }
}

extension MultizoneStatus {
  /// So many are more than any group has; more are not kept.
  package static let deviceLimit = 64

  /// The status with no more devices than are kept, each once.
  var limited: MultizoneStatus {
    var status = self
    status.devices = []
    for device in devices { _ = status.merge(device) }
    return status
  }

  /// Takes what a device says of itself: what is absent stays as it was.
  /// - Returns: Whether there is room for it.
  mutating func merge(_ device: Device) -> Bool {
    guard let index = devices.firstIndex(where: { $0.deviceID == device.deviceID }) else {
      if devices.count >= Self.deviceLimit { return false }
      devices.append(device)
      return true
    }
    if !device.name.isEmpty { devices[index].name = device.name }
    devices[index].capabilities = device.capabilities ?? devices[index].capabilities
    let volume = device.volume
    devices[index].volume.level = volume.level ?? devices[index].volume.level
    devices[index].volume.muted = volume.muted ?? devices[index].volume.muted
    devices[index].volume.controlType = volume.controlType ?? devices[index].volume.controlType
    devices[index].volume.stepInterval = volume.stepInterval ?? devices[index].volume.stepInterval
    return true
  }

  /// - Returns: Whether it was there.
  mutating func remove(_ deviceID: String) -> Bool {
    guard let index = devices.firstIndex(where: { $0.deviceID == deviceID }) else { return false }
    devices.remove(at: index)
    return true
  }

  /// What takes part in a group; empty where the device `id` is none: it lists itself then, or the groups it is in.
  package func members(of id: String?) -> [Device] {
    func plain(_ id: String) -> String { id.lowercased().filter { $0 != "-" } }
    let isSingle =
      devices.contains { device in id.map { plain($0) == plain(device.deviceID) } ?? false }
      || devices.allSatisfy(\.isGroup)
    return isSingle ? [] : devices
  }

  /// Reads a status, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    guard case .object(let object) = json else { return nil }
    devices = object["devices"]?.lenientList { Device($0) } ?? []
  }
}

extension MultizoneStatus.Device {
  /// Reads a device, leniently; `nil` when it has no id.
  package init?(_ json: JSONValue) {
    guard let id = json["deviceId"]?.lenientText else { return nil }
    deviceID = id
    name = json["name"]?.lenientText ?? ""
    capabilities = json["capabilities"]?.lenientInteger
    volume = json["volume"].map { ReceiverStatus.Volume($0) } ?? volume
  }
}
