import Testing

@testable import ScenarioLanguage

/// Documents made to exhaust a reader (docs/security.md Y1, docs/design.md 5).
@Suite struct BudgetTests {
  struct Bomb: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var code: String

    init(_ name: String, _ text: String, _ code: String) {
      testDescription = name
      self.text = text
      self.code = code
    }
  }

  static let bombs: [Bomb] = [
    Bomb("nested aliases", nestedAliases("[%]", "*"), "Y302"),
    Bomb("aliases in maps", nestedMaps(), "Y302"),
    Bomb("one anchor used many times", "a: &a [" + commas("x", 500) + "]\nb: [" + commas("*a", 400) + "]\n", "Y302"),
    Bomb("more than 1000 aliases", "a: &a x\nb: [" + commas("*a", 1_001) + "]\n", "Y302"),
    Bomb(
      "merge keys", "a: &a {b: 1}\nc: {" + (0..<300).map { "k\($0): {<<: *a}" }.joined(separator: ", ") + "}\n", "Y303"),
    Bomb("an alias to itself", "a: &a [" + commas("*a", 200) + "]\n", "Y310"),
    Bomb("deep flow lists", String(repeating: "[", count: 100_000), "Y311"),
    Bomb("deep flow maps", String(repeating: "{a: ", count: 50_000), "Y311"),
    Bomb("deep block lists", String(repeating: "- ", count: 20_000) + "x\n", "Y311"),
    Bomb("deep block maps", (0..<300).map { String(repeating: " ", count: $0) + "k:\n" }.joined(), "Y311"),
    Bomb("too many nodes", "a: [" + commas("x", 210_000) + "]\n", "Y311"),
    Bomb("too many bytes", "a: \"" + String(repeating: "x", count: 1 << 20) + "\"\n", "Y311"),
    Bomb("a list variable put in often", listVariable(), "Y302"),
    Bomb("variables that double", doublingText(), "Y311"),
    Bomb("variables that double and nothing else", doublingText(between: ""), "Y311"),
    Bomb("values of the run that double", doublingSaved(), "Y311"),
    Bomb("variables that nest", nestingVariables(), "Y311"),
  ]

  /// What would fill all memory if it were unrolled.
  static let unrolled: [Bomb] = [
    Bomb(
      "blocks that double",
      head
        + "blocks: { b0: { steps: [play] }, \((1...40).map { "b\($0): { steps: [{ use: b\($0 - 1) }, { use: b\($0 - 1) }] }" }.joined(separator: ", ")) }\nsteps: [{ use: b40 }]",
      "P617"),
    Bomb(
      "a million passes",
      head
        + "steps: [{ for_each: { item: [\(UnrollLimitTests.numbers(1_000))], steps: [{ for_each: { item: [\(UnrollLimitTests.numbers(1_000))], steps: [play] } }] } }]",
      "P617"),
    Bomb(
      "a list handed to loops within loops",
      head
        + "blocks: { b: { params: { l: }, steps: [{ for_each: { item: \"${l}\", steps: [{ for_each: { item: \"${l}\", steps: [{ for_each: { item: \"${l}\", steps: [play] } }] } }] } }] } }\nsteps: [{ use: { block: b, with: { l: [\(UnrollLimitTests.numbers(1_000))] } } }]",
      "P617"),
    Bomb(
      "many loops that are each small enough",
      head
        + "steps: [\((0..<200).map { _ in "{ for_each: { item: [\(UnrollLimitTests.numbers(600))], steps: [play] } }" }.joined(separator: ", "))]",
      "P617"),
    Bomb(
      "a large value put in many times",
      head
        + "vars: { big: [\(UnrollLimitTests.numbers(20_000))] }\nsteps: [{ for_each: { item: [\(UnrollLimitTests.numbers(1_000))], steps: [{ load: { media: https://e.com/a.mp4, custom: { a: [\(UnrollLimitTests.numbers(2_000))] } } }] } }]",
      "Y302"),
    Bomb(
      "a long text put in many times",
      head
        + "blocks: { b: { params: { t: }, steps: [\((0..<3_000).map { _ in "{ log: \"${t}${t}${t}\" }" }.joined(separator: ", "))] } }\nsteps: [{ use: { block: b, with: { t: \(String(repeating: "x", count: 20_000)) } } }]",
      "Y311"),
    Bomb(
      "a chain of a thousand blocks",
      head
        + "blocks: { b0: { steps: [play] }, \((1...1_000).map { "b\($0): { steps: [{ use: b\($0 - 1) }] }" }.joined(separator: ", ")) }\nsteps: [{ use: b1000 }]",
      "Y311"),
    Bomb(
      "a ring of ten thousand blocks",
      head
        + "blocks: { \((0..<10_000).map { "b\($0): { steps: [{ use: b\(($0 + 1) % 10_000) }] }" }.joined(separator: ", ")) }\nsteps: [{ use: b0 }]",
      "N405"),
    Bomb(
      "arguments that nest deeper at every step",
      head
        + "blocks: { b0: { params: { a: }, steps: [{ log: x }] }, \((1...40).map { "b\($0): { params: { a: }, steps: [{ use: { block: b\($0 - 1), with: { a: [[[\"${a}\"]]] } } }] }" }.joined(separator: ", ")) }\nsteps: [{ use: { block: b40, with: { a: 1 } } }]",
      "Y311"),
  ]

  static func commas(_ item: String, _ count: Int) -> String {
    Array(repeating: item, count: count).joined(separator: ", ")
  }

  static func nestedAliases(_ list: String, _ star: String) -> String {
    var text = "x0: &x0 [" + commas("x", 10) + "]\n"
    for level in 1...9 { text += "x\(level): &x\(level) [" + commas("*x\(level - 1)", 10) + "]\n" }
    return text
  }

  static func nestedMaps() -> String {
    var text = "x0: &x0 {a: 1}\n"
    for level in 1...20 { text += "x\(level): &x\(level) {a: *x\(level - 1), b: *x\(level - 1)}\n" }
    return text
  }

  private static let head = "scenario: S\ndevice: TV\n"

  static func listVariable() -> String {
    let list = "[" + commas("x", 900) + "]"
    return head + "vars:\n  a: \(list)\nsteps: [play]\nmedia:\n"
      + (0..<400).map { "  m\($0): { url: https://x/a.mp4, custom: { a: \"${a}\" } }\n" }.joined()
  }

  static func doublingSaved() -> String {
    var text = head + "vars:\n  x0: ${run.id}!\n"
    for level in 1...40 { text += "  x\(level): ${x\(level - 1)}${x\(level - 1)}\n" }
    return text + "steps: [{ log: \"${x40}\" }]\n"
  }

  static func doublingText(between: String = "-") -> String {
    var text = head + "vars:\n  x0: 0123456789\n"
    for level in 1...40 { text += "  x\(level): ${x\(level - 1)}${x\(level - 1)}\(between)\n" }
    return text + "steps: [{ log: \"${x40}\" }]\n"
  }

  static func nestingVariables() -> String {
    var text = head + "vars:\n  x0: [a]\n"
    for level in 1...100 { text += "  x\(level): [\"${x\(level - 1)}\"]\n" }
    return text + "steps: [{ log: \"${x100}\" }]\n"
  }

  @Test(
    "A bomb is refused with its code, and costs no more than a large document in which nothing is wrong",
    arguments: bombs + unrolled)
  func refused(bomb: Bomb) {
    var found: [Diagnostic] = []
    let cost = Cost.of { found = PlanCompiler.compile(SourceFile(bomb.text)).diagnostics }
    #expect(found.contains { $0.code.rawValue == bomb.code }, " \(found.prefix(3).map(\.code.rawValue))")
    #expect(found.count <= 50)
    #expect(cost < 2 * Cost.ofMostNodes, "took \(cost) s")
  }

  @Test("A document just inside the limits is read")
  func insideLimits() {
    let items = Self.commas("x", 999)
    let deep = String(repeating: "[", count: 62) + "x" + String(repeating: "]", count: 62)
    let problems = DiagnosticCollector()
    let text = "a: &a x\nb: [" + Self.commas("*a", 1_000) + "]\nc: [\(items)]\nd: \(deep)\n"
    #expect(YAMLParser.parse(SourceFile(text), reportingTo: problems) != nil)
    #expect(problems.finished() == [])
  }
}
