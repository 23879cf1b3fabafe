import CastClient
import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// Puts the `status` events of a stored run together to the views that were judged while it ran.
///
/// What moves between two statuses is reckoned from the same messages a device sends: they are made again of what the events
/// tell, for the code that merges live ones.
package struct RecordedStatuses: Sendable {
  private var document = JSONObject()
  private var tracker = StatusTracker()

  package init() {}

  /// Fields that conditions may ask for and events do not tell: they are long, and `--wire` has them.
  private static let untold: Set<String> = ["tracks", "metadata", "custom", "raw", "content_url", "media_session"]

  /// Whether a field is reckoned between two statuses.
  static func moves(_ field: String) -> Bool { ["position", "position_reported", "break"].contains(field) }

  /// Whether events of a run tell a field.
  package static func tell(_ path: FieldPath) -> Bool {
    guard let first = path.parts.first else { return false }
    if path.parts == ["queue", "items"] || path.parts == ["app", "namespaces"] { return false }
    return !untold.contains(first)
  }

  /// The device was connected, also anew: what was before does not count.
  package mutating func connect() {
    tracker.connected()
    document = [:]
  }

  package mutating func lose() { tracker.disconnected() }

  /// Takes a `status` event.
  /// - Returns: What was judged then.
  package mutating func record(_ change: EventKind.StatusChange, at time: Duration) -> ObservedStatus {
    document = document.applying(set: change.set, unset: change.unset)
    let hasMedia = document["content"] != nil || document["position"] != nil || document["commands"] != nil
    if change.scope == .media || !hasMedia { say(change, at: time) }
    return ObservedStatus(view(at: time), source: change.source == .polled ? .polled : .push)
  }

  /// The merged status at a moment.
  package func view(at time: Duration) -> StatusView {
    var view = StatusView(tracker.snapshot, at: time)
    view.recorded = document
    return view
  }

  /// Gives the tracker the media status that the event was made of, as far as it is told.
  private mutating func say(_ change: EventKind.StatusChange, at time: Duration) {
    var statuses: [JSONValue] = []
    if change.scope == .media, let session = change.session { statuses = [.object(element(session, change.set))] }
    let message = CastMessage(
      source: EndpointID("recorded"), destination: .sender, namespace: .media,
      json: ["type": "MEDIA_STATUS", "requestId": 0, "status": .array(statuses)])
    tracker.receive(IncomingMessage(message), at: time)
  }

  private func element(_ session: Int, _ set: JSONObject) -> JSONObject {
    var element: JSONObject = ["mediaSessionId": .int(session)]
    let player = document["player"]?.string ?? "idle"
    element["playerState"] = .string(player == "loading" ? "BUFFERING" : player.uppercased())
    // A status that leaves the position out may be told, too: it moves on from where it was.
    let isNew = tracker.snapshot.media?.mediaSessionID != session
    if isNew || set["position"] != nil { element["currentTime"] = document["position"] }
    element["playbackRate"] = document["rate"]
    var media: JSONObject = ["contentId": document["content"] ?? ""]
    let length = document["duration"]
    if length == "live" { media["streamType"] = "LIVE" } else { media["duration"] = length }
    element["media"] = .object(media)
    if let state = document["break"] {
      var told = JSONObject()
      told["breakId"] = state["id"]
      told["breakClipId"] = state["clip"]
      told["currentBreakTime"] = state["time"]
      told["currentBreakClipTime"] = state["clip_time"]
      told["whenSkippable"] = state["skippable_at"]
      element["breakStatus"] = .object(told)
    }
    return element
  }
}
