import CastProtocol
import Testing

@testable import ScenarioLanguage

/// What `check` accepts the editor schema accepts, too: else an editor underlines what is right.
@Suite struct SchemaAgreementTests {
  static let judge = SchemaJudge(SchemaWriter.schema())

  private static func root(_ text: String) -> YAMLNode? {
    let problems = DiagnosticCollector()
    return YAMLParser.parse(SourceFile(text), reportingTo: problems)?.root
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

  private static let fixedKeys = ["vars", "secrets", "include", "matrix", "blocks"]

  /// The places of each document that no three documents before it have: the tenth step of a kind stands where the
  /// first does.
  private static let places: [String: [[Int]]] = {
    var seen: [String: Int] = [:]
    var places: [String: [[Int]]] = [:]
    for document in TestFiles.valid {
      guard let root = root(String(decoding: document.bytes, as: UTF8.self)), let pairs = root.pairs else { continue }
      let fixed = fixedKeys.compactMap { name in pairs.firstIndex { $0.key.text == name } }
      var own: Set<String> = []
      for (path, node) in root.descendants where !fixed.contains(path[0]) && !node.isEmpty {
        let place = "\(root.place(of: path[...])) \(node.shape)"
        guard own.insert(place).inserted else { continue }
        seen[place, default: 0] += 1
        if seen[place, default: 0] <= 3 { places[document.path, default: []].append(path) }
      }
    }
    return places
  }()

  @Test(
    "The schema accepts a variable wherever check does: in place of a map, list and value of every place of the valid documents",
    arguments: TestFiles.valid)
  func variables(document: TestFiles.Document) throws {
    let root = try #require(Self.root(String(decoding: document.bytes, as: UTF8.self)))
    let pairs = try #require(root.pairs)
    let place = root.span
    func plain(_ text: String) -> YAMLNode { YAMLNode(.scalar(.init(text: text, style: .doubleQuoted)), span: place) }
    let variables = pairs.firstIndex { $0.key.text == "vars" }
    var accepted = 0
    let places = Set(Self.places[document.path] ?? [])
    for (path, node) in root.descendants where places.contains(path) {
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
    #expect(accepted > 0 || places.count < 10 || document.path.contains("/lib"))
  }

  private static func document(_ lines: String) -> String {
    let text = lines.replacing("\\n", with: "\n")
    let isPlaylist = text.hasPrefix("program:") || text.contains("\nprogram:")
    let kind = isPlaylist ? "playlist: P\n" : "scenario: S\n"
    let hasDevice = text.contains("devices:") || text.contains("roles: {")
    return "\(kind)\(hasDevice ? "" : "device: TV\n")\(text)\n"
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
    ] + limits)
  func refused(lines: String) throws {
    let text = Self.document(lines)
    #expect(!Self.compiles(text, "lobby.yaml"))
    #expect(Self.judge.complaint(about: try #require(Self.root(text)).editorValue) != nil)
  }

  @Test("The schema accepts what check accepts, up to the very limits", arguments: withinLimits)
  func accepted(lines: String) throws {
    let text = Self.document(lines)
    #expect(Self.compiles(text, "lobby.yaml"))
    #expect(Self.judge.complaint(about: try #require(Self.root(text)).editorValue) == nil)
  }

  /// Values just outside of what a field takes: percentages, counts, durations, words, and lists of nothing.
  static let limits =
    [
      // Levels and other percentages.
      "volume.level: 110%", "volume.level: -1%", "volume.level: { min: 110% }", "volume.level: { max: -1% }",
      "volume.level: { above: 100% }", "volume.level: { below: 0% }", "volume.level: { about: 110% }",
      "volume.level: { not: 110% }", "volume.level: { not: { min: 110% } }", "volume.level: { one_of: [40%, 110%] }",
      "volume: { level: { min: 110% } }", "stream_volume: { level: { min: 110% } }", "volume.level: { min: +1% }",
      "volume.level: { min: 05% }", "volume.level: { about: 40%, tolerance: -1% }", "volume.level: { tolerance: 1% }",
      "volume.level: { plus: 1% }", "volume.level: { min: 40%, plus: +1% }", "text_style.size: { min: +1% }",
      // Durations.
      "position: -1s", "position: live", "position: { min: -1s }", "position: { min: +1s }",
      "position: { about: 10s, tolerance: -1s }", "position: { about: 10s, tolerance: +1s }",
      "position: { advances: { at_least: 1s, over: 0s } }", "position: { advances: { at_least: live, over: 1s } }",
      "position: { advances: { at_least: +1s, over: 1s } }",
      // Numbers and counts.
      "queue.current: 1.5", "queue: { current: 1.5 }", "queue.current: { min: 1.5 }",
      "rate: { about: 2, tolerance: -1 }",
      "rate: { min: 2, tolerance: 1 }", "active_tracks: { count: 1.5 }", "active_tracks: { count: x }",
      "active_tracks: { count: { has: 1 } }", "active_tracks: { count: { one_of: [] } }",
      "active_tracks: { count: { min: 1.5 } }", "active_tracks: { count: { changed: true } }",
      // Words.
      "player: { not: flying }", "player: { one_of: [flying] }", "commands: { has: [flying] }", "active_tracks: en",
      "active_tracks: { one_of: [en] }", "device: { flying: true }", "device: { name: { changed: true } }",
      "volume: { exists: maybe }", "volume.flying: 1", "queue: { current: { not: x } }",
      // Nothing.
      "app.id: { one_of: [] }", "player: { one_of: [] }", "volume.level: { one_of: [] }", "muted: { one_of: [] }",
      "metadata: { one_of: [] }", "custom: { one_of: [] }", "custom: { a: { one_of: [] } }", "volume: { one_of: [] }",
      "raw.media./status/0/a: { one_of: [] }", "device: { name: { one_of: [] } }", "all: []", "any: []", "vars: {}",
      "device: {}", "volume: {}",
    ].map { "steps: [{ expect: { \($0) } }]" }
    + [
      "volume: 110%", "volume: -1%", "volume: 100.5%", "volume: 05%", "volume: { to: 110% }", "rate: 0", "rate: -1",
      "rate: \"0\"", "rate: { to: 0 }", "rate: { by: 0x }", "rate: { by: 0 }",
      "load: { media: https://a.example/a.mp4, rate: 0 }", "play: {}, retry: { jitter: 200% }",
      "play: {}, retry: { jitter: -1% }", "play: {}, retry: 0", "play: {}, retry: \"0\"", "play: {}, retry: \"10001\"",
      "play: {}, retry: { factor: \"0.5\" }", "play: {}, retry: { factor: \"100.5\" }",
      "repeat: { times: 0, steps: [play] }", "repeat: { times: 10001, steps: [play] }",
      "repeat: { times: \"0\", steps: [play] }", "repeat: { times: \"10001\", steps: [play] }",
      "discover: { at_least: \"-1\" }", "discover: { for: -1s }", "wait: -1s", "expect: { player: idle }, within: -1s",
      "seek: -10s", "expect_sequence: []", "choose: []", "queue: []", "queue: { items: [] }", "queue_remove: []",
      "queue_insert: { items: [] }", "queue_reorder: { items: [] }", "exec: { command: [] }", "set: {}",
      "log: \"\"", "play: {}, name: \"\"", "launch: \"\"", "expect: {}",
    ].map { "steps: [{ \($0) }]" }
    + [
      "language: \"2\"\nsteps: [play]", "devices: []\nsteps: [play]", "roles: {}\nsteps: [play]",
      "roles: { a: A, b: B }\nsteps: [{ expect_together: { roles: [], that: { player: idle } } }]",
      "roles: { a: A, b: B }\nsteps: [{ expect_together: { roles: [a], that: { player: idle } } }]",
      "text_styles: { a: { size: 24% } }\nsteps: [play]", "text_styles: { a: { size: 401% } }\nsteps: [play]",
      "text_styles: { a: { size: 400.5% } }\nsteps: [play]",
      "text_styles: { a: { color: black/110% } }\nsteps: [play]",
      "text_styles: { a: { window: rounded, window_radius: \"1001\" } }\nsteps: [play]",
      "volume: 110%\nprogram: [{ play: [https://a.example/a.jpg] }]", "program: []", "program: [{ play: [] }]",
      "program: [{ play: [https://a.example/a.jpg] }]\nfallback: []",
      "program: [{ during: { hours: [] }, play: [https://a.example/a.jpg] }]",
    ]

  /// Values on the limit, and what may be written although it looks as if it could not.
  static let withinLimits =
    [
      "volume.level: 100%", "volume.level: 0%", "volume.level: -0%", "volume.level: 99.9%", "volume.level: 100.0%",
      "volume.level: { min: 100% }", "volume.level: { min: -5% }", "volume.level: { max: 110% }",
      "volume.level: { max: 0% }", "volume.level: { above: 99.9% }", "volume.level: { below: 0.1% }",
      "volume.level: { below: 110% }", "volume.level: { above: -1% }", "volume.level: { min: 110%, plus: -20% }",
      "volume.level: { about: 40%, tolerance: 0% }", "volume.level: { min: 3%, plus: -1% }",
      "volume.level: { one_of: [0%, 100%] }", "position: { min: 0s }", "position: { about: 10s, plus: +1s }",
      "position: { about: 10s, plus: 1s }", "position: { about: 10s, plus: -1s }", "duration: live",
      "duration: { not: live }", "position: { advances: { at_least: 0s, over: 1s } }",
      "position: { advances: { at_least: 1s, over: 0h2s } }", "queue.current: { about: 3, tolerance: 1.5 }",
      "queue.current: { min: 3, plus: -1.5 }", "active_tracks: { has: [] }", "active_tracks: { only: [] }",
      "active_tracks: []", "active_tracks: { not: [] }", "active_tracks: { one_of: [[a], [b]] }",
      "active_tracks: { count: -1 }", "active_tracks: { count: { exists: true } }", "queue: { count: 0 }",
      "queue: { count: { changed: true } }",
      "custom: { a: 1, one_of: [] }", "custom: { a: { b: 1, one_of: [] } }", "custom: { a: 1, exists: maybe }",
      "volume: { changed: true }", "title: \"\"", "title: { contains: \"\" }", "title: { one_of: [\"\"] }",
      "player: { contains: flying }", "video.hdr: { one_of: [x] }", "break: { count: 0 }", "break: none",
      "commands: { has: [pause] }", "device: { name: { exists: true } }",
    ].map { "steps: [{ expect: { \($0) } }]" }
    + [
      "volume: 0%", "volume: 100%", "volume: -0%", "volume: 100.0%", "volume: 99.9%", "rate: 0.5", "rate: \"0.5\"",
      "rate: { by: 0.9x }", "rate: { by: 2 }", "play: {}, retry: 10000", "play: {}, retry: \"10000\"",
      "play: {}, retry: { factor: \"1\" }", "play: {}, retry: { factor: \"100.0\" }",
      "play: {}, retry: { factor: \"99.9\" }", "repeat: { times: \"1\", steps: [play] }",
      "repeat: { times: \"10000\", steps: [play] }", "repeat: { times: \"909\", steps: [play] }",
      "discover: { at_least: \"0\" }", "discover: { at_least: \"10000\" }", "tracks: []",
    ].map { "steps: [{ \($0) }]" }
    + [
      "text_styles: { a: { size: 25% } }\nsteps: [play]", "text_styles: { a: { size: 400% } }\nsteps: [play]",
      "text_styles: { a: { size: 399.9% } }\nsteps: [play]",
      "text_styles: { a: { color: black/100% } }\nsteps: [play]",
      "text_styles: { a: { color: black/075% } }\nsteps: [play]",
      "text_styles: { a: { window: rounded, window_radius: \"1000\" } }\nsteps: [play]",
      "tags: []\nsteps: [play]", "watch: []\nsteps: [play]",
      "volume: 100%\nprogram: [{ play: [https://a.example/a.jpg] }]",
    ]
}
