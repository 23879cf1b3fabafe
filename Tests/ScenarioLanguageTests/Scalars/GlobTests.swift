import Testing

@testable import ScenarioLanguage

@Suite struct GlobTests {
  @Test("A glob matches the whole text, in linear time")
  func globs() {
    let table: [(String, String, Bool)] = [
      ("*", "", true), ("a*c", "abbc", true), ("a*c", "abbd", false), ("?", "", false), ("a**b", "ab", true),
      ("*a*b*", "xaxbx", true), ("", "", true), ("", "a", false),
    ]
    for (pattern, text, matches) in table { #expect(Glob(pattern).matches(text) == matches) }
    let stars = String(repeating: "*a", count: 50)
    #expect(!Glob(stars + "b").matches(String(repeating: "a", count: 5_000)))
  }
}
