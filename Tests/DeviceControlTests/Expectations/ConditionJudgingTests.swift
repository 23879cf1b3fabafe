import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl

/// What documents ask for, judged.
@Suite struct ConditionJudgingTests {
  struct NoPlan: Error {}

  private static func action(_ step: String, before: String) throws -> Plan.Action {
    let steps = before.isEmpty ? [step] : [before, step]
    let text = "scenario: A\ndevice: TV\nsteps:\n" + steps.map { "- \($0)\n" }.joined()
    guard
      case .scenario(let plan)? = PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(text.utf8))).document,
      let action = plan.steps.last?.action
    else { throw NoPlan() }
    return action
  }

  static func condition(_ yaml: String, before: String = "") throws -> Condition {
    guard case .expect(let expect) = try action("expect: \(yaml)", before: before) else { throw NoPlan() }
    return expect.condition
  }

  static func matcher(_ text: String, before: String = "") throws -> Matcher {
    try #require(condition("{ position: \(text) }", before: before).leaves.first).matcher
  }

  static func pattern(_ yaml: String, before: String = "") throws -> Plan.MessagePattern {
    let step = "expect_message: { namespace: urn:x-cast:com.acme, message: \(yaml) }"
    guard case .expectMessage(let action) = try action(step, before: before) else { throw NoPlan() }
    return action.pattern
  }

  static let counts: [(yaml: String, holds: Bool)] = [
    ("{ tracks: { count: 2 } }", true), ("{ tracks: { count: { min: 3 } } }", false),
    ("{ tracks: { count: { above: 1, max: 2 } } }", true), ("{ commands: { count: 0 } }", true),
    ("{ breaks: { count: 0 } }", false), ("{ break: { count: { not: 3 } } }", true),
    ("{ tracks: { not: { count: 2 } } }", false),
  ]

  @Test("`count` is the length of a list or map; what is absent has none", arguments: counts)
  func count(yaml: String, holds: Bool) throws {
    let values: [String: JSONValue] = ["tracks": [1, 2], "commands": [], "break": ["id": "a", "clip": "b"]]
    #expect(try Self.condition(yaml).mismatches { values[$0.text] }.isEmpty == holds)
  }

  static let changes: [(yaml: String, old: JSONValue?, new: JSONValue?, holds: Bool)] = [
    ("{ title: { changed: true } }", "a", "b", true), ("{ title: { changed: true } }", "a", "a", false),
    ("{ title: { changed: false } }", "a", "a", true), ("{ title: { changed: true } }", nil, "a", true),
    ("{ title: { changed: true } }", "a", nil, true), ("{ title: { changed: false } }", nil, nil, true),
    ("{ title: { not: { changed: true } } }", "a", "a", true), ("{ rate: { changed: true } }", 1, 1.0, false),
  ]

  @Test("`changed` compares with the value when the last action started", arguments: changes)
  func changed(yaml: String, old: JSONValue?, new: JSONValue?, holds: Bool) throws {
    let condition = try Self.condition(yaml)
    #expect(condition.mismatches(value: { _ in new }, before: { _ in old }).isEmpty == holds)
  }

  @Test("A saved value and a fact about the device are asked of the run")
  func runTime() throws {
    let condition = try Self.condition(
      "{ vars: { p0: { min: 5s } }, device: { model: Chromecast } }",
      before: "{ play: {}, save: { p0: position } }")
    let facts: [String: JSONValue] = ["p0": 6, "device.model": "Chromecast"]
    #expect(condition.mismatches(value: { _ in nil }, resolve: { facts[$0] }).isEmpty)
    let other = condition.mismatches(value: { _ in nil }, resolve: { $0 == "p0" ? 4 : "Nest Hub" })
    #expect(other.map(\.path.text) == ["vars.p0", "device.model"])
  }

  @Test("A saved value is compared with what is added to it")
  func saved() throws {
    let condition = try Self.condition(
      "{ position: { about: \"${p0}\", plus: 15s, tolerance: 1s } }", before: "{ pause: {}, save: { p0: position } }")
    #expect(condition.mismatches(value: { _ in 20.5 }, resolve: { _ in 5 }).isEmpty)
    #expect(!condition.mismatches(value: { _ in 21.5 }, resolve: { _ in 5 }).isEmpty)
  }

  // MARK: When an answer may change

  static let answers: [(matcher: String, edges: [Double])] = [
    ("90s", [90]), ("{ min: 5s }", [5]), ("{ min: 5s, below: 9s }", [5, 9]), ("{ max: 9s, above: 5s }", [5, 9]),
    ("{ about: 5s }", [4.5, 5, 5.5]), ("{ about: 5s, tolerance: 1s }", [4, 5, 6]), ("{ not: { min: 5s } }", [5]),
    ("{ not: 5s }", [5]), ("{ one_of: [9s, 3s, 4s] }", [3, 4, 9]), ("{ exists: true }", []), ("{ changed: true }", []),
    ("{ advances: { at_least: 4s, over: 5s } }", []),
  ]

  @Test("A matcher's answer changes where its numbers are, in ascending order", arguments: answers)
  func edges(matcher: String, edges: [Double]) throws { #expect(try Self.matcher(matcher).edges() == edges) }

  @Test("A saved value is an edge once it is known, moved by what is added to it")
  func savedEdges() throws {
    let before = "{ play: {}, save: { p0: position } }"
    let known: Matcher.SavedValues = { $0 == "p0" ? 10 : nil }
    let exact = try Self.matcher("\"${p0}\"", before: before)
    #expect(exact.edges(resolve: known) == [10] && exact.edges() == [])
    let near = try Self.matcher("{ about: \"${p0}\", plus: 2s }", before: before)
    #expect(near.edges(resolve: known) == [11.5, 12, 12.5] && near.edges() == [])
    let between = try Self.matcher("{ min: \"${p0}\", max: 20s }", before: before)
    #expect(between.edges(resolve: known) == [10, 20] && between.edges() == [20])
    let later = try Self.matcher("{ min: \"${p0}\", plus: -3s }", before: before)
    #expect(later.edges(resolve: known) == [7])
  }

  // MARK: Messages

  static let messages: [(pattern: String, matching: [String], other: [String])] = [
    ("{ type: SCORE }", [#"{"type":"SCORE","n":1}"#], [#"{"type":"MOVE"}"#, "{}", "[]"]),
    ("{ n: 3 }", [#"{"n":3}"#, #"{"n":3.0}"#], [#"{"n":"3"}"#]),
    ("{ n: \"3\" }", [#"{"n":"3"}"#], [#"{"n":3}"#]),
    ("{ a: { b: { c: true } } }", [#"{"a":{"b":{"c":true}}}"#], [#"{"a":{"b":{}}}"#, #"{"a":1}"#]),
    ("{ a.b.c: true }", [#"{"a":{"b":{"c":true}}}"#], [#"{"a":{"b":{"c":false}}}"#]),
    ("{ a: { min: 3, below: 5 } }", [#"{"a":3}"#], [#"{"a":5}"#, #"{"a":{"min":3,"below":5}}"#]),
    ("{ a.min: 3 }", [#"{"a":{"min":3}}"#], [#"{"a":3}"#]),
    ("{ list: [1, two] }", [#"{"list":[1,"two"]}"#], [#"{"list":[1]}"#, #"{"list":["two",1]}"#]),
    ("{ list: { has: [1] } }", [#"{"list":[2,1]}"#], [#"{"list":[]}"#]),
    ("{ list: { count: 2 } }", [#"{"list":[2,1]}"#, #"{"list":{"a":1,"b":2}}"#], [#"{"list":[2]}"#]),
    ("{ list.0.id: a }", [#"{"list":[{"id":"a"}]}"#], [#"{"list":[{"id":"b"}]}"#, #"{"list":[]}"#]),
    ("{ a: { exists: false } }", ["{}", #"{"a":null}"#], [#"{"a":0}"#]),
    ("{ a: { not: { contains: x } } }", [#"{"a":"y"}"#], [#"{"a":"axb"}"#]),
    ("{ vars: { x: 1 }, device: { model: m } }", [#"{"vars":{"x":1},"device":{"model":"m"}}"#], ["{}"]),
    ("{ position: 5s }", [#"{"position":"5s"}"#], [#"{"position":5}"#]),
  ]

  @Test("A pattern matches the messages it describes and no others", arguments: messages)
  func message(pattern: String, matching: [String], other: [String]) throws {
    let pattern = try Self.pattern(pattern)
    for text in matching { #expect(pattern.mismatches(in: try JSONValue(parsing: text)).isEmpty, "\(text)") }
    for text in other { #expect(!pattern.mismatches(in: try JSONValue(parsing: text)).isEmpty, "\(text)") }
  }

  @Test("A message is compared with what an earlier step saved")
  func savedInPattern() throws {
    let pattern = try Self.pattern(
      "{ title: \"${t}\", n: { not: 1 } }", before: "{ play: {}, save: { t: title } }")
    let message: JSONValue = ["title": "Sintel", "n": 2]
    #expect(pattern.mismatches(in: message) { $0 == "t" ? "Sintel" : nil }.isEmpty)
    #expect(pattern.mismatches(in: message) { _ in "Other" }.map(\.path.text) == ["title"])
  }
}
