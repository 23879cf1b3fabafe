import Testing

@testable import ScenarioLanguage

@Suite struct TextPatternTests {
  static let findings: [(pattern: String, text: String, isFound: Bool)] = [
    ("b", "abc", true), ("^b", "abc", false), ("c$", "abc", true), ("^abc$", "abc", true),
    ("a.c", "abc", true), ("a.c", "a\nc", false), ("a|b|c", "xxc", true), ("^(ab|cd)+$", "abcdab", true),
    ("^(?:ab){2,3}$", "ababab", true), ("^(ab){2,3}$", "ab", false), ("^a{2}$", "aa", true), ("^a{2,}$", "aaaa", true),
    ("colou?r", "color", true), ("[a-c]+x", "bbx", true), ("[^a-c]x", "ax", false), ("[]x]", "]", true),
    ("\\d\\d", "a12", true), ("\\bcat\\b", "a cat!", true), ("\\bcat\\b", "concat", false), ("\\.mp4$", "a.mp4", true),
    ("[\\d-]+", "-", true), ("(?i)sintel", "SINTEL", true), ("", "anything", true), ("é", "café", true),
    ("^\\s*$", " \t", true), ("a+?b", "aab", true), ("()*x", "x", true),
  ]

  @Test("A pattern is found where the usual rules say so", arguments: findings)
  func finds(pattern: String, text: String, isFound: Bool) throws {
    #expect(try TextPattern(pattern).isFound(in: text) == isFound)
  }

  @Test(
    "A pattern that cannot be used says why",
    arguments: ["(", ")", "[a", "*a", "a**", "a{2", "a{3,2}", "\\1", "(?=a)", "a\\", "[b-a]", "a{500}", "{"])
  func refuses(pattern: String) {
    #expect(throws: TextPattern.Problem.self) { try TextPattern(pattern) }
  }

  @Test("Patterns that make backtracking engines explode stay linear")
  func linear() throws {
    let text = String(repeating: "a", count: 20_000)
    #expect(try !TextPattern("(a+)+b").isFound(in: text))
    #expect(try !TextPattern("(a|aa)+$b").isFound(in: text))
  }

  @Test("Patterns that would grow without bound are refused")
  func bounded() {
    for pattern in [
      "((((a{100}){100}){100}){100})", String(repeating: "(", count: 20) + String(repeating: "){200}", count: 20),
    ] {
      #expect(throws: TextPattern.Problem.self) { try TextPattern(pattern) }
    }
    let deep = String(repeating: "(", count: 400) + String(repeating: ")", count: 400)
    #expect(throws: TextPattern.Problem.self) { try TextPattern(deep) }
  }
}
