import ScenarioLanguage
import Signage
import Testing

@Suite struct PowerRuleTests {
  @Test("Screens are switched at the ends of quiet hours, once each, and when serving begins")
  func ends() throws {
    let program = try Playlists.program("program: [{ play: [a, b, c, d, e, f] }]\nquiet: { hours: 22:00-07:00 }")
    let begin = Double(try Playlists.moment("2026-11-23 21:58", program))
    var rule = PowerRule()
    let switched = stride(from: 0.0, to: 36_000, by: 10).compactMap { second in
      rule.position(of: program, at: begin + second).map { "\(Int(second)) \($0.rawValue)" }
    }
    #expect(switched == ["0 on", "120 off", "32520 on"])
  }

  @Test("Hours in which the screen goes on do not switch it off")
  func kept() throws {
    let program = try Playlists.program(
      "program: [{ play: [a, b, c, d, e, f] }]\nquiet: { hours: 22:00-07:00, screen: keep }")
    var rule = PowerRule()
    let night = Double(try Playlists.moment("2026-11-23 23:00", program))
    #expect(rule.position(of: program, at: night) == .on)
  }

  static let words: [(PowerRule.Position, Bool?, Bool)] = [
    (PowerRule.Position.on, true, true), (.on, false, false), (.on, nil, false), (.off, false, true),
    (.off, true, false), (.off, nil, false),
  ]

  @Test("A receiver that says otherwise is told of; one that says nothing is not", arguments: words)
  func standby(position: PowerRule.Position, isStandBy: Bool?, isWrong: Bool) {
    #expect((PowerRule.complaint(about: position, isStandBy: isStandBy) != nil) == isWrong)
  }
}
