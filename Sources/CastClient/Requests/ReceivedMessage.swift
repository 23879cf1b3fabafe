import CastProtocol

/// One JSON message of a device, with what correlation needs taken out once.
struct ReceivedMessage: Hashable, Sendable {
  var source: EndpointID
  var namespace: Namespace
  /// `type`, or `responseType` where some devices put it (docs/protocol.md Q8, Q9).
  var type: String
  /// `requestId`; 0 and absent both mean that nobody asked.
  var requestID: Int
  /// The LAUNCH a LAUNCH_STATUS speaks of; it has no `requestId` (docs/protocol.md 3.4).
  var launchRequestID: Int?
  var json: JSONValue

  /// Returns `nil` for anything that is no JSON object with a type: ignored, the socket stays (docs/protocol.md 1.2).
  init?(source: EndpointID, namespace: Namespace, json: JSONValue) {
    guard case .object = json, let type = json["type"]?.string ?? json["responseType"]?.string else { return nil }
    self.source = source
    self.namespace = namespace
    self.type = type
    self.json = json
    requestID = json["requestId"]?.lenientInteger ?? 0
    launchRequestID = json["launchRequestId"]?.lenientInteger
  }
}
