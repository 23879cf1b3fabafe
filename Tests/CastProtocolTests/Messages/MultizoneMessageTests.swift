import CastProtocol
import Testing

@Suite struct MultizoneMessageTests {
  static func device(_ id: String, level: Double) -> MultizoneStatus.Device {
    var device = MultizoneStatus.Device()
    device.deviceID = id
    device.name = "Amplifier"
    device.capabilities = 4
    device.volume.level = level
    device.volume.muted = false
    return device
  }

  static let json = #"{"capabilities":4,"deviceId":"1","name":"Amplifier","volume":{"level":0.25,"muted":false}}"#

  static func status() -> MultizoneStatus {
    var status = MultizoneStatus()
    status.devices = [device("1", level: 0.25)]
    return status
  }

  static let messages: [(text: String, message: MultizoneMessage?)] = [
    (
      #"""
      {"type":"MULTIZONE_STATUS","requestId":3,"status":{"devices":[\#(json),{"name":"no id"},null],
      "isMultichannel":false,"playbackSession":{"appAllowsGrouping":true,"immutableDevices":[\#(json)],
      "isVideoContent":false,"streamTransferSupported":true}}}
      """#, .status(requestID: 3, status())
    ),
    (#"{"type":"DEVICE_ADDED","requestId":0,"device":\#(json)}"#, .deviceAdded(device("1", level: 0.25))),
    (#"{"type":"DEVICE_UPDATED","requestId":0,"device":\#(json)}"#, .deviceUpdated(device("1", level: 0.25))),
    (#"{"type":"DEVICE_REMOVED","requestId":0,"deviceId":"1"}"#, .deviceRemoved(deviceID: "1")),
    (#"{"type":"DEVICE_ADDED","device":{}}"#, .other(type: "DEVICE_ADDED", requestID: 0)),
    (#"{"type":"DEVICE_REMOVED"}"#, .other(type: "DEVICE_REMOVED", requestID: 0)),
    (#"{"type":"MULTIZONE_STATUS","requestId":9}"#, .status(requestID: 9, nil)),
    (#"{"type":"CASTING_GROUPS","requestId":9}"#, .other(type: "CASTING_GROUPS", requestID: 9)),
    ("[]", nil),
  ]
  @Test("What a device says of groups is read by its type", arguments: messages)
  func message(text: String, message: MultizoneMessage?) throws {
    #expect(MultizoneMessage(try JSONValue(parsing: text)) == message)
  }

  @Test("A device says what it is, under either name", arguments: ["GET_DEVICE_INFO", "DEVICE_INFO"])
  func deviceInfo(type: String) throws {
    let info = try #require(
      DeviceInfo([
        "type": .string(type), "deviceId": "1", "deviceModel": "M", "friendlyName": "F", "deviceCapabilities": 6149,
      ]))
    #expect(info.deviceID == "1" && info.deviceModel == "M" && info.friendlyName == "F")
    #expect(info.deviceCapabilities == 6149)
    #expect(DeviceInfo(["type": "RECEIVER_STATUS"]) == nil)
  }
}
