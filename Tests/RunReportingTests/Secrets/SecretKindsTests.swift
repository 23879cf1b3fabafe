import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import RunReporting

/// Secrets in every kind of event: what passes the emitter has names in place of values (docs/security.md Y4).
@Suite struct SecretKindsTests {
  private static let value = "hunter2/hunter2"

  /// The value with a secret in each of its texts, and in the names of a device's own data.
  private static func filled(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string("\(text) \(Self.value).")
    case .array(let items): .array(items.map(filled))
    case .object(let object): .object(JSONObject(object.members.map { .init($0.name, filled($0.value)) }))
    default: value
    }
  }

  private static func emitted(_ kind: EventKind, _ secrets: Secrets) throws -> Event {
    let sink = KeptEvents()
    EventEmitter(show: TimeSource(ContinuousClock()), wallClock: { 0 }, sink: sink, secrets: secrets).emit(kind)
    return try #require(sink.events.first)
  }

  @Test("In no text of any event is a secret's value told, and all else is as it was", arguments: Samples.all)
  func every(type: EventType, members: String) throws {
    let whole = try #require(try JSONValue(parsing: "{\(members)}").object)
    let kind = EventKind(type, fields: try #require(Self.filled(.object(whole)).object))
    let written = JSONValue.object(kind.fields).serialized()
    let event = try Self.emitted(kind, Secrets(["token": Self.value]))
    #expect(JSONValue.object(event.kind.fields).serialized() == written.replacing(Self.value, with: "‹secret.token›"))
  }

  @Test("Without secrets an event is told as it is", arguments: Samples.all)
  func none(type: EventType, members: String) throws {
    let kind = EventKind(type, fields: try #require(try JSONValue(parsing: "{\(members)}").object))
    #expect(try Self.emitted(kind, Secrets()).kind == kind)
    #expect(try Self.emitted(kind, Secrets(["token": "not in any of them"])).kind == kind)
  }

  @Test("A secret is hidden in the names of what a device sends, in saved values and rows")
  func names() throws {
    let object = JSONObject([.init(Self.value, .object(JSONObject([.init("x" + Self.value, 1)])))])
    let told: JSONObject = ["‹secret.token›": ["x‹secret.token›": 1]]
    let secrets = Secrets(["token": Self.value])
    var (change, step, message) = (EventKind.StatusChange(), EventKind.StepFinished(), EventKind.WireMessage())
    (change.set, step.saved, message.message) = (object, object, .object(object))
    var scenario = EventKind.ScenarioStarted()
    (scenario.row, scenario.roles) = (object, object)
    var judged = EventKind.Expectation()
    (judged.want, judged.got, judged.nearest) = (.object(object), object, .init(elapsed: 1, values: object))
    let kinds: [(kind: EventKind, member: String)] = [
      (.status(change), "set"), (.stepFinished(step), "saved"), (.request(message), "msg"),
      (.reply(message), "msg"), (.scenarioStarted(scenario), "row"), (.scenarioStarted(scenario), "roles"),
      (.expectPassed(judged), "want"), (.expectFailed(judged), "got"),
    ]
    for (kind, member) in kinds {
      #expect(try Self.emitted(kind, secrets).kind.fields[member] == .object(told), "\(kind.type) \(member)")
    }
    let near = try Self.emitted(.expectFailed(judged), secrets).kind.fields["nearest"]
    #expect(near == ["e": 1, "‹secret.token›": ["x‹secret.token›": 1]])
  }

  @Test("Words that this tool does not know are texts: a secret in them is hidden")
  func openWords() throws {
    var connected = EventKind.DeviceConnected()
    connected.authentication = .unknown("so \(Self.value)")
    var found = EventKind.DeviceFound()
    found.origin = .unknown(Self.value)
    let secrets = Secrets(["token": Self.value, "word": "verified"])
    #expect(try Self.emitted(.deviceConnected(connected), secrets).kind.fields["auth"] == "so ‹secret.token›")
    #expect(try Self.emitted(.deviceFound(found), secrets).kind.fields["via"] == "‹secret.token›")
    connected.authentication = .known(.verified)
    #expect(try Self.emitted(.deviceConnected(connected), secrets).kind.fields["auth"] == "verified")
  }

  @Test("What a report writes of emitted events holds no value in any spelling")
  func reports() throws {
    let secrets = Secrets(["token": Self.value])
    let sink = KeptEvents()
    let emitter = EventEmitter(show: TimeSource(ContinuousClock()), wallClock: { 0 }, sink: sink, secrets: secrets)
    // The document of JUnit is written at the end of a run.
    let ends = Samples.all.filter { $0.type == .runFinished }
    for sample in Samples.all.filter({ $0.type != .runFinished }) + ends {
      let fields = try #require(Self.filled(try JSONValue(parsing: "{\(sample.members)}")).object)
      emitter.emit(EventKind(sample.type, fields: fields), document: "ads", device: "tv", step: "s1")
    }
    let events = sink.events
    var texts = [ReportText.junit(events)] + events.map { EventRecord($0).jsonLine }
    for level in [ConsoleReport.Level.quiet, .normal, .verbose, .wire] {
      for width in [nil, 100] {
        texts.append(ReportText.console(events) { ($0.level, $0.terminalWidth) = (level, width) })
      }
    }
    for text in texts { #expect(!text.contains("hunter2"), "\(text)") }
    #expect(texts[0].contains("‹secret.token›"))
  }
}
