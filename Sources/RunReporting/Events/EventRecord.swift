package import CastProtocol

/// The public, versioned shape of an event: one JSON object on one line (docs/runs.md "Events").
package struct EventRecord: Hashable, Sendable {
  /// Bumped when a field is removed or changes its type, never for one that is added.
  package static let version = 1

  /// The members that every event has, or may have.
  private static let envelope = ["v", "n", "t", "e", "type", "doc", "dev", "step"]

  package var event: Event

  package init(_ event: Event) { self.event = event }

  /// The members in their fixed order: `v n t e type doc dev`, then `row`, `step` and what the type adds.
  package var json: JSONValue {
    var object: JSONObject = [
      "v": .int(Self.version), "n": .int(event.number),
      "t": .string(UTCTime(unixSeconds: event.wallTime).text), "e": .milliseconds(event.elapsed),
      "type": .string(event.type.rawValue),
    ]
    if let document = event.document { object.members.append(.init("doc", .string(document))) }
    if let device = event.device { object.members.append(.init("dev", .string(device))) }
    if let step = event.step { object.members.append(.init("step", .string(step))) }
    object.members += event.fields.members
    return .object(object)
  }

  /// The line without its end.
  package var jsonLine: String { json.serialized() }

  /// The line of a stream in which several runs follow each other: it names the run behind the type.
  func jsonLine(of run: String?) -> String {
    guard let run, var object = json.object, object["run"] == nil,
      let type = object.members.firstIndex(where: { $0.name == "type" })
    else { return jsonLine }
    object.members.insert(.init("run", .string(run)), at: type + 1)
    return JSONValue.object(object).serialized()
  }

  /// Reads a stored event; `nil` when it is none, is of a newer version, or is of a type this tool does not know.
  package init?(json: JSONValue) {
    guard let object = json.object, object["v"]?.int == Self.version, let number = object["n"]?.int,
      let time = object["t"]?.string.flatMap(UTCTime.init(parsing:)), let elapsed = object["e"]?.number,
      let type = object["type"]?.string.flatMap(EventType.init(rawValue:))
    else { return nil }
    event = Event(
      number: number, wallTime: time.unixSeconds, elapsed: elapsed, type: type, document: object["doc"]?.string,
      device: object["dev"]?.string, step: object["step"]?.string,
      fields: JSONObject(object.members.filter { !Self.envelope.contains($0.name) }))
  }
}

extension JSONValue {
  /// Seconds with at most three decimals, as events give all times; a number that has none that count stays as it is.
  package static func milliseconds(_ seconds: Double) -> JSONValue {
    let whole = (seconds * 1000).rounded()
    return JSONValue(whole.magnitude < 9_007_199_254_740_992 ? whole / 1000 : seconds)
  }

  /// A duration in seconds with at most three decimals.
  package static func seconds(_ duration: Duration) -> JSONValue { .milliseconds(duration.seconds) }
}
