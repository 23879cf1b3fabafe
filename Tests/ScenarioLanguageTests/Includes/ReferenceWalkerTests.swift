import Testing

@testable import ScenarioLanguage

/// Names of other definitions inside definitions: what a prefix goes in front of, and what `only:` takes along.
@Suite struct ReferenceWalkerTests {
  private static func definitions(_ library: String) throws -> [Definition] {
    let problems = DiagnosticCollector()
    let root = try #require(YAMLParser.parse(SourceFile("library: L\n" + library), reportingTo: problems)?.root)
    return (root.pairs ?? []).flatMap { pair in
      Definition.Key(rawValue: pair.key.text).map { key in
        (pair.value.pairs ?? []).map { Definition(key: key, pair: $0) }
      } ?? []
    }
  }

  /// A definition behind the prefix `b.`, and what it refers to.
  private static func walked(_ library: String, _ name: String) throws -> (text: String, found: Set<String>) {
    let all = try definitions(library)
    var walker = ReferenceWalker(all, prefix: "b.")
    let result = walker.walk(try #require(all.first { $0.name == name }))
    return ("\(result.name): \(result.pair.value.flow())", Set(walker.found.map { "\($0.key.rawValue).\($0.name)" }))
  }

  static let cases: [(library: String, name: String, text: String, found: Set<String>)] = [
    (
      "media: { a: { url: https://e.com/a.mp4 }, c: { like: a, text_style: big } }\ntext_styles: { big: { size: 150% } }",
      "c", #"b.c: {"like": b.a, "text_style": b.big}"#, ["media.a", "text_styles.big"]
    ),
    (
      "vars: { host: x }\nmedia: { a: { url: \"https://${host}/a.mp4\" } }", "a",
      #"b.a: {"url": "https://${b.host}/a.mp4"}"#, ["vars.host"]
    ),
    (
      "apps: { p: A1B2C3D4 }\nblocks: { go: { steps: [{ launch: p }, { launch: default }, { load: other }] } }", "go",
      #"b.go: {"steps": [{"launch": b.p}, {"launch": default}, {"load": other}]}"#, ["apps.p"]
    ),
    (
      "vars: { t: x }\nblocks: { say: { params: { t: }, steps: [{ log: \"${t}\" }] } }", "say",
      #"b.say: {"params": {"t": }, "steps": [{"log": "${t}"}]}"#, []
    ),
    (
      "apps: { p: A1B2C3D4 }\nblocks: { a: { params: { app: { type: app, default: p } }, steps: [{ launch: \"${app}\" }] }, c: { like: a, steps: [{ use: { block: a, with: { app: p, other: p } } }] } }",
      "c",
      #"b.c: {"like": b.a, "steps": [{"use": {"block": b.a, "with": {"app": b.p, "other": p}}}]}"#,
      ["blocks.a", "apps.p"]
    ),
    (
      "vars: { x: 1 }\nblocks: { a: { steps: [{ set: { x: 2, y: 3 } }, { wait_until: { vars: { x: 2 } } }] } }",
      "a",
      #"b.a: {"steps": [{"set": {"b.x": 2, "y": 3}}, {"wait_until": {"vars": {"b.x": 2}}}]}"#,
      ["vars.x"]
    ),
    (
      "apps: { p: A1B2C3D4 }\nvars: { v: { type: app, choices: [p, q], default: p } }", "v",
      #"b.v: {"type": app, "choices": [b.p, q], "default": b.p}"#, ["apps.p"]
    ),
  ]
  @Test("A prefix goes in front of names of the library, and of nothing else", arguments: cases)
  func prefixed(library: String, name: String, text: String, found: Set<String>) throws {
    let walked = try Self.walked(library, name)
    #expect(walked.text == text)
    #expect(walked.found == found)
  }

  @Test("Every node that is looked at is counted")
  func visited() throws {
    let all = try Self.definitions("media: { a: { url: https://e.com/a.mp4, custom: { k: [1, 2, 3] } } }")
    var walker = ReferenceWalker(all, prefix: "b.")
    _ = walker.walk(all[0])
    let once = walker.visited
    _ = walker.walk(all[0])
    #expect(once > 0)
    #expect(walker.visited == 2 * once)
  }

  @Test("A long text that gets prefixes counts as many nodes, so that copies of it come to an end")
  func copied() throws {
    let text = String(repeating: "${x}", count: 10_000)
    let all = try Self.definitions("vars: { x: 1, y: \"\(text)\" }")
    var finding = ReferenceWalker(all)
    _ = finding.walk(all[1])
    #expect(finding.visited == 1, "nothing is copied to find names")
    var walker = ReferenceWalker(all, prefix: "b.")
    let result = walker.walk(all[1])
    #expect(result.pair.value.text?.utf8.count == 60_000)
    #expect(walker.visited > 60_000 / 100)
  }
}
