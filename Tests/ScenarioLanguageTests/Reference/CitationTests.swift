import Testing

/// Comments cite the pages of `docs/`: by section (`4.4`), by a rule of a table (`S7`) or by a heading in quotes. What a
/// page calls otherwise one day takes its citations along.
@Suite struct CitationTests {
  @Test("Every page, section, rule and heading that a source or a test cites is there")
  func citations() throws {
    let pages = try Pages()
    #expect(pages.names.contains("docs/protocol.md") && pages.names.contains("docs/language/steps.md"))
    var problems: [String] = []
    var count = 0
    for path in try Self.files(below: ["Sources", "Tests"])
    where !path.contains("/Fixtures/") && !path.hasSuffix("/CitationTests.swift") {
      let text = String(decoding: try Golden.bytes(ofFile: "\(SourceCodes.project)/\(path)"), as: UTF8.self)
      guard text.contains(".md") else { continue }
      for citation in Citation.all(in: text) {
        count += 1
        if let problem = pages.problem(of: citation) { problems.append("\(path):\(citation.line): \(problem)") }
      }
    }
    #expect(count > 250)
    #expect(problems == [])
  }

  @Test("A page, a section, a rule and a heading that are not there are told, and so is a page of another place")
  func wrong() {
    let pages = Pages(texts: [
      "docs/a.md": "# A\n\n## 4 Four\n\n### 4.4 More\n\n| rule | is |\n| S7 | x |\n\n### `load`\n",
      "README.md": "# R\n",
    ])
    let cases: [(text: String, problems: [String])] = [
      ("/// Source: docs/a.md 4, 4.4 and S7.", []), ("/// (docs/a.md 4 to 4.4)", []), ("/// docs/a.md \"load\"", []),
      ("// See README.md, docs/a.md.", []), ("let name = \"notes.md\"", []),
      ("// docs/a.md 4.5", ["docs/a.md has no section 4.5"]),
      ("// docs/a.md 4.4 and 5", ["docs/a.md has no section 5"]),
      ("// docs/a.md\n  // S8, which", ["docs/a.md has no rule S8"]),
      ("f()  // docs/a.md \"store\"", ["docs/a.md has no heading \"store\""]),
      ("@Test(\"as docs/a.md 7 says\")", ["docs/a.md has no section 7"]),
      ("/// docs/b.md 4", ["there is no docs/b.md"]), ("let page = \"docs/b.md\"", ["there is no docs/b.md"]),
      ("/// notes.md 4", ["notes.md is not a page of the project"]),
      ("/// the table\n/// of (other/notes.md 4)", ["other/notes.md is not a page of the project"]),
    ]
    for (text, problems) in cases {
      #expect(Citation.all(in: text).compactMap { pages.problem(of: $0) } == problems, "\(text)")
    }
  }

  @Test("Every link from one page to another leads to a page that is there, and to a heading of it")
  func links() throws {
    let pages = try Pages()
    var problems: [String] = []
    var count = 0
    for (page, text) in pages.texts.sorted(by: { $0.key < $1.key }) {
      for match in text.matches(of: /\]\(([^()\s]+)\)/) where !match.1.contains("://") {
        count += 1
        let parts = match.1.split(separator: "#", omittingEmptySubsequences: false)
        let target = parts[0].isEmpty ? page : Pages.path(String(parts[0]), from: page)
        guard target.hasSuffix(".md") else { continue }
        if pages.texts[target] == nil {
          problems.append("\(page): there is no \(target)")
        } else if parts.count > 1, pages.anchors[target]?.contains(String(parts[1])) != true {
          problems.append("\(page): \(target) has no heading #\(parts[1])")
        }
      }
    }
    #expect(count > 50)
    #expect(problems == [])
  }

  /// The files below some folders of the project, by their paths in it.
  static func files(below folders: [String], ending ends: [String] = [".swift", ".proto", ".h"]) throws -> [String] {
    var found: [String] = []
    var folders = folders
    while let folder = folders.popLast() {
      for entry in TestFiles.names(in: "\(SourceCodes.project)/\(folder)") where !entry.hasPrefix(".") {
        if ends.contains(where: entry.hasSuffix) {
          found.append("\(folder)/\(entry)")
        } else if !entry.contains(".") {
          folders.append("\(folder)/\(entry)")
        }
      }
    }
    return found.sorted()
  }
}

/// What a text says about one page.
struct Citation {
  enum Place: Hashable {
    case section(String)
    case rule(String)
    case heading(String)
  }

