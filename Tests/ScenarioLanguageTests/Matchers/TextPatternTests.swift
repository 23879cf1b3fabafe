import Testing

@testable import ScenarioLanguage

/// Every construct of a pattern alone, found and not found, and every refusal with its place.
@Suite struct TextPatternTests {
  static let rules: [(pattern: String, found: [String], missing: [String])] = [
    ("^$", [""], ["a", "\n"]), ("^a|b$", ["ax", "xb"], ["xa", "bx"]), ("^(a|b)$", ["a", "b"], ["ab", "", "c"]),
    ("", ["", "anything"], []), ("a|b|c", ["xxc"], ["xx"]), ("colou?r", ["color", "colour"], ["colouur"]),
    ("^(ab|cd)+$", ["abcdab"], ["abcda"]), ("^(?:ab){2,3}$", ["ababab"], ["ab"]), ("()*x", ["x"], ["y"]),
    ("a||b", ["", "x"], []), ("()", [""], []), ("a()b", ["ab"], ["a b"]),
    // Counts, both sides of each bound.
    ("^a{0}$", [""], ["a"]), ("^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]), ("^a{2,}$", ["aa", "aaaaa"], ["a"]),
    ("^a?$", ["", "a"], ["aa"]), ("^a+$", ["a", "aa"], [""]), ("^(ab){1,2}c$", ["abc", "ababc"], ["c", "abababc"]),
    ("^a{200}$", [String(repeating: "a", count: 200)], [String(repeating: "a", count: 199)]),
    ("^(a|ab)(c|bcd)$", ["ac", "abc", "abcd", "abbcd"], ["ab", "acd"]),
    // Lazy or not, the same is found.
    ("^a*?$", ["", "aaa"], ["b"]), ("^a{1,2}?b", ["ab", "aab"], ["b", "aaab"]),
    // Classes.
    ("^[abc]$", ["a", "c"], ["d", "ab"]), ("^[^abc]$", ["d", "\n"], ["a", ""]),
    ("^[a-cx-z]$", ["b", "y"], ["d", "w", "-"]),
    ("^[-a]$", ["-", "a"], ["b"]), ("^[a-]$", ["-", "a"], ["b"]), ("^[]a]$", ["]", "a"], ["["]),
    ("^[^]]$", ["a"], ["]"]),
    ("^[\\]\\-\\\\]$", ["]", "-", "\\"], ["a"]), ("^[\\d.]+$", ["1.5"], ["1,5"]), ("^[^\\s]+$", ["ab"], ["a b"]),
    ("^[\\w-]+$", ["a-1_ü"], ["a b"]), ("^[.]$", ["."], ["a"]), ("^[\\n\\t]$", ["\n", "\t"], ["n"]),
    ("^[a-\\}]$", ["a", "z", "}"], ["~"]),
    // Escapes.
    ("^\\d$", ["0", "9"], ["a", "٣"]), ("^\\D$", ["a", "٣"], ["5"]), ("^\\w$", ["a", "_", "é", "映", "7"], ["-", " "]),
    ("^\\W$", ["-", " "], ["a"]), ("^\\s$", [" ", "\t", "\n", "\u{A0}"], ["a"]), ("^\\S$", ["a"], [" "]),
    ("^\\n$", ["\n"], ["n"]), ("^\\t\\r$", ["\t\r"], ["tr"]),
    ("^\\.\\*\\?\\+\\(\\)\\[\\]\\{\\}\\|\\^\\$$", [".*?+()[]{}|^$"], ["a"]),
    ("^\\é$", ["é"], ["e"]),
    // Borders of words.
    ("\\bon\\b", ["on", "turn on!", "on-air"], ["song", "on_air", "once"]), ("\\Bon", ["song"], ["on", "turn on"]),
    ("\\b", ["a"], ["", "--"]),
    ("\\B", ["", "ab"], ["a"]), ("é\\b", ["café"], ["café1"]),
    // A point is any character but a line break, and one character is one scalar.
    ("^.$", ["a", "映", "😀", "\r"], ["", "\n", "ab", "e\u{301}"]), ("^..$", ["e\u{301}", "🇳🇴"], ["é"]),
    // Anchors inside.
    ("a^b", [], ["ab", "a\nb"]), ("a$b", [], ["ab", "a\nb"]), ("(^a|b)c", ["ac", "xbc"], ["xac"]),
    // Without regard to case.
    ("(?i)^sintel$", ["Sintel", "SINTEL"], ["sinte"]), ("(?i)[a-c]x", ["BX"], ["DX"]), ("(?i)[^a]", ["b"], ["a", "A"]),
    ("(?i)ÜBER", ["über"], ["uber"]), ("(?i)straße", ["STRAßE"], ["STRASSE"]), ("Sintel", ["Sintel"], ["sintel"]),
  ]

  @Test("A pattern is found in exactly the texts that it describes", arguments: rules)
  func rule(pattern: String, found: [String], missing: [String]) throws {
    let compiled = try TextPattern(pattern)
    for text in found { #expect(compiled.isFound(in: text), "\(pattern) in \(text.debugDescription)") }
    for text in missing { #expect(!compiled.isFound(in: text), "\(pattern) in \(text.debugDescription)") }
  }

  static let refusals: [(pattern: String, offset: Int, message: String)] = [
    ("a(b", 3, "a group is not closed"), ("a)b", 1, "`)` closes nothing"),
    ("a[b", 1, "a character class is not closed"),
    ("[]", 0, "a character class is not closed"), ("[^]", 0, "a character class is not closed"),
    ("*a", 0, "nothing to repeat"),
    ("a|+", 2, "nothing to repeat"), ("(?:*)", 3, "nothing to repeat"), ("a**", 2, "nothing to repeat"),
    ("a+??", 3, "nothing to repeat"),
    ("a{2}{3}", 4, "nothing to repeat"), ("{2}", 0, "nothing to repeat"), ("a{", 2, "write a literal `{` as `\\{`"),
    ("a{x}", 2, "write a literal `{` as `\\{`"), ("a{,3}", 2, "write a literal `{` as `\\{`"),
    ("a{2", 1, "this repetition is not closed"),
    ("a{2,x}", 1, "this repetition is not closed"), ("a{1234567}", 1, "this repetition is not closed"),
    ("a{201}", 6, "at most 200 repetitions can be counted"), ("a{1,201}", 8, "at most 200 repetitions can be counted"),
    ("a{3,2}", 6, "the bounds of this repetition are the wrong way round"),
    ("a\\", 2, "the pattern ends in a backslash"),
    ("a\\1", 2, "`\\1` is not supported"), ("\\pL", 1, "`\\p` is not supported"),
    ("[\\b]", 2, "`\\b` is not supported"),
    ("(?=a)", 2, "only groups `(…)` and `(?:…)` are supported, and `(?i)` in front"),
    ("a(?i)b", 3, "only groups `(…)` and `(?:…)` are supported, and `(?i)` in front"),
    ("[z-a]", 4, "this range is the wrong way round"), ("[a-\\d]", 5, "this range is the wrong way round"),
    (String(repeating: "a", count: 1_001), 1_000, "a pattern has at most 1000 characters"),
    (String(repeating: "(", count: 31) + String(repeating: ")", count: 31), 31, "groups nest too deep"),
    ("(a{200}){20}", 0, "this pattern is too large"),
  ]

  @Test("A pattern that cannot be used says why and where", arguments: refusals)
  func refusal(pattern: String, offset: Int, message: String) {
    #expect(throws: TextPattern.Problem(message: message, offset: offset)) { try TextPattern(pattern) }
  }

  @Test("Up to its limits a pattern is taken: a thousand letters, thirty groups, two thousand instructions")
  func limits() throws {
    let letters = String(repeating: "a", count: 1_000)
    #expect(try TextPattern(letters).isFound(in: "x" + letters))
    let groups = String(repeating: "(", count: 30) + "a" + String(repeating: ")", count: 30)
    #expect(try TextPattern(groups).isFound(in: "a"))
    #expect(try TextPattern("^(a{200}){9}$").isFound(in: String(repeating: "a", count: 1_800)))
  }

  @Test("The place of a problem is underlined in the document")
  func place() throws {
    let source = SourceFile(Compiling.scenario("expect: { title: { matches: \"a(b|*)\" } }"))
    let outcome = PlanCompiler.compile(source)
    let problem = try #require(outcome.diagnostics.first { $0.code == .t216 })
    #expect(problem.message == "this is not a regular expression")
    #expect(problem.primary.text == "nothing to repeat")
    #expect(SourceText(source).text(at: problem.primary.span) == "*")
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
