import CastProtocol
import Testing

@testable import ScenarioLanguage

/// What `check` accepts the editor schema accepts, too: else an editor underlines what is right.
@Suite struct SchemaAgreementTests {
  static let judge = SchemaJudge(SchemaWriter.schema())

  private static func root(_ text: String) -> YAMLNode? {
    var problems = DiagnosticCollector()
    return YAMLParser.parse(SourceFile(text), reportingTo: &problems)?.root
  }

  private static func compiles(_ text: String, _ path: String) -> Bool {
    let source = SourceFile(name: path, bytes: Array(text.utf8))
    return PlanCompiler.compile(source, inputs: TestFiles.inputs).document != nil
  }

  @Test(
    "The schema accepts every valid document, as written and with every value in quotes", arguments: TestFiles.valid)
  func valid(document: TestFiles.Document) throws {
    let root = try #require(Self.root(String(decoding: document.bytes, as: UTF8.self)))
    #expect(Self.judge.complaint(about: root.editorValue) == nil)
    let quoted = root.flow(isQuoted: true)
    if Self.compiles(quoted, document.path) {
      #expect(Self.judge.complaint(about: try #require(Self.root(quoted)).editorValue) == nil)
    }
  }

  @Test(
    "The schema accepts a variable wherever check does: in place of every map, list and value of every valid document",
    arguments: TestFiles.valid)
  func variables(document: TestFiles.Document) throws {
    let root = try #require(Self.root(String(decoding: document.bytes, as: UTF8.self)))
    let pairs = try #require(root.pairs)
    let place = root.span
    func plain(_ text: String) -> YAMLNode { YAMLNode(.scalar(.init(text: text, style: .doubleQuoted)), span: place) }
    let variables = pairs.firstIndex { $0.key.text == "vars" }
    let fixed = ["vars", "secrets", "include", "matrix", "blocks"].compactMap { name in
      pairs.firstIndex { $0.key.text == name }
    }
    var accepted = 0
    for (path, node) in root.descendants where !fixed.contains(path[0]) && !node.isEmpty {
      var changed = root.replacing(path[...], with: plain("${_v}"))
      guard var entries = changed.pairs else { continue }
      let declared = YAMLNode.Pair(key: .init(text: "_v", span: place), value: node)
      if let variables {
        entries[variables].value = YAMLNode(
          .mapping((entries[variables].value.pairs ?? []) + [declared]), span: place)
      } else {
        entries.append(
          YAMLNode.Pair(key: .init(text: "vars", span: place), value: YAMLNode(.mapping([declared]), span: place)))
      }
      changed.content = .mapping(entries)
      let text = changed.flow()
      guard Self.compiles(text, document.path), let read = Self.root(text) else { continue }
      accepted += 1
      let complaint = Self.judge.complaint(about: read.editorValue)
      #expect(complaint == nil, "\(node.flow().prefix(200)) at \(node.span.line):\(node.span.column)")
    }
    // A library has little besides what is written out; every other document has places for variables.
    #expect(accepted > 3 || document.path.contains("/lib"))
  }

  @Test(
    "The schema refuses what check refuses",
    arguments: [
      "steps: [{ repeat: { times: 2, at_most: 3, steps: [play] } }]", "steps: [{ choose: [{ if: { player: idle } }] }]",
      "steps: [{ queue_remove: [1, 1] }]", "steps: [{ queue_remove: { items: [1, 1] } }]",
      "steps: [{ expect: { break: { time: { advances: { at_least: 1s, over: 2s } } } } }]",
      "steps: [{ expect: { custom: { a: 1 } } }, { expect: { duration: { advances: { at_least: 1s, over: 2s } } } }]",
      "devices: { match: { tag: a }, at_least: x }\nsteps: [play]", "steps: [{ launch: [a] }]",
      "media: { a: { url: https://a.example/a.mp4, content_id: [x] } }\nsteps: [play]",
      "inventory: { a: { name: X, expect: [flying] } }\nsteps: [play]",
    ])
  func refused(lines: String) throws {
    let text = "scenario: S\n\(lines.contains("devices:") ? "" : "device: TV\n")\(lines)\n"
    #expect(!Self.compiles(text, "lobby.yaml"))
    #expect(Self.judge.complaint(about: try #require(Self.root(text)).editorValue) != nil)
  }
}
