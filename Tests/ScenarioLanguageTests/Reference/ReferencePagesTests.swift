import Testing

@testable import ScenarioLanguage

@Suite struct ReferencePagesTests {
  static let folder = SourceCodes.project + "/docs/language"
  static let names = TestFiles.names(in: folder).filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }

  private func text(_ name: String) throws -> String {
    String(decoding: try Golden.bytes(ofFile: "\(Self.folder)/\(name).md"), as: UTF8.self)
  }

  @Test("A reference page has the tables of this version", arguments: names)
  func tables(name: String) throws {
    let text = try text(name)
    let (updated, unknown) = ReferenceTables.updated(text)
    #expect(unknown == [])
    #expect(updated == text, "docs/language/\(name).md is behind the tables: `make docs` writes it again")
  }

  @Test("Every table is on a page, and on one only")
  func complete() throws {
    var found: [String] = []
    for name in Self.names {
      for line in try text(name).split(separator: "\n") where line.hasPrefix("<!-- table: ") {
        found.append(String(line.dropFirst(12).dropLast(4)))
      }
    }
    #expect(found.sorted() == ReferenceTables.names.sorted())
  }

  @Test("Every example of a reference page compiles", arguments: names)
  func examples(name: String) throws {
    var examples: [String] = []
    var isInside = false
    for line in try text(name).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```yaml"
        if isInside { examples.append("") }
      } else if isInside {
        examples[examples.count - 1] += line + "\n"
      }
    }
    for example in examples { #expect(TopicsTests.problems(example) == [], "\(example)") }
  }

  @Test("Links between the pages lead somewhere", arguments: names)
  func links(name: String) throws {
    for part in try text(name).split(separator: "](").dropFirst() {
      guard let target = part.split(separator: ")").first, target.hasSuffix(".md"), !target.contains("/") else {
        continue
      }
      #expect(Self.names.contains(String(target.dropLast(3))), "\(target)")
    }
  }

  @Test("A page's text around its tables stays as it is, and an unknown table is told")
  func rewriting() {
    let page = "# A\n\n<!-- table: conditions -->\nstood here before\n<!-- end -->\n\nend\n"
    let (text, unknown) = ReferenceTables.updated(page)
    #expect(text.hasPrefix("# A\n\n<!-- table: conditions -->\n\n") && text.hasSuffix("\n<!-- end -->\n\nend\n"))
    #expect(text.contains("| `any` |") && !text.contains("stood here before") && unknown == [])
    #expect(ReferenceTables.updated(text).text == text)
    #expect(ReferenceTables.updated("<!-- table: nothing -->\n<!-- end -->").unknown == ["nothing"])
  }
}
