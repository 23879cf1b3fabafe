import LanguagePages

/// A page as it stands in `Sources/LanguagePages`: a heading, paragraphs, and fenced blocks.
///
///     ## K101: unknown key or step         heading: "K101: unknown key or step"
///
///     A key, a step or a status field      paragraphs: ["A key, a step or a status field that …"]
///     that …
///
///     ```yaml wrong                        blocks: [(["yaml", "wrong"], "scenario: Hello\n…")]
///     scenario: Hello
///     …
///     ```
struct PageSection {
  let heading: String
  private(set) var paragraphs: [String] = []
  private(set) var blocks: [(words: [String], text: String)] = []

  static func all(in file: PageFile) -> [PageSection] {
    guard let start = pageText(file) else { return [] }
    var sections: [PageSection] = []
    var paragraph: [Substring] = []
    var block: (words: [String], lines: [Substring])?
    for line in String(cString: start).utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map(Substring.init)
    {
      if let open = block {
        if line == "```" {
          sections[sections.count - 1].blocks.append((open.words, open.lines.joined(separator: "\n")))
          block = nil
        } else {
          block?.lines.append(line)
        }
      } else if line.hasPrefix("## ") {
        sections.append(PageSection(heading: String(line.dropFirst(3))))
      } else if sections.isEmpty {
        continue
      } else if line.hasPrefix("```") {
        block = (line.dropFirst(3).split(separator: " ").map(String.init), [])
      } else if !line.isEmpty {
        paragraph.append(line)
      } else if !paragraph.isEmpty {
        sections[sections.count - 1].paragraphs.append(paragraph.joined(separator: " "))
        paragraph = []
      }
    }
    return sections
  }
}
