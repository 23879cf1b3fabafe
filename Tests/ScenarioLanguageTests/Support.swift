import Testing

@testable import ScenarioLanguage

extension SourceFile {
  init(_ text: String, name: String = "lobby.yaml") { self.init(name: name, bytes: Array(text.utf8)) }
}

/// A scenario with these lines below its first two.
func scenario(_ lines: String) -> SourceFile { SourceFile("scenario: S\ndevice: TV\n" + lines) }

/// What reading a document says, each as code and underlined text: `K101 devcie`.
func findings(_ source: SourceFile, inputs: PlanCompiler.Inputs = .init()) -> [String] {
  let reading = DocumentReader.read(source, inputs: inputs)
  let texts = Dictionary(reading.sources.map { ($0.name, SourceText($0)) }, uniquingKeysWith: { first, _ in first })
  return reading.diagnostics.finished(file: source.name).map { problem in
    let span = problem.primary.span
    let quoted = texts[span.file].flatMap { $0.text(at: span) } ?? "line \(span.line)"
    return "\(problem.code) \(quoted)"
  }
}

/// A text and what is to come of it, short in the list of tests.
struct Example: Sendable, CustomTestStringConvertible {
  var text: String
  var expected: [String]

  init(_ text: String, _ expected: [String]) {
    self.text = text
    self.expected = expected
  }

  var testDescription: String {
    let line = text.unicodeScalars.prefix(60).map { $0 == "\n" ? "⏎" : TerminalText.escaped($0) }.joined()
    return text.unicodeScalars.count > 60 ? line + "…" : line
  }
}
