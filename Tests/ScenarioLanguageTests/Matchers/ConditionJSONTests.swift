import CastProtocol
import Testing

@testable import ScenarioLanguage

/// Conditions as plans and events show them: nothing that was written is lost.
@Suite struct ConditionJSONTests {
  static let conditions: [(yaml: String, json: String)] = [
    ("{ player: playing }", #"{"player":"playing"}"#),
    ("{ break: none, app: { not: none } }", #"{"break":null,"app":{"not":null}}"#),
    // Structures nest, whether written with points or as maps.
    (
      "{ volume.level: 40%, volume: { muted: false } }", #"{"volume":{"level":40,"muted":false}}"#
    ),
    ("{ custom: { a: { b: 3, c: [1, x] } } }", #"{"custom":{"a":{"b":3,"c":[1,"x"]}}}"#),
    // Several matchers of one field stand side by side.
    ("{ title: { starts_with: a, ends_with: b } }", #"{"title":{"starts_with":"a","ends_with":"b"}}"#),
    ("{ title: { matches: ^S, not: { contains: b } } }", #"{"title":{"matches":"^S","not":{"contains":"b"}}}"#),
    ("{ position: { not: 7s, min: 5s, max: 8s } }", #"{"position":{"min":5,"max":8,"not":7}}"#),
    (
      "{ position: { above: 1s, about: 5s, exists: true } }",
      #"{"position":{"above":1,"about":5,"tolerance":0.5,"exists":true}}"#
    ),
    (
      "{ tracks: { count: { above: 1, not: 3 } } }",
      #"{"all":[{"tracks":{"count":{"above":1}}},{"tracks":{"count":{"not":3}}}]}"#
    ),
    (
      "{ break: { id: mid, clip_time: { min: 5s, max: 8s } } }",
      #"{"break":{"id":"mid","clip_time":{"min":5,"max":8}}}"#
    ),
    // One field twice, from several maps.
    ("{ all: [{ volume: { level: 40% } }, { volume: { muted: true } }] }", #"{"volume":{"level":40,"muted":true}}"#),
    ("{ all: [{ title: { contains: a } }, { title: { not: b } }] }", #"{"title":{"contains":"a","not":"b"}}"#),
    (
      "{ all: [{ title: { contains: a } }, { title: { contains: b } }] }",
      #"{"all":[{"title":{"contains":"a"}},{"title":{"contains":"b"}}]}"#
    ),
    (
      "{ player: playing, all: [{ player: { not: idle } }, { rate: 1 }] }",
      #"{"all":[{"player":"playing","rate":1},{"player":{"not":"idle"}}]}"#
    ),
    (
      "{ all: [{ break: none }, { break: { id: mid } }] }", #"{"all":[{"break":null},{"break":{"id":"mid"}}]}"#
    ),
    (
      "{ all: [{ break: { id: mid } }, { break: { not: none } }] }", #"{"break":{"id":"mid","not":null}}"#
    ),
    // What joins conditions, once and twice.
    ("{ any: [{ player: idle }, { rate: 1 }] }", #"{"any":[{"player":"idle"},{"rate":1}]}"#),
    (
      "{ all: [{ any: [{ player: idle }, { rate: 1 }] }, { any: [{ title: a }, { title: b }] }] }",
      #"{"all":[{"any":[{"player":"idle"},{"rate":1}]},{"any":[{"title":"a"},{"title":"b"}]}]}"#
    ),
    ("{ not: { player: idle, rate: 1 } }", #"{"not":{"player":"idle","rate":1}}"#),
    (
      "{ title: { not: { starts_with: a, ends_with: b } }, content: { not: { starts_with: x, ends_with: y } } }",
      #"{"all":[{"not":{"title":{"starts_with":"a","ends_with":"b"}}},{"not":{"content":{"starts_with":"x","ends_with":"y"}}}]}"#
    ),
    (
      "{ any: [{ all: [{ title: { contains: a } }, { title: { contains: b } }] }, { player: idle }] }",
      #"{"any":[{"all":[{"title":{"contains":"a"}},{"title":{"contains":"b"}}]},{"player":"idle"}]}"#
    ),
    // Every matcher under its own name.
    ("{ player: { one_of: [playing, buffering] } }", #"{"player":{"one_of":["playing","buffering"]}}"#),
    ("{ rate: { above: 0, below: 2, plus: 0.5 } }", #"{"rate":{"above":0.5,"below":2.5}}"#),
    ("{ rate: { about: 1.5, tolerance: 0.1 } }", #"{"rate":{"about":1.5,"tolerance":0.1}}"#),
    ("{ commands: { has: [seek, pause] } }", #"{"commands":{"has":["seek","pause"]}}"#),
    ("{ active_tracks: { only: [] } }", #"{"active_tracks":{"only":[]}}"#),
    (
      "{ idle_reason: { exists: false }, title: { changed: true } }",
      #"{"idle_reason":{"exists":false},"title":{"changed":true}}"#
    ),
    (
      "{ position: { advances: { at_least: 4s, over: 5s } } }",
      #"{"position":{"advances":{"at_least":4,"over":5}}}"#
    ),
    (
      "{ duration: live, text_style: { color: yellow, size: 150% } }",
      ##"{"duration":"live","text_style":{"color":"#FFFF00FF","size":150}}"##
    ),
    (
      "{ device: { model: { contains: Ultra } }, vars: { p0: { min: 5s } } }",
      #"{"device":{"model":{"contains":"Ultra"}},"vars":{"p0":{"min":5}}}"#
    ),
    ("{ position: { min: \"${p0}\", max: 1m } }", #"{"position":{"min":"${p0}","max":60}}"#),
    (
      "{ position: { about: \"${p0}\", plus: -5s } }",
      #"{"position":{"about":{"saved":"p0","plus":-5},"tolerance":0.5}}"#
    ),
  ]

  @Test("Every matcher that was written is in the JSON of its condition", arguments: conditions)
  func json(yaml: String, json: String) throws {
    let condition = try ConditionTests.condition(yaml, before: ["pause: {}\nsave: { p0: position }"])
    #expect(condition.json().serialized() == json)
  }

  @Test("A saved value is shown once it is known")
  func resolved() throws {
    let condition = try ConditionTests.condition(
      "{ position: { about: \"${p0}\", plus: 15s } }", before: ["pause: {}\nsave: { p0: position }"])
    #expect(condition.json { _ in 5 } == ["position": ["about": 20, "tolerance": 0.5]])
    #expect(condition.json { _ in .null }["position"]?["about"] == .null)
  }

  @Test("Many conditions of one field cost no more than their number")
  func many() throws {
    let place = SourceSpan(file: "a.yaml", line: 1, column: 1, endLine: 1, endColumn: 2)
    let path = FieldPath(["title"])
    let condition = Condition.all(
      (0..<20_000).map { .field(path, .contains("\($0)"), span: place) })
    let json = condition.json()
    #expect(json["all"]?.array?.count == 20_000)
    #expect(json["all"]?.array?.last == ["title": ["contains": "19999"]])
  }

  static let observed: [(value: JSONValue, type: StatusField.ValueType, rounded: String, written: String)] = [
    (18.04, .duration, "18.0s", "18.04s"), (90, .duration, "90.0s", "1m30s"), (-0.01, .duration, "0.0s", "-10ms"),
    (1e300, .duration, "1e+300s", "36525d"), ("live", .durationOrLive, "live", "live"),
    (40.000000596, .percent, "40%", "40%"), (12.346, .percent, "12.35%", "12.35%"), (1.5, .number, "1.5", "1.5"),
    (1.00049, .number, "1", "1"), (7, .int, "7", "7"), (true, .bool, "true", "true"), (.null, .text, "none", "none"),
    (["a", "b"], .list(of: .text), "[a, b]", "[a, b]"),
    (
      [["id": "en", "kind": "text"], ["kind": "audio"]], .list(of: .record), #"[en, {"kind":"audio"}]"#,
      #"[en, {"kind":"audio"}]"#
    ),
    (["x": 1], .free, #"{"x":1}"#, #"{"x":1}"#), ([1, [2]], .free, "[1, [2]]", "[1, [2]]"),
  ]

  @Test("A value is shown as its field is written, observed ones rounded", arguments: observed)
  func checksObserved(value: JSONValue, type: StatusField.ValueType, rounded: String, written: String) {
    #expect(value.text(as: type) == rounded)
    #expect(value.text(as: type, isRounded: false) == written)
  }
}
