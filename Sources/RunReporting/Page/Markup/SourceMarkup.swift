import CastProtocol
import ScenarioLanguage

/// Lines of documents, with a span underlined.
struct SourceMarkup {
  private let texts: [String: SourceText]
  private static let lineLimit = 400

  init(_ texts: [String: String]) {
    self.texts = texts.reduce(into: [:]) { known, text in
      known[text.key] = SourceText(SourceFile(name: text.key, bytes: Array(text.value.utf8)))
    }
  }

  /// The lines from `place` on, the line before them among them; where no text is known, the place alone.
  func html(_ place: SourcePlace?) -> HTML {
    guard let place, place.line > 0 else { return "" }
    let name: HTML = "<p class=\"place\"><code>\(place.text)</code></p>"
    guard let text = texts[place.file], place.line <= text.lineCount else { return name }
    let last = min(text.lineCount, max(place.line, min(place.endLine ?? place.line, place.line + 5)))
    let lines = (max(1, place.line - 1)...last).map { number -> HTML in
      "<li value=\"\(number)\"\(" class=\"near\"", if: number < place.line)>\(line(number, text, place))</li>"
    }
    return "\(name)<ol class=\"source\">\(lines)</ol>"
  }

  private func line(_ number: Int, _ text: SourceText, _ place: SourcePlace) -> HTML {
    let scalars = Array(text.line(number).unicodeScalars.prefix(Self.lineLimit).map(TerminalText.inPlace))
    func part(_ range: Range<Int>) -> String {
      var part = String.UnicodeScalarView()
      part.append(contentsOf: scalars[range.clamped(to: scalars.indices)])
      return String(part)
    }
    guard number >= place.line else { return "\(part(0..<scalars.count))" }
    let indent = scalars.firstIndex { $0 != " " } ?? 0
    let start = min(scalars.count, number == place.line ? max(0, place.column - 1) : indent)
    let isLast = number == (place.endLine ?? place.line)
    let end = isLast ? place.endColumn.map { min(scalars.count, max(start, $0 - 1)) } ?? scalars.count : scalars.count
    return "\(part(0..<start))<mark>\(part(start..<end))</mark>\(part(end..<scalars.count))"
  }

  /// Whole documents, as they were run, each cut where there is no more room.
  /// - Parameter files: Which, in their order.
  func whole(_ files: [String], limit: Int) -> HTML {
    var left = limit
    return files.reduce(into: "") { html, file in
      guard let text = texts[file] else { return }
      var lines: HTML = ""
      var count = 0
      while count < text.lineCount, left > 0 {
        count += 1
        let shown = HTML.cut(
          text.line(count).unicodeScalars.reduce(into: "") { $0.unicodeScalars.append(TerminalText.inPlace($1)) },
          to: 2_000)
        let line: HTML = "<li>\(shown)</li>"
        left -= line.bytes
        lines += line
      }
      let rest = text.lineCount - count
      let more: HTML = rest > 0 ? "<p class=\"left\">\(rest) more lines are not on this page.</p>" : ""
      html += "<details><summary><code>\(file)</code></summary><ol class=\"source\">\(lines)</ol>\(more)</details>"
    }
  }
}