  var page: String
  var places: [Place]
  var line: Int

  /// The citations of comments, and those of pages of `docs/` wherever they stand.
  static func all(in text: String) -> [Citation] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var found: [Citation] = []
    for (index, line) in lines.enumerated() where line.contains(".md") {
      // A citation may go on in the next line of its comment.
      var whole = String(line)
      if index + 1 < lines.count, let next = lines[index + 1].wholeMatch(of: /\s*\/\/\/?\s*(.*)/) {
        whole += " \(next.1)"
      }
      let comment = line.firstMatch(of: /(?:^|\s)\/\//)?.range.lowerBound
      for match in whole.matches(of: /[A-Za-z0-9_.\/\-]*[A-Za-z0-9_\-]\.md\b/) {
        let offset = whole.utf8.distance(from: whole.startIndex, to: match.range.lowerBound)
        // What the next line names is that line's.
        if offset >= line.utf8.count { continue }
        let start = comment.map { line.utf8.distance(from: line.startIndex, to: $0) } ?? .max
        guard offset >= start || match.0.hasPrefix("docs/") else { continue }
        found.append(
          Citation(page: String(match.0), places: places(in: whole[match.range.upperBound...]), line: index + 1))
      }
    }
    return found
  }

  /// The sections, rules and headings right behind a page: `4.4`, `1.2 and 1.3`, `4 to 6`, `S2, S7`, `"Retry"`.
  private static func places(in text: Substring) -> [Place] {
    var places: [Place] = []
    var rest = text
    while let match = rest.prefixMatch(
      of: /(?:,? and |, | to | )(?:"([^"]+)"|([A-Z][0-9]+)(?![A-Za-z0-9])|([0-9]+(?:\.[0-9]+)*)(?![A-Za-z0-9%]))/)
    {
      if let heading = match.1 { places.append(.heading(String(heading))) }
      if let rule = match.2 { places.append(.rule(String(rule))) }
      if let section = match.3 { places.append(.section(String(section))) }
      rest = rest[match.range.upperBound...]
    }
    return places
  }
}

/// The pages that may be cited, with all their places.
struct Pages {
  var texts: [String: String]
  private var places: [String: Set<Citation.Place>] = [:]
  /// What links to headings are called.
  private(set) var anchors: [String: Set<String>] = [:]
  var names: Set<String> { Set(texts.keys) }

  init() throws {
    var texts: [String: String] = [:]
    let pages = try CitationTests.files(below: ["docs"], ending: [".md"])
    for page in pages + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
      texts[page] = String(decoding: try Golden.bytes(ofFile: "\(SourceCodes.project)/\(page)"), as: UTF8.self)
    }
    self.init(texts: texts)
  }

  init(texts: [String: String]) {
    self.texts = texts
    for (page, text) in texts {
      var places: Set<Citation.Place> = []
      var anchors: Set<String> = []
      for line in text.split(separator: "\n") {
        if let rule = line.prefixMatch(of: /\| ([A-Z][0-9]+) \|/) { places.insert(.rule(String(rule.1))) }
        guard let heading = line.wholeMatch(of: /#+ (.+)/)?.1 else { continue }
        let title = String(heading.filter { $0 != "`" })
        places.insert(.heading(title))
        if let number = title.prefixMatch(of: /[0-9]+(\.[0-9]+)*(?= )/)?.0 { places.insert(.section(String(number))) }
        let kept = title.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
        anchors.insert(String(kept.map { $0 == " " ? "-" : $0 }))
      }
      self.places[page] = places
      self.anchors[page] = anchors
    }
  }

  /// What is wrong with a citation; the first thing.
  func problem(of citation: Citation) -> String? {
    guard let places = places[citation.page] else {
      let isOurs = citation.page.hasPrefix("docs/")
      return isOurs ? "there is no \(citation.page)" : "\(citation.page) is not a page of the project"
    }
    switch citation.places.first(where: { !places.contains($0) }) {
    case nil: return nil
    case .section(let section): return "\(citation.page) has no section \(section)"
    case .rule(let rule): return "\(citation.page) has no rule \(rule)"
    case .heading(let heading): return "\(citation.page) has no heading \"\(heading)\""
    }
  }

  /// The page that `link` means in `page`.
  static func path(_ link: String, from page: String) -> String {
    var parts = page.split(separator: "/").dropLast()
    for part in link.split(separator: "/") {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }
}
