import Testing

@testable import ScenarioLanguage

/// `showcaller explain X` in a message leads somewhere.
@Suite struct NamedPagesTests {
  @Test("Every page that a message may name from the tables is there")
  func tables() {
    let topics = Set(LanguageSchema.maps.map(\.topic) + LanguageSchema.verbNames)
    #expect(topics.filter { Topics.page($0) == nil }.sorted() == [])
  }

  @Test("Every page that a text of the sources or the documentation names is there")
  func texts() throws {
    var missing: Set<String> = []
    var found = 0
    for path in try Self.files() {
      let text = String(decoding: try Golden.bytes(ofFile: path), as: UTF8.self)
      for part in text.components(after: "showcaller explain ") + text.components(after: "topic: \"") {
        let word = String(part.prefix { $0.isLetter && $0.isASCII || $0.isNumber || $0 == "_" })
        // What is put in by code is looked at above; capitals without digits stand for any page.
        if word.isEmpty || ["CODE", "X", "TOPIC", "NAME", "WORD"].contains(word) { continue }
        found += 1
        let isCode = CodePages.page(word) != nil
        if !isCode, Topics.page(word) == nil { missing.insert(word) }
      }
    }
    #expect(found > 20)
    #expect(missing.sorted() == [])
  }

  private static func files() throws -> [String] {
    var files = ["\(SourceCodes.project)/README.md"]
    var folders = ["\(SourceCodes.project)/Sources", "\(SourceCodes.project)/docs"]
    while let folder = folders.popLast() {
      for entry in TestFiles.names(in: folder) where !entry.hasPrefix(".") {
        if entry.hasSuffix(".swift") || entry.hasSuffix(".md") {
          files.append("\(folder)/\(entry)")
        } else if !entry.contains(".") {
          folders.append("\(folder)/\(entry)")
        }
      }
    }
    return files
  }
}

extension String {
  /// What follows each occurrence of a text, up to the end of its line.
  fileprivate func components(after mark: String) -> [Substring] {
    split(separator: "\n").flatMap { line -> [Substring] in
      var parts: [Substring] = []
      var rest = line
      while let range = rest.firstRange(of: mark) {
        rest = rest[range.upperBound...]
        parts.append(rest)
      }
      return parts
    }
  }
}
