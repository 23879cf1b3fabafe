import CastProtocol
import Testing

@testable import ScenarioLanguage

/// The plan as `plan --json` prints it, part by part.
@Suite struct PlanJSONTests {
  static func plan(_ steps: String, top: String = "device: TV") throws -> Plan {
    try Compiling.plan("scenario: S\n\(top)\nsteps: [\(steps)]\n")
  }

  @Test("A plan as JSON has its members in a fixed order, durations in seconds, and the place of each step")
  func json() throws {
    let plan = try Compiling.plan(
      "scenario: Short\ndevice: TV\nsteps:\n  - launch: A1B2C3D4\n    retry: 3\n  - expect: { player: playing }\n")
    let json = plan.json
    #expect(
      json.object?.members.map(\.name) == [
        "v", "language", "id", "title", "file", "tags", "device", "timeout", "finallyTimeout", "within", "timeouts",
        "watch", "setup", "steps", "onFailure", "finally",
      ])
    #expect(json["device"] == ["name": "TV"])
    #expect(
      json["steps"]?.array?[0].serialized()
        == #"{"id":"s1","name":"launch A1B2C3D4","verb":"launch","args":{"app":"A1B2C3D4","join":"auto"},"timeout":15,"bound":48,"retry":{"attempts":3,"wait":1,"factor":2,"maxWait":30,"jitter":0,"errors":["busy","connection_lost","launch_cancelled","timeout","unreachable"],"before":"nothing","tries":[0,1,3]},"ifFails":"stop","file":"lobby.yaml","line":4,"column":5,"endLine":4,"endColumn":11}"#
    )
    #expect(json["steps"]?.array?[1]["args"] == ["that": ["player": "playing"], "within": 10])
  }

  @Test("What a scenario does not say is left out, what it says has its place in a fixed order")
  func members() throws {
    let plan = try #require(PlanListingTests.plans(PlanListingTests.nested).last)
    #expect(
      plan.json.object?.members.map(\.name) == [
        "v", "language", "id", "title", "file", "tags", "row", "device", "devices", "retry", "session", "takeover",
        "timeout", "finallyTimeout", "within", "timeouts", "watch", "setup", "steps", "onFailure", "finally",
      ])
    #expect(plan.json["row"]?.serialized() == #"{"lang":"no","speed":1}"#)
    #expect(plan.json["session"]?.serialized() == #"{"join":"must_exist","leave":"keep"}"#)
    #expect(plan.json["takeover"] == "ignore")
    #expect(
      plan.json["retry"]?["errors"]
        == ["busy", "connection_lost", "expectation", "launch_cancelled", "timeout", "unreachable"])
    let show = try #require(PlanListingTests.plans(PlanListingTests.show).first)
    #expect(
      show.json.object?.members.map(\.name) == [
        "v", "language", "id", "title", "file", "tags", "device", "roles", "variables", "schedules", "timeout",
        "finallyTimeout", "within", "timeouts", "watch", "setup", "steps", "onFailure", "finally",
      ])
    #expect(show.json["variables"]?.serialized() == #"{"n":1,"word":"hello"}"#)
    #expect(show.json["id"] == "evening")
    #expect(show.json["timeout"] == 300 && show.json["finallyTimeout"] == 45)
  }

  @Test("A device of the inventory comes with its id and what the inventory asks of it")
  func inventory() throws {
    let plan = try #require(PlanListingTests.plans(PlanListingTests.nested).last)
    let bar = #"{"inventory":"bar","id":"8e2d1c0a","expect":["video","rate"],"auth":"require","tls":"legacy"}"#
    // What `like` takes over, and what it writes itself.
    let hall = #"{"inventory":"hall","id":"11112222","expect":["video","rate"],"auth":"require","tls":"legacy"}"#
    let match = #"{"tag":"lobby","tagged":[\#(bar),\#(hall)]}"#
    #expect(plan.json["device"]?.serialized() == match)
    #expect(
      plan.json["devices"]?.serialized() == #"{"match":[\#(match)],"atLeast":1,"atMost":3,"run":"one_by_one"}"#)
    #expect(plan.inventory.keys.sorted() == ["bar", "hall", "roof"])
    let show = try #require(PlanListingTests.plans(PlanListingTests.show).first)
    #expect(
      show.json["roles"]?.serialized()
        == #"{"left":{"name":"Bar left"},"right":{"host":"192.0.2.7:8010"},"wall":{"modelLike":"Chrome*","kind":"device","not":[{"nameLike":"*Kitchen*"}]}}"#
    )
  }

  @Test("A monitor has its rule, how long it must be broken, what that does, and its place")
  func watch() throws {
    let show = try #require(PlanListingTests.plans(PlanListingTests.show).first)
    let watch = try #require(show.json["watch"]?.array)
    func without(_ place: JSONValue) -> String {
      var object = place.object ?? JSONObject()
      for name in ["file", "line", "column", "endLine", "endColumn"] {
        #expect(object[name] != nil)
        object[name] = nil
      }
      return JSONValue.object(object).serialized()
    }
    #expect(
      watch.map(without) == [
        #"{"name":"No error","never":{"idle_reason":"error"},"ifFails":"stop"}"#,
        #"{"name":"never player","never":{"player":"buffering"},"for":5,"ifFails":"continue"}"#,
        #"{"name":"always volume","always":{"volume":{"level":{"max":50}}},"ifFails":"stop"}"#,
      ])
  }

  @Test("A schedule has when, where, and what happens when it cannot be kept")
  func schedules() throws {
    let show = try #require(PlanListingTests.plans(PlanListingTests.show).first)
    let schedules = try #require(show.json["schedules"]?.array)
    #expect(
      schedules.map { $0.serialized() } == [
        #"{"cron":"30 18 * * mon-fri","timezone":"Europe/Paris","jitter":30,"overlap":"queue","missed":"run_once","within":1200,"dst":{"missing":"skip","repeated":"twice"},"line":8,"column":7}"#,
        #"{"every":5400,"days":["mon","tue","wed","thu","fri","sat","sun"],"jitter":0,"overlap":"skip","missed":"skip","dst":{"missing":"run_after","repeated":"once"},"line":9,"column":7}"#,
        #"{"at":["07:00","18:30:30"],"days":["sat","sun"],"timezone":"UTC","jitter":0,"overlap":"skip","missed":"skip","dst":{"missing":"run_after","repeated":"once"},"line":10,"column":7}"#,
      ])
  }

  @Test("A step has its role, condition, reason to be skipped, tags and what it saves")
  func step() throws {
    let plan = try Self.plan(
      "{ play: {}, role: left, if: { player: idle }, tags: [a, b], timeout: 4s, if_fails: continue, save: { p: position, b: break.id } }, { stop: {}, role: all, skip: late }",
      top: "roles: { left: A, right: B }")
    let steps = try #require(plan.json["steps"]?.array)
    #expect(
      steps.map { $0.serialized() } == [
        #"{"id":"s1","name":"play","verb":"play","args":{},"role":"left","if":{"player":"idle"},"tags":["a","b"],"timeout":4,"bound":4,"ifFails":"continue","save":{"p":"position","b":"break.id"},"file":"lobby.yaml","line":3,"column":11,"endLine":3,"endColumn":15}"#,
        #"{"id":"s2","name":"stop","verb":"stop","args":{},"role":"all","skip":"late","timeout":30,"bound":30,"ifFails":"stop","file":"lobby.yaml","line":3,"column":142,"endLine":3,"endColumn":146}"#,
      ])
  }

  static let flow: [(step: String, args: String)] = [
    ("{ group: { steps: [] } }", #"{"steps":[]}"#), ("{ save: { p: position } }", "{}"),
    (
      "{ set: { n: 2, w: \"at ${device.name}\", d: 90s } }", #"{"values":{"n":2,"w":"at ${device.name}","d":90}}"#
    ),
    ("{ repeat: { times: 3, steps: [] } }", #"{"times":3,"steps":[]}"#),
    (
      "{ repeat: { until: { player: idle }, at_most: 2, steps: [] } }",
      #"{"until":{"player":"idle"},"atMost":2,"steps":[]}"#
    ),
    ("{ for_each: { item: [], steps: [play] } }", #"{"steps":[]}"#),
    (
      "{ parallel: { branches: [{ name: x, steps: [] }, { steps: [] }], fail_fast: false } }",
      #"{"failFast":false,"branches":[{"name":"x","steps":[]},{"name":"branch 2","steps":[]}]}"#
    ),
    (
      "{ choose: [{ if: { player: idle }, steps: [] }, { otherwise: [] }] }",
      #"{"branches":[{"if":{"player":"idle"},"steps":[]},{"steps":[]}]}"#
    ),
  ]

  @Test("What holds steps has them under its arguments", arguments: flow)
  func checksFlow(step: String, args: String) throws {
    let vars = "vars: { n: { type: int, default: 1 }, w: x, d: { type: duration, default: 1s } }"
    let outcome = Compiling.outcome(
      "scenario: S\ndevice: TV\n\(vars)\nsteps: [\(step), { wait: \"${d}\" }, { log: \"${n}${w}\" }]\n")
    let plan = try #require(outcome.plans.first, "\(outcome.diagnostics.map(\.message))")
    #expect(plan.steps[0].action.arguments.serialized() == args)
  }

  @Test("No more than fifty tries are listed, however many there may be")
  func tries() throws {
    func tries(_ attempts: Int) throws -> [JSONValue]? {
      try Self.plan("{ play: {}, retry: { attempts: \(attempts), wait: 1s, factor: 1 } }")
        .json["steps"]?.array?[0]["retry"]?["tries"]?.array
    }
    #expect(try tries(49)?.count == 49)
    #expect(try tries(50)?.last == 49)
    #expect(try tries(51)?.count == 50)
    #expect(try tries(10_000)?.count == 50)
    #expect(try tries(10_000)?.last == 49)
  }
}
