import CastProtocol
import Testing

@testable import ScenarioLanguage

/// The limits and the words of names with a spelling of their own (docs/language/values.md "Spellings").
@Suite struct NameScalarTests {
  static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  static let usage = "help: small letters, digits, `_` and `-`, not a digit first"

  static let ids: [(text: String, words: String)] = [
    ("a", "a"), ("_", "_"), ("a-1_b", "a-1_b"), ("big_yellow", "big_yellow"), (repeated("a", 64), repeated("a", 64)),
    (repeated("a", 65), "T219: `\(repeated("a", 60))…` is too long for an id | at most 64 letters"),
    ("", "T219: an id is empty | \(usage)"),
    (
      "Big Yellow",
      "T219: `Big Yellow` is not an id | not allowed as its first letter | at 0..<1 | help: write `big_yellow`"
    ),
    ("a b", "T219: `a b` is not an id | not allowed | at 1..<2 | help: write `a_b`"),
    ("aB", "T219: `aB` is not an id | not allowed | at 1..<2 | help: write `ab`"),
    ("1a", "T219: `1a` is not an id | not allowed as its first letter | at 0..<1 | help: write `_1a`"),
    ("-a", "T219: `-a` is not an id | not allowed as its first letter | at 0..<1 | help: write `a`"),
    ("a.b", "T219: `a.b` is not an id | not allowed | at 1..<2 | help: write `a_b`"),
    // Nothing of it would be left.
    ("é", "T219: `é` is not an id | not allowed as its first letter | at 0..<1 | \(usage)"),
    ("映画", "T219: `映画` is not an id | not allowed as its first letter | at 0..<1 | \(usage)"),
    ("a\u{202E}", "T219: `a\\u{202E}` is not an id | not allowed | at 1..<2 | help: write `a_`"),
  ]

