import CastProtocol
import TestSupport
import Testing

@testable import ScenarioLanguage

/// Each valid document with one mistake, in 160 seeded ways and more in CI: what a person's slip of the finger gives.
@Suite struct SingleMutationTests {
  enum Mistake: CaseIterable { case droppedLine, swappedKeys, misspelling, otherType, cut, wrongIndent }

  /// A mistake in a document; `nil` when it would not change it.
  static func mutated(_ text: String, _ mistake: Mistake, _ generator: inout MutationTests.Generator) -> String? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let candidates = lines.indices.filter { !lines[$0].isEmpty && lines[$0].drop { $0 == " " }.first != "#" }
    guard let line = candidates.randomElement(using: &generator),
      let other = candidates.randomElement(using: &generator)
    else { return nil }
    switch mistake {
    case .droppedLine: lines.remove(at: line)
    case .swappedKeys:
      guard let first = key(of: lines[line]), let second = key(of: lines[other]),
        lines[line][first] != lines[other][second]
      else { return nil }
      let (a, b) = (String(lines[line][first]), String(lines[other][second]))
      lines[line].replaceSubrange(first, with: b)
      lines[other].replaceSubrange(second, with: a)
    case .misspelling:
      guard let misspelled = misspelled(lines[line], &generator) else { return nil }
      lines[line] = misspelled
    case .otherType:
      guard let colon = lines[line].firstRange(of: ": ") else { return nil }
      let values = [
        "5", "true", "abc", "[]", "{}", "30s", "\"text\"", "-1", "", "40%", "[a, b]", "{ a: 1 }", "1.5", "~",
      ]
      lines[line].replaceSubrange(colon.upperBound..., with: values.randomElement(using: &generator) ?? "")
    case .cut:
      let scalars = Array(text.unicodeScalars)
      return String(String.UnicodeScalarView(scalars.prefix(Int.random(in: 0..<scalars.count, using: &generator))))
    case .wrongIndent:
      lines[line] = Bool.random(using: &generator) ? "  " + lines[line] : String(lines[line].drop { $0 == " " })
    }
    let result = lines.joined(separator: "\n")
    return result == text ? nil : result
  }

  /// Where the key of a line stands.
  private static func key(of line: String) -> Range<String.Index>? {
    let start = line.firstIndex { $0 != " " && $0 != "-" } ?? line.endIndex
    let end = line[start...].firstIndex { !($0.isLetter || $0 == "_") } ?? line.endIndex
    return end > start && end < line.endIndex && line[end] == ":" ? start..<end : nil
  }

  /// One letter of a word left out, doubled, exchanged with the next, or another one.
  private static func misspelled(_ line: String, _ generator: inout MutationTests.Generator) -> String? {
    var letters = Array(line)
    guard let place = letters.indices.filter({ letters[$0].isLetter }).randomElement(using: &generator) else {
      return nil
    }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: letters.remove(at: place)
    case 1: letters.insert(letters[place], at: place)
    case 2: if place + 1 < letters.count { letters.swapAt(place, place + 1) }
    default: letters[place] = Array("etaoinshrdlu").randomElement(using: &generator) ?? "e"
    }
    return String(letters)
  }

  /// What must be true of whatever is said about a document; the reason why it is not.
  static func fault(in outcome: PlanCompiler.Outcome, of source: SourceFile) -> String? {
    let problems = outcome.diagnostics
    let errors = problems.filter { $0.severity == .error }
    if errors.isEmpty, outcome.document == nil { return "neither plan nor message" }
    if !errors.isEmpty, outcome.document != nil { return "a plan in spite of errors" }
    if problems.count > 50 { return "\(problems.count) problems" }
    var texts: [String: SourceText] = [:]
    for source in outcome.sources { texts[source.name] = SourceText(source) }
    var places: Set<SourceSpan> = []
    var last = (0, 0)
    for problem in problems {
      for span in ([problem.primary] + problem.related).map(\.span) {
        guard let text = texts[span.file] else { return "a place in no file: \(span)" }
        let isInside =
          span.line >= 1 && span.line <= text.lineCount && span.column >= 1
          && span.column <= text.line(span.line).unicodeScalars.count + 1
          && (span.endLine, span.endColumn) >= (span.line, span.column) && span.endLine <= text.lineCount
        if !isInside { return "a place outside the file: \(problem.code) \(span)" }
      }
      let span = problem.primary.span
      if problem.severity == .error, !places.insert(span).inserted { return "two errors at one place: \(problem.code)" }
      if span.file == source.name {
        if (span.line, span.column) < last { return "not sorted: \(problem.code)" }
        last = (span.line, span.column)
      }
      if problem.message.isEmpty { return "no message: \(problem)" }
    }
    let rendered = DiagnosticRenderer(sources: outcome.sources).render(problems)
    if !rendered.unicodeScalars.allSatisfy({ $0 == "\n" || !TerminalText.isUnsafe($0) }) { return "unsafe output" }
    for problem in problems where !rendered.contains("[\(problem.code)]: \(problem.message)") {
      return "not shown: \(problem.code)"
    }
    return nil
  }

  @Test("A valid document compiles without a word", arguments: TestFiles.valid)
  func valid(document: TestFiles.Document) {
    let outcome = PlanCompiler.compile(SourceFile(name: "lobby.yaml", bytes: document.bytes), inputs: TestFiles.inputs)
    #expect(outcome.diagnostics.map { "\($0.primary.span.line): \($0.code) \($0.message)" } == [])
    #expect(outcome.document != nil)
  }

  struct Part: Sendable, CustomTestStringConvertible {
    var document: TestFiles.Document
    var mistake: Mistake
    var testDescription: String { "\(document.path), \(mistake)" }
  }

  static let parts = TestFiles.valid.flatMap { document in
    Mistake.allCases.map { Part(document: document, mistake: $0) }
  }

  /// How many for each document.
  private static let mutants = 160 * Effort.factor
  private static let rounds = (mutants + Mistake.allCases.count - 1) / Mistake.allCases.count

  @Test("One mistake gives a plan or few messages, in time, in order, inside the file, and no crash", arguments: parts)
  func mistakes(part: Part) {
    let text = String(decoding: part.document.bytes, as: UTF8.self)
    var generator = MutationTests.Generator(seed: part.document.path.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
    var seen: Set<String> = []
    var counts: [Int: Int] = [:]
    for round in 0..<Self.rounds {
      // Short documents have fewer mistakes to make.
      guard let mutant = Self.mutated(text, part.mistake, &generator), seen.insert(mutant).inserted else { continue }
      let source = SourceFile(mutant)
      var compiled: PlanCompiler.Outcome?
      let cost = Cost.of { compiled = PlanCompiler.compile(source, inputs: TestFiles.inputs) }
      guard let outcome = compiled else { return }
      if let fault = Self.fault(in: outcome, of: source) {
        Issue.record("\(part.testDescription) \(round): \(fault)\n\(mutant)")
        return
      }
      if cost > Cost.ofLargestDocument { Issue.record("\(part.testDescription) \(round) took \(cost) s\n\(mutant)") }
      counts[outcome.diagnostics.count { $0.severity == .error }, default: 0] += 1
    }
    MistakeCounts.shared.add(part.testDescription, counts)
  }
}

/// How many errors single mistakes gave: printed where many are made.
final class MistakeCounts: Sendable {
  static let shared = MistakeCounts()

  func add(_ name: String, _ counts: [Int: Int]) {
    guard Effort.factor > 1 else { return }
    print(
      "MUTATIONS \(name): " + counts.sorted { $0.key < $1.key }.map { "\($0.key)×\($0.value)" }.joined(separator: " "))
  }
}
