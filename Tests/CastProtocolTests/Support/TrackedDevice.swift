import CastProtocol

/// A tracker that is fed JSON text, as a device would send it.
struct TrackedDevice {
  var tracker = StatusTracker()
  var now = Duration.zero

  var snapshot: DeviceSnapshot { tracker.snapshot }
  var media: MediaStatus? { tracker.snapshot.media }

  /// A device that shows an app with transport id `app` and has no media session yet.
  init(app: String? = "app") throws {
    tracker.connected()
    if let app { try self.app(app) }
  }

  /// A RECEIVER_STATUS that lists one app; its session id is its transport id unless another is given.
  mutating func app(_ transport: String, session: String? = nil) throws {
    try receiver(
      #"{"applications":[{"appId":"CC1AD845","transportId":"\#(transport)","sessionId":"\#(session ?? transport)"}]}"#)
  }

  @discardableResult
  mutating func receiver(_ status: String) throws -> StatusTracker.Change? {
    let json = try JSONValue(parsing: #"{"type":"RECEIVER_STATUS","requestId":0,"status":\#(status)}"#)
    return tracker.receive(json, namespace: .receiver, from: .receiver, at: now)
  }

  /// A MEDIA_STATUS with one element; empty text for one with none.
  @discardableResult
  mutating func media(_ element: String, from source: EndpointID = "app", at seconds: Double? = nil) throws
    -> StatusTracker.Change?
  {
    if let seconds { now = .milliseconds(seconds * 1000) }
    return try message(#"{"type":"MEDIA_STATUS","requestId":0,"status":[\#(element)]}"#, from: source)
  }

  @discardableResult
  mutating func message(_ text: String, from source: EndpointID = "app") throws -> StatusTracker.Change? {
    tracker.receive(try JSONValue(parsing: text), namespace: .media, from: source, at: now)
  }
}
