import Testing

@testable import ScenarioLanguage

/// Texts with placeholders: how they are read, filled, and what that may cost.
@Suite struct TemplateTests {
  static let texts: [(text: String, parts: [Template.Part], shown: [String])] = [
    ("plain $ text", [.text("plain $ text")], [""]), ("${a}", [.value("a")], ["a"]),
    ("é ${a.b}!", [.text("é "), .value("a.b"), .text("!")], ["é ", "a.b", "${a.b}!"]),
    ("$${a} ${b}", [.text("${a} "), .value("b")], ["$${a} ", "b"]),
    ("${} ${a", [.value(""), .text("} "), .value("")], ["${}", "${} ", "${a"]),
  ]
  @Test("A text is taken apart at its placeholders, each with its place", arguments: texts) func reading(
    text: String, parts: [Template.Part], shown: [String]
  ) {
    let read = TemplateText(text)
    #expect(read.parts == parts)
    let scalars = Array(text.unicodeScalars)
    let names = zip(read.parts, read.ranges).filter { if case .value = $0.0 { true } else { false } }.map {
      String(String.UnicodeScalarView(scalars[$0.1]))
    }
    #expect(names == zip(parts, shown).filter { if case .value = $0.0 { true } else { false } }.map(\.1))
    #expect(read.isPlain == !text.contains("${"))
  }

  private static func node(_ text: String) throws -> YAMLNode {
    try #require(YAMLParser.parse(SourceFile(text), reportingTo: DiagnosticCollector())?.root)
  }

  /// A document with its variables put in, as unrolling gets it.
  private static func substituted(_ text: String, _ problems: DiagnosticCollector) throws -> YAMLNode {
    var substitution = Substitution(RunTimeNames(try node("a: b")), reportingTo: problems)
    substitution.isIncomplete = true
    return substitution.apply(to: try node(text))
  }

  @Test("What is filled keeps its place, and what has nothing to fill is not copied") func places() throws {
    let problems = DiagnosticCollector()
    let root = try Self.substituted("{ a: \"x ${p} ${attempt}\", b: [\"${p}\"], c: plain }", problems)
    var filling = PlaceholderFilling(reportingTo: problems)
    var bindings = PlaceholderFilling.Bindings()
    _ = bindings.bind("p", to: try Self.node("1"))
    let filled = filling.filled(root, with: bindings)
    #expect(filled?.span == root.span)
    let pairs = try #require(filled?.pairs)
    #expect(pairs[0].value.planText == Template([.text("x 1 "), .value("attempt")]))
    #expect(pairs[0].value.substitutedAt == root.pairs?[0].value.span)
    #expect(pairs[1].value.items?.first?.text == "1")
    let plain = filling.filled(pairs[2].value, with: bindings)
    #expect(plain == nil)
    let ofTheRun = filling.filled(pairs[0].value, with: bindings)
    #expect(ofTheRun == nil)
    #expect(problems.diagnostics == [])
  }

  @Test("A loop's own item is not that of the loop around it, but for the list") func loops() throws {
    let problems = DiagnosticCollector()
    let root = try Self.substituted(
      "{ for_each: { item: \"${item.list}\", steps: [{ log: \"${item} ${p}\" }] } }", problems)
    var filling = PlaceholderFilling(reportingTo: problems)
    var bindings = PlaceholderFilling.Bindings()
    _ = bindings.bind("item", to: try Self.node("{ list: [1, 2] }"))
    _ = bindings.bind("p", to: try Self.node("x"))
    let filled = filling.filled(root, with: bindings)
    let loop = try #require(filled?.pairs?.first?.value.pairs)
    #expect(loop[0].value.items?.compactMap(\.text) == ["1", "2"])
    #expect(loop[1].value.items?.first?.pairs?.first?.value.planText?.source == "${item} x")
  }

  @Test("Placeholders that the run fills count when a loop multiplies them") func multiplied() {
    let names = String(repeating: "${attempt}", count: 3_000)
    let outcome = PlanCompiler.compile(
      scenario(
        "steps: [{ for_each: { item: [\((0..<400).map(String.init).joined(separator: ", "))], "
          + "steps: [{ log: \"${item} \(names)\" }] } }]\n"))
    #expect(outcome.diagnostics.map(\.code.rawValue) == ["Y311"])
  }

  @Test("A large map is looked through once, however many of its parts are put in") func lookups() throws {
    let problems = DiagnosticCollector()
    let keys = (0..<1_000).map { "k\($0): v" }.joined(separator: ", ")
    let texts = (0..<1_000).map { "\"${p.k\($0)}\"" }.joined(separator: ", ")
    let root = try Self.substituted("[\(texts)]", problems)
    var filling = PlaceholderFilling(reportingTo: problems)
    var bindings = PlaceholderFilling.Bindings()
    _ = bindings.bind("p", to: try Self.node("{\(keys)}"))
    let filled = filling.filled(root, with: bindings)
    #expect(filled?.items?.allSatisfy { $0.text == "v" } == true)
    #expect(filling.spent.lookups == 2_000, "each placeholder, and each key once")
  }

  @Test("Unrolling stops at a number of placeholders, even if nothing is put in for them") func endless() throws {
    let problems = DiagnosticCollector()
    let root = try Self.substituted("\"a\(String(repeating: "${p}", count: 5_000))\"", problems)
    var filling = PlaceholderFilling(reportingTo: problems)
    var bindings = PlaceholderFilling.Bindings()
    _ = bindings.bind("p", to: try Self.node("\"\""))
    var passes = 0
    while passes < 10_000, !filling.spent.isExhausted {
      _ = filling.filled(root, with: bindings)
      passes += 1
    }
    #expect(passes == 1_001)
    #expect(problems.diagnostics.map(\.code.rawValue) == ["Y302"])
  }
}
