import Testing

@testable import ScenarioLanguage

/// A misspelled key counts as what it was meant to be, so that nothing follows from it.
@Suite struct MisspelledKeysTests {
  static let cases: [(document: String, problems: [String])] = [
    (
      "mdia: { film: { url: https://e.com/a.mp4 } }\nsteps: [{ load: film }, { expect: { player: idle } }]",
      ["K101 mdia"]
    ),
    (
      "media: { film: { ulr: https://e.com/a.mp4 } }\nsteps: [{ load: film }, { expect: { player: idle } }]",
      ["K101 ulr"]
    ),
    ("stpes: [{ expect: { player: idle } }]", ["K101 stpes"]),
    ("steps: [{ expect: { player: idle } }]\nstpes: [play]", ["K101 stpes"]),
    ("steps: [{ expect: { player: idle } }]\nwhatever: 1", ["K101 whatever"]),
    (
      "matrix: { a: [1, 2], exlude: [{ a: 1 }] }\nsteps: [{ log: \"${matrix.a}\" }, { expect: { player: idle } }]",
      ["K101 exlude"]
    ),
  ]
  @Test("What is misspelled is said once, and is all that is said", arguments: cases)
  func repaired(document: String, problems: [String]) {
    #expect(findings(scenario(document + "\n")) == problems)
  }

  @Test("A document of strange keys is not repaired key by key")
  func unknownKeys() throws {
    let keys = (0..<300).map { "stps\($0): 1\n" }.joined()
    let problems = DiagnosticCollector()
    let root = try #require(YAMLParser.parse(scenario(keys), reportingTo: problems)?.root)
    let repaired = MisspelledKeys.repaired(root, .scenario, reportingTo: problems)
    #expect(problems.diagnostics.count <= 200)
    #expect(repaired.pairs?.count == root.pairs?.count)
  }

  static let trees: [(document: String, tree: String)] = [
    (
      "mdia: { film: { ulr: u, tracks: [{ knd: audio }] } }",
      #"{"media": {"film": {"url": u, "tracks": [{"kind": audio}]}}}"#
    ),
    (
      "steps: [{ load: { mdia: film }, wihtin: 5s }]",
      #"{"steps": [{"load": {"media": film}, "wihtin": 5s}]}"#
    ),
    ("vars: { a: { tpye: int } }", #"{"vars": {"a": {"type": int}}}"#),
    // Not of the shape that the key takes, and a map of something else.
    ("media: { film: { ulr: [u] } }", #"{"media": {"film": {"ulr": [u]}}}"#),
    (
      "media: { film: { a: 1, b: 2, ulr: u } }", #"{"media": {"film": {"a": 1, "b": 2, "ulr": u}}}"#
    ),
    ("secrets: { a: { evn: A } }", #"{"secrets": {"a": {"evn": A}}}"#),
  ]
  @Test("Reading goes on with what was meant, where the value fits it", arguments: trees)
  func tree(document: String, tree: String) throws {
    let problems = DiagnosticCollector()
    let root = try #require(YAMLParser.parse(SourceFile(document), reportingTo: problems)?.root)
    let repaired = MisspelledKeys.repaired(root, .scenario, reportingTo: problems)
    #expect(repaired.flow() == tree)
    #expect(repaired.span == root.span)
  }
}
