/// Pages as `explain` prints them.
package enum PageText {
  private static let width = 100

  /// A page of a code, with its examples indented.
  ///
  /// - Parameter exitCode: What follows where the code ends a run or a check.
  package static func text(_ page: CodePage, exitCode: Int) -> String {
    var lines = ["\(page.code): \(page.title)", ""]
    lines += wrapped(page.why, indent: 0) + [""] + wrapped(page.cure, indent: 0)
    switch page.source {
    case .document, .nothing: break
    case .simulation:
      lines += [""] + wrapped("Found by `check` on a virtual clock; `--no-simulate` leaves it out.", indent: 0)
    case .run:
      let exit = page.code == .r706 ? "" : " Exit code \(exitCode)."
      lines +=
        [""]
        + wrapped(
          "Told by `run`, not by `check`: both examples are valid, and where the first may fail the second holds.\(exit)",
          indent: 0)
    case .probe:
      lines +=
        [""]
        + wrapped(
          "Found by `check --probe` and `probe`, which fetch what a document names; without them both examples are valid.",
          indent: 0)
    }
    let names = [.run, .probe].contains(page.source) ? ("may fail", "better") : ("wrong", "right")
    if let wrong = page.wrong { lines += ["", names.0] + example(wrong) }
    lines += ["", page.wrong == nil ? "example" : names.1] + example(page.right)
    return lines.joined(separator: "\n")
  }

  private static func example(_ example: CodePage.Example) -> [String] {
    var lines: [String] = []
    for (name, value) in example.environment { lines.append("  $ export \(name)=\(value)") }
    lines += indented(example.text)
    for file in example.files { lines += ["", "  # \(file.name)"] + indented(file.text) }
    return lines
  }

  /// The page of a word.
  package static func text(_ page: TopicPage) -> String {
    var lines: [String] = []
    for section in page.sections {
      if !lines.isEmpty { lines.append("") }
      lines.append(section.heading)
      for note in section.notes { lines += wrapped(note, indent: 2) }
      let column = min(24, (section.rows.map(\.name.count).max() ?? 0) + 4)
      for row in section.rows {
        let name = row.name + String(repeating: " ", count: max(2, column - 2 - row.name.count))
        lines += wrapped(name + type(of: row), indent: 2, hanging: column)
        lines += wrapped(row.summary, indent: column)
      }
    }
    if let example = page.example { lines += ["", "example"] + indented(example) }
    if !page.related.isEmpty {
      lines += [""] + wrapped("see also: \(page.related.joined(separator: ", "))", indent: 0)
    }
    return lines.joined(separator: "\n")
  }

  private static func type(of row: TopicPage.Row) -> String {
    row.type + (row.defaultText.map { " = \($0)" } ?? "") + (row.isRequired ? "  (required)" : "")
  }

  /// All codes with their titles, and all words.
  package static func index() -> String {
    var lines: [String] = []
    for family in Code.Family.allCases {
      lines += ["\(family.rawValue)  \(family.title)"]
      for page in CodePages.all where page.code.family == family { lines.append("  \(page.code)  \(page.title)") }
      lines.append("")
    }
    lines += ["words"] + wrapped(Topics.names.joined(separator: " "), indent: 2)
    return lines.joined(separator: "\n")
  }

  private static func indented(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      // A tab or a control character would not be seen.
      "  " + String(String.UnicodeScalarView(line.unicodeScalars.map(TerminalText.inPlace)))
    }
  }

  /// Words in lines of at most the page's width; lines after the first are indented by `hanging`.
  private static func wrapped(_ text: String, indent: Int, hanging: Int? = nil) -> [String] {
    guard !text.isEmpty else { return [] }
    var lines: [String] = []
    var line = String(repeating: " ", count: indent)
    var isEmpty = true
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: hanging ?? indent)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }
}
