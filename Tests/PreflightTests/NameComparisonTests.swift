import Synchronization
import Testing
import WebClient

@testable import Preflight

/// Names as a table.
final class ScriptedNames: NameLookup {
  private let table: [String: [String]]
  private let asked = Mutex<[String]>([])

  init(_ table: [String: [String]]) { self.table = table }

  var questions: [String] { asked.withLock { $0 } }

  func addresses(of name: String, within limit: Duration) async throws(WebError) -> [String] {
    asked.withLock { $0.append(name) }
    guard let addresses = table[name] else { throw WebError(.timeout, "the name server did not answer in time") }
    return addresses
  }
}

/// What a device finds otherwise than this computer.
@Suite struct NameComparisonTests {
  static let answers: [(name: String, ours: [String], theirs: [String], codes: [String])] = [
    ("the same", ["192.0.2.1"], ["192.0.2.1"], []), ("some the same", ["192.0.2.1", "192.0.2.2"], ["192.0.2.2"], []),
    ("a site of many servers", ["192.0.2.1"], ["198.51.100.7"], []),
    ("known here only", ["192.168.1.5"], [], ["error name_local"]), ("known nowhere", [], [], ["error name_local"]),
    ("known there only", [], ["192.0.2.1"], []),
    ("inside here", ["192.168.1.5"], ["198.51.100.7"], ["warning name_differs"]),
    ("inside there", ["192.0.2.1"], ["10.0.0.1"], ["warning name_differs"]),
    ("two inside", ["192.168.1.5"], ["10.0.0.1"], []),
    ("six inside", ["fd00::1"], ["2001:db8::1"], ["warning name_differs"]),
  ]

  @Test(
    "A name that devices do not find is an error, one that leads them elsewhere a warning", arguments: answers.indices)
  func comparison(index: Int) throws {
    let (name, ours, theirs, codes) = Self.answers[index]
    let url = try WebURL(parsing: "https://media.example.com/a.mp4")
    let found = NameComparison.findings(ours: ours, theirs: theirs, title: "8.8.8.8", url)
    #expect(found.map { "\($0.severity.rawValue) \($0.code.rawValue)" } == codes, "\(name)")
    #expect(found.allSatisfy { $0.text.contains("8.8.8.8") && $0.text.contains("media.example.com") && $0.help != nil })
  }

  static let insides: [(address: String, isInside: Bool)] = [
    ("10.1.2.3", true), ("172.16.0.1", true), ("172.32.0.1", false), ("192.168.0.9", true), ("169.254.1.1", true),
    ("100.64.0.1", true), ("100.128.0.1", false), ("127.0.0.1", true), ("8.8.8.8", false), ("::1", true),
    ("fe80::1", true), ("fd12::1", true), ("2001:db8::1", false), ("x", false),
  ]

  @Test("Which addresses are of no use outside", arguments: insides)
  func inside(address: String, isInside: Bool) { #expect(NameComparison.isInside(address) == isInside) }

  @Test("Each name is asked for once, addresses and names that are local anyway never")
  func once() async {
    let film: [UInt8] = [0, 0, 0, 24] + Array("ftypmp42".utf8)
    let urls = [
      "https://a.example.com/1", "https://a.example.com/2", "http://192.0.2.1/3", "http://nas.local/4",
      "https://b.example.com/5",
    ]
    let answer = WebResponse(status: 206, headers: [.init("Content-Type", "video/mp4")], body: film)
    let web = ScriptedWeb(answers: Dictionary(uniqueKeysWithValues: urls.map { ($0, answer) }))
    let theirs = ScriptedNames(["a.example.com": []])
    let ours = ScriptedNames(["a.example.com": ["192.168.1.5"]])
    let names = NameComparison(theirs, title: "8.8.8.8", system: ours)
    let prober = Prober(web, ProbeRules(playsAt: 1_795_521_600), names: names)
    var told: [String] = []
    for url in urls {
      told.append(await prober.probe(ProbeSubject(url)).findings.map(\.code.rawValue).joined())
    }
    #expect(told == ["name_local", "name_local", "", "name_local", "skipped"])
    #expect(theirs.questions == ["a.example.com", "b.example.com"] && ours.questions == ["a.example.com"])
  }
}
