/// The answer to GET_DEVICE_INFO on the discovery namespace. Source: docs/protocol.md 3.6.
package struct DeviceInfo: Hashable, Sendable {
  package var deviceID: String?
  package var deviceModel: String?
  package var friendlyName: String?
  /// The bits of the `ca` record (docs/protocol.md 7.1).
  package var deviceCapabilities: Int?

  /// Reads the answer; devices name it after the question or `DEVICE_INFO`. `nil` for anything else.
  package init?(_ json: JSONValue) {
    guard ["GET_DEVICE_INFO", "DEVICE_INFO"].contains(json["type"]?.string) else { return nil }
    deviceID = json["deviceId"]?.lenientText
    deviceModel = json["deviceModel"]?.lenientText
    friendlyName = json["friendlyName"]?.lenientText
    deviceCapabilities = json["deviceCapabilities"]?.lenientInteger
  }
}
