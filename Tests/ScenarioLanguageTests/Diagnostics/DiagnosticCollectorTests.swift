import Testing

@testable import ScenarioLanguage

@Suite struct DiagnosticCollectorTests {
  private func problem(_ line: Int, _ code: Code = .k101, _ severity: Diagnostic.Severity = .error) -> Diagnostic {
    let span = SourceSpan(file: "a", line: line, column: 1, endLine: line, endColumn: 2)
    return Diagnostic(severity, code, "m", at: .init(span))
  }

  @Test("A cause is reported once: a second error at a place, or the same warning, follows from the first")
  func once() {
    let collector = DiagnosticCollector()
    for item in [problem(1), problem(1), problem(1, .k102), problem(1, .p610, .warning), problem(1, .p610, .warning)] {
      collector.report(item)
    }
    #expect(collector.finished().map(\.code.rawValue) == ["K101", "P610"])
  }

  @Test("Fifty problems are shown, by place, errors before warnings, and the rest is counted")
  func limit() {
    let collector = DiagnosticCollector()
    for line in (1...2_000).reversed() { collector.report(problem(line, .p610, .warning)) }
    #expect(collector.hasErrors == false)
    collector.report(problem(5_000))
    let shown = collector.finished()
    #expect(shown.count == 50)
    #expect(collector.hiddenCount == 1_951)
    #expect(collector.hasErrors)
    #expect(zip(shown, shown.dropFirst()).allSatisfy { $0.primary.span.line < $1.primary.span.line })
  }

  @Test("A warning that nobody would keep is counted without being made, an error behind it is kept")
  func counted() {
    let collector = DiagnosticCollector()
    var made = 0
    for line in 1...2_000 where !collector.countIfFull(.warning) {
      made += 1
      collector.report(problem(line, .n402, .warning))
    }
    #expect(made == 1_000)
    #expect(collector.hiddenCount == 1_950)
    #expect(!collector.countIfFull(.error))
  }

  @Test("An error is told behind any number of warnings")
  func errorBehindWarnings() {
    let collector = DiagnosticCollector()
    for line in 1...3_000 { collector.report(problem(line, .p610, .warning)) }
    collector.report(problem(5_000))
    #expect(!collector.budget.isSpent)
    #expect(collector.finished().last == problem(5_000))
    #expect(collector.hiddenCount == 2_951)
  }

  @Test("A thousand errors are enough, and so are three thousand at the same few places")
  func full() {
    let collector = DiagnosticCollector()
    for line in 1..<1_000 { collector.report(problem(line)) }
    #expect(!collector.budget.isSpent)
    collector.report(problem(1_000))
    #expect(collector.budget.isSpent)
    #expect(collector.hiddenCount == 950)

    let repeating = DiagnosticCollector()
    for _ in 1...3_000 { repeating.report(problem(1)) }
    #expect(repeating.budget.isSpent)
    #expect(repeating.hiddenCount == 0)
  }

  @Test("What a document is too large for ends its check without a word of more")
  func stopped() {
    let collector = DiagnosticCollector()
    collector.reportAndStop(problem(1))
    #expect(collector.budget.isSpent && !collector.budget.hasTooManyErrors)
    #expect(collector.finished() == [problem(1)])
  }

  @Test("What is told once for all its uses is not counted among what is hidden")
  func repeated() {
    let collector = DiagnosticCollector()
    for line in 1...80 { collector.report(problem(line, .n401)) }
    #expect(collector.finished().count == 1)
    #expect(collector.hiddenCount == 0)
  }

  @Test("What is only true of a document without errors is not told beside one")
  func ifNoErrors() {
    for severity in [Diagnostic.Severity.warning, .error] {
      let collector = DiagnosticCollector()
      collector.reportIfNoErrors(problem(1, .n402, .warning))
      collector.report(problem(2, .k101, severity))
      #expect(collector.finished().map(\.code) == (severity == .error ? [.k101] : [.n402, .k101]))
    }
    let film = "scenario: x\ndevice: TV\nmedia: { film: { url: \"https://a.example/a.mp4\" } }\nsteps:\n"
    #expect(Compiling.codes(film + "  - expect: { player: idle }\n") == ["N402"])
    #expect(Compiling.codes(film + "  - laod: film\n  - expect: { player: idle }\n") == ["K101"])
  }

  @Test("A part of a document is unsound when an error points into it")
  func within() {
    let collector = DiagnosticCollector()
    collector.report(problem(5))
    collector.report(problem(7, .p610, .warning))
    #expect(collector.hasErrors(within: SourceSpan(file: "a", line: 4, column: 1, endLine: 6, endColumn: 1)))
    #expect(!collector.hasErrors(within: SourceSpan(file: "a", line: 6, column: 1, endLine: 9, endColumn: 1)))
    #expect(!collector.hasErrors(within: SourceSpan(file: "b", line: 4, column: 1, endLine: 6, endColumn: 1)))
  }

  @Test("A problem that is not kept is counted without being made, each place once")
  func unmade() {
    let (made, unmade) = (DiagnosticCollector(), DiagnosticCollector())
    var count = 0
    for line in Array(1...1_500) + Array(1...1_500) {
      let problem = problem(line, .p606, .warning)
      let node = YAMLNode(.scalar(.init(text: "x", style: .plain)), span: problem.primary.span)
      made.report(problem)
      unmade.report(.warning, .p606, at: node) {
        count += 1
        return problem
      }
    }
    #expect(unmade.hiddenCount == made.hiddenCount && unmade.hiddenCount == 1_450)
    #expect(unmade.finished() == made.finished())
    #expect(count == 1_000)
  }
}
