import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct ConditionTests {
  static func condition(_ yaml: String, before: [String] = []) throws -> Condition {
    guard case .expect(let action) = try Compiling.step("expect: \(yaml)", before: before).action else {
      throw Compiling.NoPlan()
    }
    return action.condition
  }

  static let words: [(yaml: String, text: String)] = [
    ("{ player: playing }", "player playing"),
    ("{ break: none, position: { about: 10s, tolerance: 1s } }", "break none, position 10.0s ± 1s"),
    ("{ position: { about: 10s } }", "position 10.0s ± 500ms"),
    ("{ rate: { about: 1.5 } }", "rate 1.5 ± 0.01"),
    ("{ volume: { level: { about: 40% } } }", "volume.level 40% ± 1%"),
    ("{ volume.level: 40% }", "volume.level 40%"),
    ("{ position: { about: 10s, plus: 15s, tolerance: 1s } }", "position 25.0s ± 1s"),
    ("{ position: { max: 1m, plus: -10s } }", "position max 50s"),
    ("{ break: { id: mid, clip_time: { min: 5s, max: 8s } } }", "break.id mid, break.clip_time min 5s max 8s"),
    ("{ break: { not: none } }", "break not none"),
    ("{ app: none }", "app none"),
    ("{ app: { id: 10E45678 } }", "app.id 10E45678"),
    ("{ duration: live }", "duration live"),
    ("{ title: 1917 }", "title 1917"),
    ("{ title: { matches: '^S01E\\d+', not: { contains: b } } }", "title matches ^S01E\\d+, title not contains b"),
    ("{ player: { one_of: [playing, buffering] } }", "player one of playing, buffering"),
    ("{ player: { not: idle } }", "player not idle"),
    ("{ active_tracks: { only: [no] } }", "active_tracks only [no]"),
    ("{ active_tracks: [no, en] }", "active_tracks [no, en]"),
    ("{ commands: { has: [skip_ad] } }", "commands has [skip_ad]"),
    ("{ text_style: { size: 150%, color: yellow } }", "text_style.size 150%, text_style.color #FFFF00FF"),
    ("{ idle_reason: { exists: false } }", "idle_reason absent"),
    ("{ position: { advances: { at_least: 4s, over: 5s } } }", "position advances 4s in 5s"),
    ("{ any: [{ player: idle }, { rate: 1 }] }", "any of (player idle; rate 1)"),
    ("{ all: [{ player: idle }], not: { app: none } }", "player idle, not (app none)"),
    ("{ custom: { level: { min: 3 } } }", "custom.level min 3"),
    ("{ custom: { a: { b: true } } }", "custom.a.b true"),
    ("{ raw.media./status/0/videoInfo.x: { exists: true } }", "raw.media./status/0/videoInfo.x present"),
    ("{ error: { code: 311 } }", "error.code 311"),
    ("{ rate: \"${_speed}\" }", "rate 1.5"),
    ("{ position: { min: 90s, max: 100.5s } }", "position min 1m30s max 1m40.5s"),
    ("{ player: { not: { one_of: [idle, paused] } } }", "player not one of idle, paused"),
    ("{ volume.muted: false }", "volume.muted false"),
    ("{ tracks: { count: { min: 2 } }, title: { changed: true } }", "tracks count min 2, title changed"),
    ("{ title: { changed: false } }", "title as before"),
  ]

  @Test("A condition compiles to what its words say", arguments: words)
  func compiles(yaml: String, text: String) throws {
    #expect(try Self.condition(yaml).text() == text)
  }

  @Test("A saved value is a reference, with what is added to it")
  func saved() throws {
    let before = ["pause: {}\nsave: { p0: position }"]
    let condition = try Self.condition("{ position: { about: \"${p0}\", plus: 15s, tolerance: 1s } }", before: before)
    #expect(condition.text() == "position ${p0} + 15s ± 1s")
    #expect(condition.text { _ in 5 } == "position 20.0s ± 1s")
    #expect(Compiling.codes(Compiling.scenario("expect: { rate: \"${p0}\" }", before: before)).contains("T220"))
  }

  @Test("The fields at the top of a condition are named, each once")
  func topFields() throws {
    let condition = try Self.condition(
      "{ position: { about: 10s }, break: none, text_style: { size: 150%, color: red } }")
    #expect(condition.topFields == ["position", "break", "text_style"])
  }
}
