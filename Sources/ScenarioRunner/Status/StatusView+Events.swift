package import CastProtocol
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

extension JSONObject {
  /// What has to be set and unset to come from `old` to this.
  package func changes(since old: JSONObject) -> (set: JSONObject, unset: [String]) {
    let set = JSONObject(members.filter { old[$0.name] != $0.value })
    return (set, old.members.map(\.name).filter { self[$0] == nil })
  }

  /// The opposite of ``changes(since:)``.
  package func applying(set: JSONObject, unset: [String]) -> JSONObject {
    var object = self
    for member in set.members { object[member.name] = member.value }
    for name in unset { object[name] = nil }
    return object
  }
}

extension JSONValue {
  /// Numbers with at most three decimals, all the way down.
  package var roundedToMilliseconds: JSONValue {
    switch self {
    case .double(let value): .milliseconds(value)
    case .array(let values): .array(values.map(\.roundedToMilliseconds))
    case .object(let object):
      .object(JSONObject(object.members.map { .init($0.name, $0.value.roundedToMilliseconds) }))
    default: self
    }
  }
}
