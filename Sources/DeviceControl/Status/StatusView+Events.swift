package import CastProtocol
import RunReporting
import ScenarioLanguage

/// The merged status as `status` events give it: a diff against the one before.
extension StatusView {
  private static let names = [
    "player", "idle_reason", "position", "duration", "rate", "content", "content_type", "stream", "title",
    "active_tracks", "text_style", "break", "breaks", "commands", "repeat", "queue", "live_range", "video",
    "stream_volume", "error", "app", "volume", "active_input", "standby",
  ]

  /// Every field worth telling, in a fixed order, without what is absent. `position` is the reported one.
  package var document: JSONObject {
    var object = JSONObject()
    for name in Self.names {
      let path = FieldPath([name == "position" ? "position_reported" : name])
      guard var value = value(of: path), !value.isNull else { continue }
      // Long and rarely of interest; `--wire` has them.
      if case .object(var members) = value {
        members["items"] = nil
        members["namespaces"] = nil
        value = .object(members)
      }
      if value.object?.members.isEmpty == true { continue }
      object.members.append(.init(name, value.roundedToMilliseconds))
    }
    return object
  }
}
