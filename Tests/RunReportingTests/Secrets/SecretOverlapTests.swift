import CastProtocol
import Testing

@testable import RunReporting

/// Values that stand in, before and over each other.
@Suite struct SecretOverlapTests {
  static let overlaps: [(values: [String: String], text: String, told: String)] = [
    (["a": "12345678", "b": "5678abcdefgh"], "<12345678abcdefgh>", "<‹secret.a›‹secret.b›>"),
    (["a": "12345678", "b": "5678abcdefgh"], "<12345678><5678abcdefgh>", "<‹secret.a›><‹secret.b›>"),
    (["a": "aaaaaaaa"], "<aaaaaaaaaaa>", "<‹secret.a›>"),
    (["a": "aaaaaaaa"], "aaaaaaaa aaaaaaaa", "‹secret.a› ‹secret.a›"),
    (["a": "abcabcabc"], "abcabcabcabc!", "‹secret.a›!"),
    (["a": "abcdefgh", "b": "cdefghijkl", "c": "ijklmnopqr"], "abcdefghijklmnopqr", "‹secret.a›‹secret.b›‹secret.c›"),
    (["a": "xxabcdefghxx", "b": "abcdefgh"], "xxabcdefghxx abcdefgh", "‹secret.a› ‹secret.b›"),
    (["a": "abcdefgh", "b": "abcdefgh"], "abcdefgh", "‹secret.a›"),
    (["a": "abcdefgh"], "abcdefg abcdefg", "abcdefg abcdefg"),
    (["a": "abcdefgh"], "abcdefghabcdefgh", "‹secret.a›‹secret.a›"),
  ]

  @Test("Of values that overlap in a text no part is told", arguments: overlaps)
  func overlap(values: [String: String], text: String, told: String) {
    #expect(Secrets(values).hidden("\(text)|") == "\(told)|")
  }

  @Test(
    "No character of a value that stands in a text is told, however values overlap",
    arguments: 1...20 as ClosedRange<UInt64>)
  func property(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func word(_ length: Int) -> [UInt8] { (0..<length).map { _ in UInt8(ascii: "a") + UInt8(random.next(below: 2)) } }
    for _ in 0..<40 {
      let values = (0..<3).map { _ in word(8 + random.next(below: 4)) }
      var scanner = SecretScanner()
      for value in values { scanner.add(String(decoding: value, as: UTF8.self), shownAs: "#") }
      let text = word(24)
      var kept = text.map { Optional($0) }
      for value in values {
        for start in 0...(text.count - value.count) where text[start...].starts(with: value) {
          for index in start..<start + value.count { kept[index] = nil }
        }
      }
      let told = scanner.hidden(String(decoding: text, as: UTF8.self))
      let expected = String(decoding: kept.compactMap(\.self), as: UTF8.self)
      #expect(told.replacing("#", with: "") == expected, "\(values) in \(text): \(told)")
      #expect(told.contains("#") == kept.contains(nil))
    }
  }

  static let escaped: [(value: String, text: String)] = [
    (#"pass"word\x"#, #"pass\"word\\x"#), ("line\nbreak\ttab", #"line\nbreak\ttab"#),
    ("über/geheim", #"\u00fcber\/geheim"#),
    ("über/geheim", #"\u00FCber/geheim"#), ("a&b<c>d=e", #"a\u0026b\u003cc\u003ed=e"#),
    ("a&b<c>d=e", #"a\u0026b\u003Cc\u003Ed=e"#), ("schlüssel😀1", #"schl\u00fcssel\ud83d\ude001"#),
    ("it's mine!", #"it\u0027s mine!"#), ("control\u{1}char", #"control\u0001char"#),
    ("del\u{7F}ete-me", "del\\u007fete-me"), ("é&è secrets", #"\u00e9\u0026\u00e8 secrets"#),
  ]

  @Test(
    "A value is found as any library escapes it for JSON: slashes, what is not ASCII, what HTML would take",
    arguments: escaped)
  func json(value: String, text: String) {
    let secrets = Secrets(["key": value])
    #expect(secrets.hidden(#"{"k":"\#(text)"}"#) == #"{"k":"‹secret.key›"}"#)
    #expect(secrets.hidden("<\(value)>") == "<‹secret.key›>")
  }

  @Test("A value that was added twice is looked for until it was removed twice")
  func uses() {
    var scanner = SecretScanner()
    for _ in 0..<2 { scanner.add("p@ss/word ü", shownAs: "#") }
    let forms = scanner.count
    #expect(forms > 1)
    scanner.remove("p@ss/word ü")
    #expect(scanner.count == forms && scanner.hidden("p@ss/word ü!") == "#!")
    scanner.remove("p@ss/word ü")
    #expect(scanner.count == 0 && scanner.hidden("p@ss/word ü!") == "p@ss/word ü!")
    scanner.remove("never added")
    scanner.add("short", shownAs: "#")
    #expect(scanner.count == 0)
  }

  @Test(
    "The shortest value that is looked for has eight bytes, not letters",
    arguments: [
      ("1234567", false), ("12345678", true), ("üüü", false), ("üüüü", true),
    ])
  func shortest(value: String, isFound: Bool) {
    #expect(Secrets(["a": value]).hidden("<\(value)>").contains("secret") == isFound)
    #expect(Secrets(["a": value]).hidden(value) == "‹secret.a›")
  }

  @Test("Long texts without a value come back as they are, those full of beginnings of one, too")
  func long() {
    let secrets = Secrets(["a": "aaaaaaab", "b": "aaaaaaaaaaaaaaab"])
    let text = String(repeating: "a", count: 20_000)
    #expect(secrets.hidden(text) == text)
    #expect(secrets.hidden(text + "b").hasSuffix("a‹secret.b›"))
  }
}
