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
    #expect(condition.mismatches(value: { _ in 20.5 }, resolve: { _ in 5 }).isEmpty)
    #expect(Compiling.codes(Compiling.scenario("expect: { rate: \"${p0}\" }", before: before)).contains("T220"))
  }

  static let wrong: [(yaml: String, code: String)] = [
    ("{ plyer: playing }", "K101"), ("{ break: { idd: mid } }", "K101"), ("{ player: { mn: 5s } }", "K101"),
    ("{ player: playng }", "T205"), ("{ player: { min: 5s } }", "T220"), ("{ rate: { contains: a } }", "T220"),
    ("{ title: { has: [a] } }", "T220"), ("{ rate: { advances: { at_least: 1s, over: 2s } } }", "T220"),
    ("{ position: 10 }", "T201"), ("{ volume: { level: 0.4 } }", "T207"), ("{ app: { idle: yes } }", "T204"),
    ("{ title: { matches: '(' } }", "T216"), ("{ position: { tolerance: 1s } }", "K105"),
    ("{ position: { plus: 1s } }", "K105"), ("{ position: { advances: { over: 2s } } }", "K105"),
    ("{ active_tracks: no }", "T210"), ("{ player: [idle] }", "T210"), ("{ player: { one_of: idle } }", "T210"),
    ("{}", "K105"), ("{ break: mid }", "T220"), ("{ tracks: { count: a } }", "T221"), ("{ vars: { x: 1 } }", "N401"),
    ("{ custom: { level: yes } }", "T212"), ("{ text_style: { color: \"#FFF\" } }", "T209"), ("{ any: [] }", "T210"),
  ]

  @Test("A condition that makes no sense is refused with its code", arguments: wrong)
  func refused(yaml: String, code: String) {
    let outcome = Compiling.outcome(Compiling.scenario("expect: \(yaml)"))
    #expect(outcome.diagnostics.filter { $0.severity == .error }.map(\.code.rawValue) == [code])
    #expect(outcome.document == nil)
  }

  @Test("Every field of the status can stand in a condition", arguments: StatusField.all.filter { !$0.isWildcard })
  func fields(field: StatusField) throws {
    #expect(try !Self.condition("{ \(field.path.text): { exists: true } }").leaves.isEmpty)
  }
}
