package import CastClient
package import CastProtocol
import RunReporting
import ScenarioLanguage

/// What a watch tells those who read it line by line.
package enum WatchEvent: Sendable {
  /// The first of all: the device, how it is, and what its proof is worth.
  case connected(FoundDevice, StatusView, AuthenticationFacts)
  case changed(WatchChange)
  /// The connection broke: why, and how long it is until the first try to make it again.
  case lost(String, nextIn: Duration)
  /// A try to reach it again failed: which, why, and how long it is until the next.
  case failed(Int, String, nextIn: Duration)
  /// It is connected again, how it is now, and how long it was away.
  case back(FoundDevice, StatusView, after: Duration)
  /// Something that its reader should know beside what happens, such as a proof that does not hold.
  case warning(String)

  /// The object for programs, without its time; `nil`: a change that they are not told.
  package var json: JSONObject? {
    switch self {
    case .connected(let device, let view, let facts):
      Self.object(
        "connected",
        [
          "device": .object(device.json), "auth": .string(facts.verdict.rawValue),
          "status": .object(WatchChange.document(view)),
        ])
    case .changed(let change): change.json.map { Self.object("status", $0) }
    case .lost(let reason, let nextIn):
      Self.object("lost", Self.loss(reason, nextIn))
    case .failed(let number, let message, let nextIn):
      Self.object("retry", ["number": .int(number), "message": .string(message), "next": .seconds(nextIn)])
    case .back(let device, let view, let away):
      Self.object(
        "back",
        [
          "after": .seconds(away), "device": .object(device.json), "status": .object(WatchChange.document(view)),
        ])
    case .warning(let text): Self.object("warning", ["message": .string(text)])
    }
  }

  private static func loss(_ reason: String, _ nextIn: Duration) -> JSONObject {
    var fields: JSONObject = ["message": .string(reason)]
    if nextIn > .zero { fields["next"] = .seconds(nextIn) }
    return fields
  }

  private static func object(_ event: String, _ fields: JSONObject) -> JSONObject {
    JSONObject([.init("event", .string(event))] + fields.members)
  }
}

extension WatchChange {
  /// `set`, `unset`, and what others did; `nil` where nothing is another.
  fileprivate var json: JSONObject? {
    if set.members.isEmpty, unset.isEmpty, others.isEmpty { return nil }
    var fields: JSONObject = ["set": .object(set), "unset": .array(unset.map(JSONValue.string))]
    if !others.isEmpty { fields["others"] = .array(others.map { .string($0.text) }) }
    return fields
  }
}

extension FoundDevice {
  /// `name`, `id`, `model`, `address`, `via`.
  package var json: JSONObject {
    var object: JSONObject = ["name": .string(name)]
    object["id"] = id.map(JSONValue.string)
    object["model"] = model.map(JSONValue.string)
    object["address"] = .string(address.text)
    object["via"] = .string(via.rawValue)
    return object
  }
}
