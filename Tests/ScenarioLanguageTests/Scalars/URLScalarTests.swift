import Testing

@testable import ScenarioLanguage

/// URLs taken apart, and what is no URL at all (docs/language/values.md "Spellings").
@Suite struct URLScalarTests {
  static let usage =
    "help: `https://host/path` or `http://host/path`; for media also `file:path` next to this document"

  static let words: [(text: String, words: String)] = [
    (
      "media.example.com/a.mp4",
      "T215: `media.example.com/a.mp4` is not a URL | did you mean `https://media.example.com/a.mp4`? | \(usage)"
    ),
    (
      "media.example.com:8080/a.mp4",
      "T215: `media.example.com:8080/a.mp4` is not a URL | did you mean `https://media.example.com:8080/a.mp4`? | \(usage)"
    ),
    (
      "localhost:3000",
      "T215: `localhost:3000` is not a URL | did you mean `http://localhost:3000`? | \(usage)"
    ),
    (
      "//cdn.example.com/a.mp4",
      "T215: `//cdn.example.com/a.mp4` is not a URL | did you mean `https://cdn.example.com/a.mp4`? | \(usage)"
    ),
    ("https//e.com/a", "T215: `https//e.com/a` is not a URL | did you mean `https://e.com/a`? | \(usage)"),
    ("https:e.com/a", "T215: `https:e.com/a` is not a URL | did you mean `https://e.com/a`? | \(usage)"),
    ("http:/e.com/a", "T215: `http:/e.com/a` is not a URL | did you mean `http://e.com/a`? | \(usage)"),
    ("https:/a", "T215: `https:/a` is not a URL | no `//` after the scheme | \(usage)"),
    ("https:film", "T215: `https:film` is not a URL | no `//` after the scheme | \(usage)"),
    ("mailto:a@example.com", "T215: `mailto:a@example.com` is not a URL | no `//` after the scheme | \(usage)"),
    ("./a.mp4", "T215: `./a.mp4` is not a URL | did you mean `file:a.mp4`? | \(usage)"),
    ("../a.mp4", "T215: `../a.mp4` is not a URL | no scheme | \(usage)"),
    ("/a.mp4", "T215: `/a.mp4` is not a URL | no scheme | \(usage)"),
    ("$cdn/a.mp4", "T215: `$cdn/a.mp4` is not a URL | a variable is put in by `${name}` | \(usage)"),
    ("{{ cdn }}/a.mp4", "T215: a URL has no spaces or control characters | write `%20` for a space | at 2..<3"),
    ("{{cdn}}/a.mp4", "T215: `{{cdn}}/a.mp4` is not a URL | a variable is put in by `${name}` | \(usage)"),
    ("https://e.com/a b", "T215: a URL has no spaces or control characters | write `%20` for a space | at 15..<16"),
    ("https://é.com/\u{7F}", "T215: a URL has no spaces or control characters | write `%20` for a space | at 14..<15"),
    ("https:///a", "T215: `https:///a` is not a URL | no host | \(usage)"),
    ("https://", "T215: `https://` is not a URL | no host | \(usage)"),
    ("https://[::1/", "T215: `https://[::1/` is not a URL | no host | \(usage)"),
    ("://x", "T215: `://x` is not a URL | no scheme | \(usage)"),
    ("https://?a", "T215: `https://?a` is not a URL | no host | \(usage)"),
    ("https://u@/a", "T215: `https://u@/a` is not a URL | no host | \(usage)"),
    ("https://:80/a", "T215: `https://:80/a` is not a URL | no host | \(usage)"),
    ("https://[]/a", "T215: `https://[]/a` is not a URL | no host | \(usage)"),
    ("https://[::1]x/a", "T215: `https://[::1]x/a` is not a URL | no host | \(usage)"),
    ("https://e.com:/a", "T215: `https://e.com:/a` has no valid port | 1 to 65535"),
    ("https://e.com:0/a", "T215: `https://e.com:0/a` has no valid port | 1 to 65535 | at 14..<15"),
    ("https://e.com:65536/a", "T215: `https://e.com:65536/a` has no valid port | 1 to 65535 | at 14..<19"),
    ("https://[::1]:99999", "T215: `https://[::1]:99999` has no valid port | 1 to 65535 | at 14..<19"),
    ("file:", "T215: `file:` takes a path relative to this document | help: such as `file:assets/logo.png`"),
    (
      "file:///srv/a.mp4", "T215: `file:` takes a path relative to this document | help: such as `file:assets/logo.png`"
    ),
    ("", "T215: `` is not a URL | no scheme | \(usage)"), (":", "T215: `:` is not a URL | no scheme | \(usage)"),
    ("1a://e.com", "T215: `1a://e.com` is not a URL | no scheme | \(usage)"),
  ]

  @Test("What is no URL says what to write", arguments: words)
  func checksWords(text: String, words: String) { #expect(ScalarWords.of { try URLScalar.read(text) } == words) }

  static let parts: [(text: String, scheme: String, host: String?, rest: String)] = [
    ("https://u:p@cdn.example.com:8443/a?b=c@d", "https", "cdn.example.com", "8443 /a?b=c@d"),
    ("HTTPS://[2001:db8::1]/a", "HTTPS", "2001:db8::1", " /a"),
    ("http://[2001:db8::1]:8000/a?b#c", "http", "2001:db8::1", "8000 /a?b#c"),
    ("http://映画.example/a", "http", "映画.example", " /a"), ("rtsp+x-1.0://h", "rtsp+x-1.0", "h", " "),
    ("file:assets/logo.png", "file", nil, " assets/logo.png"), ("htps://x/a", "htps", "x", " /a"),
    ("http://h:65535#x", "http", "h", "65535 #x"), ("http://h:1", "http", "h", "1 "),
    ("https://u:p@h", "https", "h", " "),
  ]

  @Test("A URL is taken apart, and the places of scheme and host are their characters", arguments: parts)
  func checksParts(text: String, scheme: String, host: String?, rest: String) throws {
    let url = try URLScalar.read(text)
    #expect("\(url.port.map(String.init) ?? "") \(url.path)" == rest)
    func quoted(_ range: Range<Int>) -> String {
      String(String.UnicodeScalarView(Array(text.unicodeScalars)[range]))
    }
    #expect(quoted(url.schemeRange) == scheme && url.scheme == scheme)
    #expect(url.hostRange.map(quoted) == host)
    #expect(url.host == host ?? "")
  }

  @Test(
    "A text is meant as a URL when it has a colon or a slash, or begins with a secret",
    arguments: [
      ("film", false), ("film.mp4", false), ("a:b", true), ("a/b", true), ("‹secret.url›", true),
      ("x‹secret.url›", false),
    ])
  func looksLikeURL(text: String, expected: Bool) { #expect(URLScalar.looksLikeURL(text) == expected) }

  @Test("A secret in front stands for scheme and host, one inside for a part of the path")
  func secrets() throws {
    #expect(try URLScalar.read("‹secret.base›/a.mp4").path == "/a.mp4")
    #expect(try URLScalar.read("‹secret.base›").host == "secret")
    #expect(try URLScalar.read("https://e.com/a?t=‹secret.t›").path == "/a?t=‹secret.t›")
    #expect(ScalarWords.of { try URLScalar.read("‹secret.base›a.mp4") }.hasPrefix("T215"))
  }
}
