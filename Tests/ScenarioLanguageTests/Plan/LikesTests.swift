import Testing

@testable import ScenarioLanguage

/// Definitions that start from another one.
@Suite struct LikesTests {
  /// What `like` makes of an app, as `key: value`, and the codes of its problems.
  private static func resolved(_ apps: String, _ name: String) throws -> (pairs: [String], codes: [String]) {
    let problems = DiagnosticCollector()
    let text = "scenario: S\napps: \(apps)\n"
    let root = try #require(YAMLParser.parse(SourceFile(text), reportingTo: problems)?.root)
    let map = DecodedMap(root, as: LanguageSchema.scenario)
    var likes = LikeResolver(map)
    let entry = try #require(map.entries("apps").first { $0.key.text == name }?.map)
    let result = likes.resolved(entry, .app, reportingTo: problems)
    return (result.keys.map { "\($0.text): \(result.text($0.text) ?? "…")" }, problems.diagnostics.map(\.code.rawValue))
  }

  @Test("A key that is written replaces the base's, others are taken over, from the nearest first")
  func chain() throws {
    let apps = "{ a: { id: A, namespaces: [urn:x-cast:a.b.c] }, b: { like: a, id: B }, c: { like: b } }"
    #expect(try Self.resolved(apps, "b").pairs == ["like: a", "id: B", "namespaces: …"])
    #expect(try Self.resolved(apps, "c").pairs == ["like: b", "id: B", "namespaces: …"])
  }

  @Test("A circle is told once, at the same place whoever of it is looked at; a base that is not there takes nothing")
  func circle() throws {
    let apps = "{ b: { like: c }, c: { like: a }, a: { like: b }, d: { like: nobody } }"
    for name in ["a", "b", "c"] { #expect(try Self.resolved(apps, name).codes == ["N412"]) }
    #expect(try Self.resolved(apps, "d").pairs == ["like: nobody"])
    #expect(try Self.resolved("{ a: { like: a } }", "a").codes == ["N412"])
  }

  @Test("A chain of a hundred is followed, one of more is refused")
  func length() throws {
    func apps(_ count: Int) -> String {
      "{ a0: { id: X }, \((1...count).map { "a\($0): { like: a\($0 - 1) }" }.joined(separator: ", ")) }"
    }
    #expect(try Self.resolved(apps(100), "a100").pairs == ["like: a99", "id: X"])
    #expect(try Self.resolved(apps(101), "a101").codes == ["N412"])
  }
}
