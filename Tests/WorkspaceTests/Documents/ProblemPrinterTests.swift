import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct ProblemPrinterTests {
  private static func problem(_ severity: Diagnostic.Severity, _ file: String) -> Diagnostic {
    let span = SourceSpan(file: file, line: 1, column: 1, endLine: 1, endColumn: 2)
    return Diagnostic(severity, .k101, "wrong", at: .init(span))
  }

  private static func sources(_ name: String) -> [SourceFile] { [SourceFile(name: name, bytes: [])] }

  @Test("What concerns several documents is told once, what is a document's own each time, with a gap between")
  func once() {
    let heard = HeardMessages()
    let printer = ProblemPrinter(variableFiles: [], to: heard.output)
    for name in ["a.yaml", "b.yaml"] {
      printer.tell([Self.problem(.error, "lib.yaml"), Self.problem(.error, name)], Self.sources(name))
    }
    printer.tell([Self.problem(.error, "lib.yaml")], Self.sources("c.yaml"))
    #expect(heard.lines == ["K101 lib.yaml", "K101 a.yaml", "", "K101 b.yaml"])
  }

  @Test("A variable of --vars is told of when not one of the documents has it")
  func strangers() {
    for (documents, lines) in [(2, ["K101 vars.yaml"]), (3, [])] {
      let heard = HeardMessages()
      let printer = ProblemPrinter(variableFiles: ["vars.yaml"], to: heard.output)
      for name in ["a.yaml", "b.yaml"] { printer.tell([Self.problem(.warning, "vars.yaml")], Self.sources(name)) }
      #expect(heard.lines == [])
      printer.tellStrangers(among: documents)
      #expect(heard.lines == lines)
    }
  }
}
