import CastProtocol
import ScenarioLanguage
import Testing

@testable import RunReporting

/// Which property of an event is which member of its line (docs/runs.md "Kinds of events").
@Suite struct EventMembersTests {
  private static func made<Payload: EventPayload>(_ edit: (inout Payload) -> Void) -> Payload {
    var payload = Payload()
    edit(&payload)
    return payload
  }

  private static let place = SourcePlace(
    file: "a.yaml", line: 2, column: 3, endLine: 4, endColumn: 5)
  private static let start = SourcePlace(file: "a.yaml", line: 2, column: 3)
  private static let placed = #""file":"a.yaml","line":2,"column":3,"endLine":4,"endColumn":5"#

  static let run: [(kind: EventKind, members: String)] = [
    (
      .runStarted(
        made {
          ($0.run, $0.tool, $0.language, $0.seed, $0.host) = ("r", "t", 1, 7, "h")
          ($0.arguments, $0.rerun, $0.speed) = (["run"], ["run", "--virtual"], 2.5)
          $0.documents = [
            made {
              ($0.id, $0.kind, $0.file, $0.sha256, $0.tags) = (
                "d", "playlist", "d.yaml", "9f", ["x"]
              )
            }
          ]
        }),
      #"{"run":"r","tool":"t","language":1,"seed":7,"host":"h","argv":["run"],"rerun":["run","--virtual"],"#
        + #""speed":2.5,"docs":[{"doc":"d","kind":"playlist","file":"d.yaml","sha256":"9f","tags":["x"]}]}"#
    ),
    (
      .runFinished(
        made {
          ($0.run, $0.result, $0.exit, $0.events) = ("r", .flaky, 7, 19)
          $0.scenarios = EventKind.VerdictCounts([
            .flaky, .flaky, .passed, .failed, .error, .error, .error,
          ])
        }),
      #"{"run":"r","result":"flaky","exit":7,"events":19,"#
        + #""scenarios":{"passed":1,"flaky":2,"failed":1,"error":3,"skipped":0}}"#
    ),
    (
      .plan(.init(steps: 4, deadline: 120, finallyDeadline: 30.5)),
      #"{"steps":4,"deadline":120,"finallyDeadline":30.5}"#
    ),
    (
      .scenarioStarted(
        made {
          ($0.row, $0.attempt, $0.choice, $0.roles) = (["l": "no"], 2, "Bar 2", ["left": "b"])
        }),
      #"{"row":{"l":"no"},"attempt":2,"choice":"Bar 2","roles":{"left":"b"}}"#
    ),
    (
      .scenarioFinished(
        made {
          ($0.result, $0.duration, $0.firstFailure, $0.cleanup) = (.failed, 3.5, "s2", .failed)
          ($0.counts.passed, $0.counts.flaky, $0.counts.failed, $0.counts.errors) = (1, 2, 3, 4)
          ($0.counts.skipped, $0.counts.notRun, $0.counts.ignored) = (5, 6, 7)
          $0.error = EventKind.Failure(StepFailure(.busy, "in use", wire: ["a": 1], help: "wait"))
        }),
      #"{"result":"failed","passed":1,"flaky":2,"failed":3,"errors":4,"skipped":5,"notRun":6,"ignored":7,"#
        + #""duration":3.5,"firstFailure":"s2","cleanup":"failed","#
        + #""error":{"class":"busy","message":"in use","wire":{"a":1},"help":"wait"}}"#
    ),
    (.finallyStarted(.init(steps: 2)), #"{"steps":2}"#),
    (.finallyFinished(.init(result: .failed, steps: 3)), #"{"result":"failed","steps":3}"#),
    (
      .page(
        made {
          ($0.receiver, $0.kind, $0.level, $0.text) = ("TV", "console", .error, "no licence")
          ($0.url, $0.line) = ("http://localhost:3000/app.js", 12)
        }),
      #"{"receiver":"TV","kind":"console","level":"error","text":"no licence","url":"http://localhost:3000/app.js","line":12}"#
    ),
    (.screenshot(.init(receiver: "TV", path: "screenshots/s2.png")), #"{"receiver":"TV","path":"screenshots/s2.png"}"#),
    (
      .fault(.init(receiver: "TV", number: 2, fault: "{ at: rate, accept_but_ignore: true }", count: 3)),
      #"{"receiver":"TV","number":2,"fault":"{ at: rate, accept_but_ignore: true }","count":3}"#
    ),
    (
      .fault(
        .init(
          receiver: "TV", number: 2, fault: "{ silence: true }", count: 1,
          at: .init(file: "lab.yaml", line: 4, column: 5))),
      #"{"receiver":"TV","number":2,"fault":"{ silence: true }","count":1,"file":"lab.yaml","line":4,"column":5}"#
    ),
  ]

  static let devices: [(kind: EventKind, members: String)] = [
    (
      .deviceFound(
        .init(
          name: "TV", id: "8e", model: "Hub", address: HostAndPort(host: "192.0.2.1", port: 8010),
          origin: .hosts)),
      #"{"name":"TV","id":"8e","model":"Hub","ip":"192.0.2.1","port":8010,"via":"hosts"}"#
    ),
    (
      .deviceConnected(
        made {
          ($0.tls, $0.authentication, $0.firmware, $0.latency) = (
            "TLSv1.3", .known(.noProof), "1.68", 11.125
          )
        }), #"{"tls":"TLSv1.3","auth":"no-proof","firmware":"1.68","latencyMs":11.125}"#
    ),
    (.deviceSoftware(.init(firmware: "1.56", build: "33")), #"{"firmware":"1.56","build":"33"}"#),
    (.deviceLost(.init(reason: "silent")), #"{"reason":"silent"}"#),
    (.deviceBack(.init(after: 1.5)), #"{"after":1.5}"#),
    (
      .request(
        made {
          ($0.attempt, $0.id, $0.namespace, $0.message) = (2, 9, "media", ["type": "LOAD"])
          ($0.source, $0.destination) = ("sender-0", "web-1")
        }),
      #"{"attempt":2,"id":9,"ns":"media","msg":{"type":"LOAD"},"from":"sender-0","to":"web-1"}"#
    ),
    (
      .reply(made { ($0.namespace, $0.message) = ("urn:x-cast:a", "text") }),
      #"{"attempt":1,"ns":"urn:x-cast:a","msg":"text"}"#
    ),
    (
      .requestFinished(
        made {
          ($0.attempt, $0.id, $0.namespace, $0.name) = (2, 9, "media", "LOAD")
          ($0.outcome, $0.duration) = (.replaced, 0.25)
          $0.error = EventKind.Failure(StepFailure(.loadCancelled, "another LOAD"))
        }),
      #"{"attempt":2,"id":9,"ns":"media","name":"LOAD","outcome":"replaced","duration":0.25,"#
        + #""error":{"class":"load_cancelled","message":"another LOAD"}}"#
    ),
    (
      .messages(
        made {
          let stop: EventKind.WireMessage = made { ($0.id, $0.namespace, $0.message) = (7, "media", ["type": "STOP"]) }
          ($0.messages, $0.passedOver) = ([EventKind.KeptMessage(stop, elapsed: 1.5, isSent: true)], 2)
        }),
      #"{"messages":[{"e":1.5,"sent":true,"id":7,"ns":"media","msg":{"type":"STOP"}}],"passedOver":2}"#
    ),
    (
      .status(
        made {
          ($0.source, $0.scope, $0.session) = (.polled, .receiver, 3)
          ($0.set, $0.unset, $0.others) = (["app": ["id": "A1"]], ["break"], ["paused"])
        }),
      #"{"source":"polled","scope":"receiver","session":3,"set":{"app":{"id":"A1"}},"unset":["break"],"#
        + #""others":["paused"]}"#
    ),
  ]

  static let steps: [(kind: EventKind, members: String)] = [
    (
      .stepStarted(
        made {
          ($0.verb, $0.name, $0.section, $0.parent, $0.pass) = ("log", "say", .onFailure, "s1", 2)
          ($0.place, $0.deadline) = (start, 9.5)
        }),
      #"{"verb":"log","name":"say","section":"on_failure","parent":"s1","pass":2,"#
        + #""file":"a.yaml","line":2,"column":3,"deadline":9.5}"#
    ),
    (
      .stepFinished(
        made {
          ($0.result, $0.reason, $0.verb, $0.name) = (.notRun, "s1 failed", "log", "say")
          ($0.section, $0.parent, $0.pass, $0.place) = (.finally, "s0", 3, start)
          ($0.attempts, $0.duration, $0.saved) = (2, 0.5, ["x": [1]])
          ($0.isIgnored, $0.stoppedBy) = (true, .monitor)
        }),
      #"{"result":"not_run","reason":"s1 failed","verb":"log","name":"say","section":"finally","parent":"s0","#
        + #""pass":3,"file":"a.yaml","line":2,"column":3,"attempts":2,"duration":0.5,"saved":{"x":[1]},"#
        + #""ignored":true,"stoppedBy":"monitor"}"#
    ),
    (
      .attemptFailed(.init(attempt: 2, error: .init(StepFailure(.tls, "no TLS")), nextTryIn: 4)),
      #"{"attempt":2,"error":{"class":"tls","message":"no TLS"},"nextTryIn":4}"#
    ),
    (
      .expectFailed(
        made {
          ($0.place, $0.want, $0.got) = (place, ["rate": 2], ["rate": 1])
          $0.nearest = EventKind.Nearest(elapsed: 1.25, values: ["rate": 1.5])
          ($0.mismatches, $0.statuses, $0.messages, $0.skew) = (["rate"], 3, 4, 0.125)
          ($0.isEstimated, $0.isPolled, $0.isInconclusive) = (true, true, true)
          ($0.remark, $0.because) = ("it is slow", "the law")
        }),
      "{\(placed)"
        + #","want":{"rate":2},"got":{"rate":1},"nearest":{"e":1.25,"rate":1.5},"mismatches":["rate"],"#
        + #""statuses":3,"messages":4,"skew":0.125,"estimated":true,"polled":true,"inconclusive":true,"#
        + #""remark":"it is slow","because":"the law"}"#
    ),
    (
      .expectPassed(made { $0.want = ["rate": 2] }),
      #"{"want":{"rate":2},"got":{},"mismatches":[],"estimated":false,"because":null}"#
    ),
    (
      .monitorFailed(
        made {
          ($0.name, $0.want, $0.got, $0.since) = (
            "no pause", ["never": ["player": "paused"]], ["player": "paused"], 3
          )
          ($0.place, $0.remark, $0.isIgnored) = (place, "why", true)
        }),
      #"{"name":"no pause","want":{"never":{"player":"paused"}},"got":{"player":"paused"},"since":3,"#
        + placed + #","remark":"why","ignored":true}"#
    ),
    (
      .diagnostic(
        made {
          ($0.severity, $0.code, $0.message, $0.place, $0.label) = (
            .warning, "R704", "no proof", place, "here"
          )
          $0.related = [made { ($0.place, $0.label) = (start, "there") }]
          ($0.notes, $0.help, $0.authentication) = (["n"], ["h"], .unknown("new"))
        }),
      #"{"severity":"warning","code":"R704","message":"no proof",\#(placed),"label":"here","#
        + #""related":[{"file":"a.yaml","line":2,"column":3,"label":"there"}],"notes":["n"],"help":["h"],"auth":"new"}"#
    ),
    (.mark(.init("here")), #"{"text":"here"}"#),
    (.log(.init("there")), #"{"text":"there"}"#),
  ]

  @Test(
    "A property stands in its line under the documented name, and is read back from it",
    arguments: run + devices + steps)
  func members(kind: EventKind, members: String) throws {
    #expect(JSONValue.object(kind.fields).serialized() == members)
    let read = try #require(try JSONValue(parsing: members).object)
    #expect(EventKind(kind.type, fields: read) == kind)
  }

  @Test("Margins are told to a billionth: a tolerance may be less than a thousandth, a difference has odd digits")
  func exactMargins() throws {
    let margin = EventKind.Margin(.init("position"), left: 0.000125, of: 0.0004)
    let members = #"{"field":"position","left":0.000125,"of":0.0004}"#
    #expect(margin.json.serialized() == members)
    #expect(EventKind.Margin(json: try JSONValue(parsing: members)) == margin)
    #expect(EventKind.Margin(.init("position"), left: 5.2 - 5).json.serialized() == #"{"field":"position","left":0.2}"#)
    // What cannot be read is no margin, least of all none left.
    for numbers in [
      #""left":1e300,"of":1"#, #""left":1,"of":1e300"#, #""left":null"#, #""of":1"#, #""left":1,"limit":1e12"#,
      #""left":-1e300"#,
    ] {
      let hostile = try JSONValue(parsing: #"{"field":"position",\#(numbers)}"#)
      #expect(EventKind.Margin(json: hostile) == nil, "\(numbers)")
    }
    #expect([EventKind.Margin](json: [["field": "position"], margin.json]) == [margin])
  }

  @Test(
    "A margin is shown in its field's unit; what would be rounded to nothing is told in full",
    arguments: [
      ("position", 0.000125, "0.000125s"), ("position", 0, "0.0s"), ("position", 2.04, "2.0s"),
      ("volume.level", 0.004, "0.004%"), ("volume.level", 2, "2%"), ("queue.items", 0.0001, "0.0001"),
    ])
  func shownMargins(field: String, number: Double, text: String) {
    #expect(EventKind.Margin(.init(field), left: 0).shown(number) == text)
  }

  @Test(
    "What comes near a limit is told by one word, hidden where it is a secret's",
    arguments: [
      (EventKind.Margin.Subject.timeBrokenInARow, "for"), (.timeBetweenDevices, "skew"),
      (.field(FieldPath(["volume", "level"])), "volume.level"),
      (.field(FieldPath(["raw", "media", "/status/0/a.b"])), "raw.media./status/0/a.b"),
    ])
  func marginSubjects(subject: EventKind.Margin.Subject, word: String) {
    #expect(subject.json == .string(word) && EventKind.Margin.Subject(json: .string(word)) == subject)
    #expect(EventKind.Margin.Subject(json: 5) == nil)
    let secrets = Secrets(["name": "level"])
    #expect(subject.emitted(hiding: secrets).word == word.emitted(hiding: secrets))
  }

  @Test("A problem of a document is told with its places, notes and cures apart")
  func problem() {
    let span = SourceSpan(file: "a.yaml", line: 2, column: 3, endLine: 2, endColumn: 9)
    let other = SourceSpan(file: "b.yaml", line: 1, column: 1, endLine: 1, endColumn: 2)
    let whole = EventKind.Problem(
      Diagnostic(
        .error, .k101, "no such key", at: .init(span, "here"), related: [.init(other, "there")],
        footers: [.help("h1"), .note("n1"), .help("h2")]))
    #expect(whole.label == "here" && whole.notes == ["n1"] && whole.help == ["h1", "h2"])
    #expect(
      whole.related?.map(\.label) == ["there"] && whole.related?.first?.place == SourcePlace(other))
    #expect(whole.place == SourcePlace(span) && whole.severity == .error && whole.code == "K101")
    let bare = EventKind.Problem(Diagnostic(.note, .r706, "by name", at: .init(span)))
    #expect(bare.label == nil && bare.notes == nil && bare.help == nil && bare.related == nil)
  }
}
