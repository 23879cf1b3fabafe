import Testing

@testable import ScenarioLanguage

@Suite struct CodePagesTests {
  static let pages = CodePages.all.map(\.code.rawValue)

  private func problems(_ example: CodePage.Example) -> [Diagnostic] {
    let files = Dictionary(
      example.files.map { ($0.name, Array($0.text.utf8)) }, uniquingKeysWith: { first, _ in first })
    let environment = Dictionary(
      example.environment.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    let inputs = OwnGolden.inputs(files: files, environment: environment)
    return PlanCompiler.compile(SourceFile(example.text + "\n"), inputs: inputs).diagnostics
  }

  @Test("A wrong example has the problem of its page and no other", arguments: pages)
  func wrong(code: String) throws {
    let page = try #require(CodePages.page(code))
    guard let wrong = page.wrong else {
      #expect(["K108", "K110"].contains(code))
      return
    }
    let codes = Set(problems(wrong).map(\.code.rawValue))
    switch page.source {
    case .document: #expect(codes == [code], "\(wrong.text)")
    case .run, .probe: #expect(codes == [], "\(wrong.text)")
    // What the virtual clock says is tested where it is.
    case .simulation: #expect(codes.subtracting([code]) == [], "\(wrong.text)")
    case .nothing: Issue.record("\(code) has a wrong example that nothing tells")
    }
  }

  @Test("A right example compiles without a word", arguments: pages)
  func right(code: String) throws {
    let page = try #require(CodePages.page(code))
    #expect(problems(page.right).map { "\($0.code) \($0.message)" } == [], "\(page.right.text)")
  }

  @Test("Every code has a page in the file of its family", arguments: Code.allCases)
  func page(code: Code) {
    #expect(CodePages.page(code) != nil, "Sources/LanguagePages/\(code.family).md has no whole page `## \(code): …`")
  }

  @Test("A file of pages has no page that is not read, each code once, in the order of the index and of the families")
  func complete() {
    #expect(
      Code.Family.allCases.flatMap { PageSection.all(in: $0.file).map(\.heading) }
        == CodePages.all.map { "\($0.code): \($0.title)" })
    #expect(CodePages.all.map(\.code) == Code.allCases)
    let families = Code.allCases.map(\.family)
    let order = Code.Family.allCases.filter(families.contains)
    #expect(order == Code.Family.allCases && families == order.flatMap { family in families.filter { $0 == family } })
  }

  @Test("A page says what, why and how to mend it, in whole sentences")
  func sentences() {
    for page in CodePages.all {
      for text in [page.why, page.cure] {
        #expect(text.hasSuffix(".") && !text.contains("  "), "\(page.code): \(text)")
      }
      let first = page.title.first
      #expect(first?.isLowercase == true || first == "`" || page.title.prefix(3).allSatisfy(\.isUppercase))
      #expect(!page.title.hasSuffix("."), "\(page.code)")
    }
  }

  @Test("A code is found in capitals or not")
  func lookUp() {
    #expect(CodePages.page("t208")?.code == .t208)
    #expect(CodePages.page("T999") == nil)
  }
}
