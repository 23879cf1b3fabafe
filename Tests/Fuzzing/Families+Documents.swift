import CastProtocol
import ScenarioLanguage

extension Family {
  static let documents = Family(
    name: "documents",
    seeds: {
      Corpus.files(below: "examples", endingIn: ".yaml", largest: 8_000)
        + Corpus.files(below: "playlists", endingIn: ".yaml", largest: 8_000)
        + Corpus.files(below: "Tests/ScenarioLanguageTests/Fixtures", endingIn: ".yaml", largest: 8_000)
        + small.map { Array($0.utf8) }
    },
    words: [
      "scenario: ", "playlist: ", "library: ", "steps:\n  - ", "- load: ", "- expect: { ", "${", "}", "&a ", "*a",
      "<<: *a",
      "!!binary ", "!x ", "|\n  ", ">-\n", "? ", "---\n", "...\n", "%YAML 1.2\n", "\t", "\u{FEFF}", "\r\n", "\u{85}",
      "'", "\"",
      "\\u0000", "[", "]", "{ ", ", ", ": ", "# ", "1e999", "99999999999999999999", "0x", "12:61", "2026-02-30",
      "every: ",
      "repeat: { times: 9, steps: [", "cron: ", "matrix: ", "-0.0", "999999h", "\u{202E}", "😀",
    ], makeReader: { DocumentReader() })

  private static let small = [
    "scenario: x\ndevice: TV\nsteps: [{ load: https://example.com/a.mp4 }, { expect: { player: playing } }]\n",
    "scenario: x\ndevice: { id: a }\nvars: { a: 1 }\nsteps:\n  - repeat: { times: 3, steps: [{ wait: \"${a}s\" }] }\n",
    "library: x\nmedia: { a: { url: https://example.com/a.mp4, duration: 5s } }\n",
    "playlist: x\ndevice: TV\nitems: [{ image: https://example.com/a.png, for: 10s }]\n",
    "device: TV\naliases: { k: Kitchen }\ntimeout: { load: 1m }\nauth: require\n",
    "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
  ]
}

/// Documents of any kind. The formatter says nothing else than the document, and is done after one time.
private final class DocumentReader: Reader {
  func read(_ bytes: [UInt8]) throws(Violation) {
    let file = SourceFile(name: "fuzz.yaml", bytes: bytes)
    let outcome = PlanCompiler.compile(file)
    if outcome.document == nil, outcome.diagnostics.isEmpty { throw Violation("no document, and nothing says why") }
    _ = SettingsFile.read(file)
    // Somebody types at a place that the bytes choose.
    let edited = EditedDocument(file, inputs: PlanCompiler.Inputs())
    let line = 1 + bytes.count % (1 + bytes.count { $0 == 0x0A })
    let column = 1 + Int(bytes.last ?? 0) % 40
    _ = edited.offer(line: line, column: column)
    _ = edited.explanation(line: line, column: column)
    _ = edited.definition(line: line, column: column)
    if let first = outcome.diagnostics.first { _ = edited.fix(of: first) }
    switch DocumentFormatter.format(file) {
    case .refused(let problems): if problems.isEmpty { throw Violation("it is not formatted, and nothing says why") }
    case .unsafe: throw Violation("the formatter would change what the document says")
    case .formatted(let text):
      guard case .formatted(let again) = DocumentFormatter.format(SourceFile(name: "fuzz.yaml", bytes: text)) else {
        throw Violation("what was formatted cannot be formatted again")
      }
      if again != text { throw Violation("formatted again it is another") }
    }
  }
}
