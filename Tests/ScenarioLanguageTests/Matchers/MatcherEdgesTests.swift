import CastProtocol
import Testing

@testable import ScenarioLanguage

/// At which values of a moving field a judgement may change: what a run waits for.
@Suite struct MatcherEdgesTests {
  static func matcher(_ text: String, before: [String] = []) throws -> Matcher {
    let step = try Compiling.step("expect: { position: \(text) }", before: before)
    guard case .expect(let expect) = step.action else { throw Compiling.NoPlan() }
    return try #require(expect.condition.leaves.first).matcher
  }

  static let cases: [(matcher: String, edges: [Double])] = [
    ("90s", [90]), ("{ min: 5s }", [5]), ("{ min: 5s, below: 9s }", [5, 9]), ("{ max: 9s, above: 5s }", [5, 9]),
    ("{ about: 5s }", [4.5, 5, 5.5]), ("{ about: 5s, tolerance: 1s }", [4, 5, 6]), ("{ not: { min: 5s } }", [5]),
    ("{ not: 5s }", [5]), ("{ one_of: [9s, 3s, 4s] }", [3, 4, 9]), ("{ exists: true }", []), ("{ changed: true }", []),
    ("{ advances: { at_least: 4s, over: 5s } }", []),
  ]

  @Test("A matcher's answer changes where its numbers are, in ascending order", arguments: cases)
  func edges(matcher: String, edges: [Double]) throws { #expect(try Self.matcher(matcher).edges() == edges) }

  @Test("A saved value is an edge once it is known, moved by what is added to it")
  func saved() throws {
    let before = ["{ play: {}, save: { p0: position } }"]
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
}
