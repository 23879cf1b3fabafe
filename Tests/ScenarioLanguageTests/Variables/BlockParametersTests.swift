import Testing

@testable import ScenarioLanguage

@Suite struct BlockParametersTests {
  private static func pairs(_ blocks: String) throws -> [YAMLNode.Pair] {
    try #require(YAMLParser.parse(SourceFile(blocks), reportingTo: DiagnosticCollector())?.root.pairs)
  }

  @Test("A block has its own parameters and those of what it starts from, and a circle ends") func inherited() throws {
    var parameters = BlockParameters(
      try Self.pairs(
        "a: { params: { x: }, like: b }\nb: { params: { y: }, like: c }\nc: { like: a }\nd: { params: { z: } }"))
    func names(in block: String) -> [String] {
      parameters.enter(block)
      var found: [String] = []
      for name in ["x", "y", "z"] where parameters.contains(name) { found.append(name) }
      return found
    }
    #expect(names(in: "a") == ["x", "y"])
    #expect(names(in: "b") == ["x", "y"])
    #expect(names(in: "d") == ["z"])
  }

  @Test("Many blocks that start from each other cost what is asked of them, no more") func cost() throws {
    let blocks = (0..<1_000).map { "b\($0): { params: { p\($0): }, like: b\($0 + 1) }" }.joined(separator: "\n")
    var parameters = BlockParameters(try Self.pairs(blocks))
    for index in 0..<1_000 { parameters.enter("b\(index)") }
    #expect(parameters.lookups == 0)
    parameters.enter("b0")
    for _ in 0..<1_000 { _ = parameters.contains("nobody") }
    #expect(parameters.lookups == 101)
  }
}
