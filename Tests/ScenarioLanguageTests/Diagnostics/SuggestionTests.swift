import Testing

@testable import ScenarioLanguage

@Suite struct SuggestionTests {
  static let words: [(String, [String], String?)] = [
    ("laod", ["log", "load"], "load"), ("devcie", ["devices", "device"], "device"), ("cars", ["car"], "car"),
    ("lunch", ["lunchtime", "dinner"], "lunchtime"), ("lunchtime", ["lunch"], "lunch"), ("ab", ["abcdef"], nil),
    ("plat", ["plug"], nil), ("play", ["play"], nil), ("tiemuot", ["timeout"], "timeout"), ("xyzxyz", ["timeout"], nil),
    ("Living Rom TV", ["Kitchen", "Living Room TV"], "Living Room TV"), ("LOAD", ["load"], "load"), ("", ["a"], nil),
    ("de", ["en"], nil), ("aaa", [], nil),
  ]
  @Test("The nearest word within reach is offered, or one that begins alike", arguments: words)
  func nearest(word: String, among: [String], expected: String?) {
    #expect(Suggestions.nearest(to: word, among: among) == expected)
  }

  @Test("Usual other words have their own list")
  func synonyms() {
    #expect(Suggestions.unit("minutes") == "m")
    #expect(Suggestions.unit("y") == nil)
    #expect(Suggestions.choice("off", among: ["none", "all"]) == "none")
    #expect(Suggestions.choice("off", among: ["all", "office"]) == "office")
    #expect(Suggestions.bool("Y") == true)
  }

  @Test("A word as long as a book is not compared")
  func long() {
    let word = String(repeating: "a", count: 100_000)
    #expect(Suggestions.nearest(to: word, among: [String(repeating: "a", count: 99_999)]) == nil)
  }

  @Test("Names are compared without their case, in every alphabet")
  func folded() {
    #expect(Suggestions.nearest(to: "überblick", among: ["ÜBERBLICK TV", "ÜBERBLICK"]) == "ÜBERBLICK")
    #expect(Suggestions.nearest(to: "ÄÖÜ", among: ["äöü"]) == "äöü")
    #expect(Suggestions.distance("ÉTÉ", "été") == 0)
  }
}