  @Test("An id has small letters, digits, _ and -, at most 64", arguments: ids)
  func id(text: String, words: String) { #expect(ScalarWords.of { try NameScalar.id(text) } == words) }

  @Test("A variable's name has no hyphen, since it stands in `${ }`")
  func variable() {
    #expect(
      ScalarWords.of { try NameScalar.id("my-cdn", isVariable: true) }
        == "T219: `my-cdn` is not a variable's name | not allowed | at 2..<3 | help: write `my_cdn`")
    #expect(
      ScalarWords.of { try NameScalar.id("", isVariable: true) }
        == "T219: an id is empty | help: small letters, digits and `_`, not a digit first")
  }

  static let bcp = "help: BCP 47, such as `en`, `no`, `pt-BR`"

  static let languages: [(text: String, words: String)] = [
    ("en", "en"), ("nds", "nds"), ("zh-Hant-TW", "zh-Hant-TW"), ("en-abcdefgh", "en-abcdefgh"), ("es-419", "es-419"),
    ("de-1-2-3-4-5-6-7", "de-1-2-3-4-5-6-7"),
    ("english", "T222: `english` is not a language tag | did you mean `en`? | \(bcp)"),
    ("Norwegian", "T222: `Norwegian` is not a language tag | did you mean `no`? | \(bcp)"),
    ("en_GB", "T222: `en_GB` is not a language tag | did you mean `en-GB`? | \(bcp)"),
    ("en_", "T222: `en_` is not a language tag | \(bcp)"), ("x", "T222: `x` is not a language tag | \(bcp)"),
    ("abcd", "T222: `abcd` is not a language tag | \(bcp)"), ("4n", "T222: `4n` is not a language tag | \(bcp)"),
    ("en-", "T222: `en-` is not a language tag | \(bcp)"),
    ("en-abcdefghi", "T222: `en-abcdefghi` is not a language tag | \(bcp)"),
    ("de-1-2-3-4-5-6-7-8", "T222: `de-1-2-3-4-5-6-7-8` is not a language tag | \(bcp)"),
    ("", "T222: `` is not a language tag | \(bcp)"),
  ]

  @Test("A language is a BCP 47 tag", arguments: languages)
  func language(text: String, words: String) { #expect(ScalarWords.of { try NameScalar.language(text) } == words) }

  static let mimeUsage = "help: such as `video/mp4` or `application/x-mpegurl`"

  static let mimes: [(text: String, words: String)] = [
    ("video/mp4", "video/mp4"), ("application/vnd.apple.mpegurl", "application/vnd.apple.mpegurl"),
    ("video/mp4; codecs=\"avc1\"", "video/mp4; codecs=\"avc1\""),
    ("a/" + repeated("b", 198), "a/" + repeated("b", 198)),
    ("a/" + repeated("b", 199), "T222: `a/\(repeated("b", 58))…` is not a MIME type | \(mimeUsage)"),
    ("mp4", "T222: `mp4` is not a MIME type | did you mean `video/mp4`? | \(mimeUsage)"),
    (".VTT", "T222: `.VTT` is not a MIME type | did you mean `text/vtt`? | \(mimeUsage)"),
    ("a/b/c", "T222: `a/b/c` is not a MIME type | \(mimeUsage)"),
    ("video", "T222: `video` is not a MIME type | \(mimeUsage)"),
    ("video/", "T222: `video/` is not a MIME type | \(mimeUsage)"),
    ("video /mp4", "T222: `video /mp4` is not a MIME type | \(mimeUsage)"),
  ]

  @Test("A MIME type has two parts, and an extension is known for what it stands for", arguments: mimes)
  func mime(text: String, words: String) { #expect(ScalarWords.of { try NameScalar.mime(text) } == words) }

  static let namespace = "urn:x-cast:"

  static let spelled: [(kind: String, text: String, isRight: Bool)] = [
    ("urn", namespace + "a", true), ("urn", namespace, false), ("urn", namespace + repeated("a", 117), true),
    ("urn", namespace + repeated("a", 118), false), ("urn", namespace + "a b", false), ("urn", namespace + "é", false),
    ("urn", "URN:X-CAST:a", false),
    ("urn", "x-cast", false),
    ("app", "CC1AD845", true), ("app", "10E45678", true), ("app", "a b", false), ("app", "com.example.TV_1-a", true),
    ("app", repeated("a", 64), true),
    ("app", repeated("a", 65), false), ("app", "", false), ("app", "a/b", false), ("app", "é", false),
    ("zone", "Paris", false), ("zone", "../etc/passwd", false), ("zone", "America/Argentina/Buenos_Aires", true),
    ("zone", "Etc/GMT+5", true), ("zone", "UTC", true),
    ("zone", "utc", false), ("zone", "A/B/C/D", false), ("zone", "Europe/", false), ("zone", "/Europe", false),
    ("zone", "Europe/Par is", false), ("zone", "A/" + repeated("b", 62), true),
    ("zone", "A/" + repeated("b", 63), false),
  ]

  @Test("Namespaces, app ids and zones are right up to their limits", arguments: spelled)
  func checksSpelled(kind: String, text: String, isRight: Bool) {
    let words = ScalarWords.of {
      switch kind {
      case "urn": try NameScalar.urn(text)
      case "app": try NameScalar.appID(text)
      default: try NameScalar.timeZone(text)
      }
    }
    let code = kind == "zone" ? "T218: " : "T222: "
    #expect(words.hasPrefix(code) != isRight, "\(words)")
  }

  static let hosts: [(text: String, host: String, port: Int)] = [
    ("192.0.2.14", "192.0.2.14", 8009), ("192.0.2.14:8010", "192.0.2.14", 8010), ("192.0.2.14:1", "192.0.2.14", 1),
    ("tv.example.com", "tv.example.com", 8009), ("2001:db8::1", "2001:db8::1", 8009),
    ("[2001:db8::1]:9", "2001:db8::1", 9), ("[2001:db8::1]", "2001:db8::1", 8009), ("tv:65535", "tv", 65_535),
    ("tv:08009", "tv", 8009), ("my_tv.local", "my_tv.local", 8009), ("fe80::1%eth0", "fe80::1%eth0", 8009),
    (repeated("a", 253), repeated("a", 253), 8009),
  ]

  @Test("An address has a port where it says one, and brackets where it is IPv6 with a port", arguments: hosts)
  func host(text: String, host: String, port: Int) throws {
    #expect(try NameScalar.host(text) == HostAndPort(host: host, port: port))
  }

  @Test(
    "What is no address is refused",
    arguments: [
      "tv:", "tv:0", "tv:65536", "tv:123456", "[::1", "[tv]", "[::1]x", "[::1]:", "[]", ":8009", "a b", "tv/x", "é",
      repeated("a", 254), "",
    ])
  func noHost(text: String) { #expect(ScalarWords.of { try NameScalar.host(text) }.hasPrefix("T222: ")) }

  @Test(
    "An abbreviation is told that it does not say when clocks change",
    arguments: [("CET", true), ("GMT", true), ("PSTxx", false), ("Z", false), ("EUROPE", false)])
  func abbreviation(text: String, isShort: Bool) {
    let note = isShort ? " | note: an abbreviation does not say when clocks change" : ""
    #expect(
      ScalarWords.of { try NameScalar.timeZone(text) }
        == "T218: `\(text)` is not a time zone | help: an IANA name such as `Europe/Paris`, or `UTC`" + note)
  }

  @Test(
    "Eight digits and capitals need no entry under apps",
    arguments: [
      ("CC1AD845", true), ("10E45678", true), ("00000000", true), ("cc1ad845", false), ("CC1AD84G", false),
      ("CC1AD84", false), ("CC1AD8455", false),
    ])
  func plainAppID(text: String, isPlain: Bool) { #expect(NameScalar.isPlainAppID(text) == isPlain) }
}
