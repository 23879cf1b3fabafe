/// Gathers what is wrong with a document, each cause once.
package final class DiagnosticCollector {
  /// Errors are known by their place alone: a second one there follows from the first.
  private struct Cause: Hashable, Sendable {
    var warning: Code?
    var span: SourceSpan
  }

  /// In the order found.
  package private(set) var diagnostics: [Diagnostic] = []
  package private(set) var budget = ReportBudget()
  private var known: Set<Cause> = []
  /// Every place that an error in ``diagnostics`` points to.
  private var errorPlaces: [SourceSpan] = []
  /// The places in ``diagnostics`` of those that only count when there is no error.
  private var uncertain: Set<Int> = []

  package init() {}

  /// Adds a problem unless an error is at the same place, or the same warning.
  package func report(_ diagnostic: Diagnostic) {
    budget.found(diagnostic.severity)
    let isError = diagnostic.severity == .error
    let cause = Cause(warning: isError ? nil : diagnostic.code, span: diagnostic.primary.span)
    guard known.insert(cause).inserted, budget.keeps(diagnostic.severity) else { return }
    diagnostics.append(diagnostic)
    if isError {
      errorPlaces.append(diagnostic.primary.span)
      for label in diagnostic.related { errorPlaces.append(label.span) }
    }
  }

  package func report(
    _ severity: Diagnostic.Severity, _ code: Code, _ message: String, at primary: Diagnostic.Label,
    related: [Diagnostic.Label] = [], footers: [Diagnostic.Footer] = []
  ) {
    report(Diagnostic(severity, code, message, at: primary, related: related, footers: footers))
  }

  /// Adds a problem with a value, under the value itself.
  func report(
    _ severity: Diagnostic.Severity, _ code: Code, _ message: String, at node: YAMLNode, part: Range<Int>? = nil,
    _ label: String = "", related: [Diagnostic.Label] = [], footers: [Diagnostic.Footer] = []
  ) {
    report(Diagnostic(severity, code, message, at: node, part: part, label, related: related, footers: footers))
  }

  /// Adds a problem with a value, which is only made where it is kept.
  ///
  /// - Parameter problem: Of this severity and code, under the value or this part of it.
  func report(
    _ severity: Diagnostic.Severity, _ code: Code, at node: YAMLNode, part: Range<Int>? = nil,
    _ problem: () -> Diagnostic
  ) {
    if budget.hasRoom(for: severity) { return report(problem()) }
    budget.found(severity)
    let cause = Cause(warning: severity == .error ? nil : code, span: node.span(of: part))
    if known.insert(cause).inserted { _ = budget.keeps(severity) }
  }

  func report(_ problem: ScalarProblem, at node: YAMLNode) { report(Diagnostic(problem, at: node)) }

  /// Adds a problem that only counts in a document without errors: a definition may look unused because the step that
  /// uses it is wrong.
  package func reportIfNoErrors(_ diagnostic: Diagnostic) {
    let count = diagnostics.count
    report(diagnostic)
    if diagnostics.count > count { uncertain.insert(count) }
  }

  /// Whether no more problems of this severity are kept; if so one is counted, and the caller need not make it.
  ///
  /// Only for problems that each have a place of their own, because repeated ones are counted again.
  func countIfFull(_ severity: Diagnostic.Severity) -> Bool {
    guard !budget.hasRoom(for: severity) else { return false }
    budget.found(severity)
    _ = budget.keeps(severity)
    return true
  }

  /// Adds what another collector gathered.
  package func report(_ other: DiagnosticCollector) {
    let before = budget
    for diagnostic in other.diagnostics { report(diagnostic) }
    budget.add(other.budget, to: before)
  }

  /// Errors reported, repeated ones included.
  package var errorCount: Int { budget.errors }

  package var hasErrors: Bool { budget.errors > 0 }

  /// Adds a problem with a limit that the document exceeds, and stops checking, which would cost what the limit saves.
  package func reportAndStop(_ diagnostic: Diagnostic) {
    report(diagnostic)
    budget.stop()
  }

  /// Whether an error is at exactly this place: another one would not be shown.
  package func hasError(at span: SourceSpan) -> Bool { known.contains(Cause(warning: nil, span: span)) }

  /// Whether an error lies in a part of the document: what follows from it needs no message of its own.
  package func hasErrors(within span: SourceSpan) -> Bool { errorPlaces.contains { span.contains($0) } }

  /// The problems by place, at most ``ReportBudget/shown``; the document's own file comes first.
  ///
  /// Where there are more, errors are kept before warnings.
  package func finished(file: String? = nil) -> [Diagnostic] {
    let main = file ?? diagnostics.first?.primary.span.file ?? ""
    var order = certain
    order.sort { a, b in
      let (x, y) = (diagnostics[a].primary.span, diagnostics[b].primary.span)
      if !x.isInFile(of: y) { return x.file == main || (y.file != main && x.file < y.file) }
      return (x.line, x.column, a) < (y.line, y.column, b)
    }
    let (unique, more) = withoutRepetitions(order)
    order = unique
    func shown(_ index: Int) -> Diagnostic {
      var diagnostic = diagnostics[index]
      if let lines = more[index] { diagnostic.footers.append(.note(Self.alsoIn(lines))) }
      return diagnostic
    }
    if order.count <= ReportBudget.shown { return order.map(shown) }
    let errors = order.filter { diagnostics[$0].severity == .error }.prefix(ReportBudget.shown)
    let others = order.filter { diagnostics[$0].severity != .error }.prefix(ReportBudget.shown - errors.count)
    let kept = Set(errors).union(others)
    return order.filter { kept.contains($0) }.map(shown)
  }

  /// The same problems, with the characters named that only look like what was meant.
  package func finished(file: String, in sources: [SourceFile]) -> [Diagnostic] {
    let problems = finished(file: file)
    return hasErrors ? problems.namingLookalikes(in: sources) : problems
  }

  /// The places in ``diagnostics`` of those that count.
  private var certain: [Int] { diagnostics.indices.filter { !hasErrors || !uncertain.contains($0) } }

  /// A name that is not defined is one mistake, however often it is used: the first use stands for all.
  ///
  /// Answers what is left of `order`, and the lines of the other uses.
  private func withoutRepetitions(_ order: [Int]) -> ([Int], [Int: [Int]]) {
    var firsts: [String: Int] = [:]
    var lines: [Int: [Int]] = [:]
    let unique = order.filter { index in
      let diagnostic = diagnostics[index]
      guard Self.repeated.contains(diagnostic.code), diagnostic.severity == .error else { return true }
      // The same name in another file may be another mistake.
      let key = "\(diagnostic.code) \(diagnostic.primary.span.file) \(diagnostic.message)"
      guard let first = firsts[key] else {
        firsts[key] = index
        return true
      }
      lines[first, default: []].append(diagnostic.primary.span.line)
      return false
    }
    return (unique, lines)
  }

  /// Undefined variables and names.
  private static let repeated: Set<Code> = [.n401, .n406]

  private static func alsoIn(_ lines: [Int]) -> String {
    var numbers: [Int] = []
    for line in lines where numbers.last != line { numbers.append(line) }
    return "also in line\(numbers.count == 1 ? "" : "s") \(ScalarText.listed(numbers.map(String.init), most: 5))"
  }

  /// How many problems ``finished(file:)`` leaves out; a lower bound if checking stopped early.
  package var hiddenCount: Int { max(withoutRepetitions(certain).0.count - ReportBudget.shown, 0) + budget.omitted }
}

extension SourceSpan {
  /// Whether another span lies inside this one.
  package func contains(_ other: SourceSpan) -> Bool {
    (line, column) <= (other.line, other.column) && (other.endLine, other.endColumn) <= (endLine, endColumn)
      && isInFile(of: other)
  }
}
