import CastProtocol

/// The platform's other namespaces, as far as common senders ask on them. Source: docs/protocol.md 3.6.
extension ReceiverStateMachine {
  private static let prefix = "urn:x-cast:com.google.cast."

  mutating func answerNeighbour(_ request: JSONObject, on namespace: Namespace, from sender: Sender) {
    switch (namespace.rawValue, request["type"]?.string) {
    case (Self.prefix + "receiver.discovery", "GET_DEVICE_INFO"):
      guard let requestID = Self.requestID(request) else { return }
      reply(deviceInfo(requestID), on: namespace, to: sender)
    case (Self.prefix + "setup", "eureka_info"):
      guard let requestID = request["request_id"]?.whole else { return }
      reply(setupInfo(requestID), on: namespace, to: sender)
    case (Self.prefix + "multizone", "GET_STATUS"):
      guard let requestID = Self.requestID(request) else { return }
      reply(multizoneStatus(requestID), on: namespace, to: sender)
    default: return
    }
  }

  private func deviceInfo(_ requestID: Int) -> JSONValue {
    [
      "type": "GET_DEVICE_INFO", "requestId": .int(requestID), "controlNotifications": 2,
      "deviceCapabilities": .int(configuration.capabilities), "deviceId": .string(configuration.id),
      "deviceModel": .string(configuration.model), "friendlyName": .string(configuration.name),
    ]
  }

  private func setupInfo(_ requestID: Int) -> JSONValue {
    [
      "type": "eureka_info", "request_id": .int(requestID), "response_code": 200, "response_string": "OK",
      "data": [
        "version": 12, "name": .string(configuration.name),
        "device_info": [
          "manufacturer": "Showcaller", "product_name": .string(configuration.model),
          "ssdp_udn": .string(configuration.id),
        ],
        "build_info": ["build_type": 2, "cast_build_revision": "1.0", "system_build_number": "1"],
      ],
    ]
  }
}
