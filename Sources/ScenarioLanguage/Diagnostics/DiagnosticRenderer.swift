/// Draws diagnostics for a terminal or a log, in the format of docs/language/codes.md "How a problem is told".
package struct DiagnosticRenderer: Sendable {
  /// Longer source lines are cut to what surrounds the underline.
  private static let longestLine = 200
  private static let contextBefore = 60

  private let sources: [String: SourceText]
  private let isColored: Bool
  /// The columns there are; `nil`: as many as it takes.
  private let width: Int?

  /// - Parameters:
  ///   - sources: The files that spans refer to; a span in another file is named, not quoted.
  ///   - isColored: Whether to use ANSI colors.
  ///   - width: The columns of the terminal: texts are broken at spaces and source lines cut, so that carets stay under
  ///     what they mean. `nil` where nobody draws columns.
  package init(sources: [SourceFile], isColored: Bool = false, width: Int? = nil) {
    self.sources = Dictionary(sources.map { ($0.name, SourceText($0)) }, uniquingKeysWith: { first, _ in first })
    self.isColored = isColored
    self.width = width.map { max(20, $0) }
  }

  /// All of them, with an empty line between two; each line ends with a newline.
  package func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { render($0) + "\n" }.joined(separator: "\n")
  }

  /// One diagnostic, without a newline at the end.
  package func render(_ diagnostic: Diagnostic) -> String {
    let labels = [diagnostic.primary] + diagnostic.related
    let lastLine = labels.map(\.span.line).max() ?? 1
    let gutter = String(repeating: " ", count: String(lastLine).utf8.count)
    var lines: [String] = []

    let head = "\(diagnostic.severity.rawValue)[\(diagnostic.code)]"
    let message = TerminalText.escapedLines(TerminalText.joined(diagnostic.message))
    for (index, part) in wrapped("\(head): \(message)", hanging: 2).enumerated() {
      let own = index == 0 ? part.dropFirst(head.count) : part[...]
      lines.append((index == 0 ? painted(head, color(diagnostic.severity)) : "") + painted(String(own), .bold))
    }

    let primary = diagnostic.primary.span
    for (index, file) in filesInOrder(labels, first: primary.file).enumerated() {
      let inFile = labels.indices.filter { labels[$0].span.file == file }
      let place = index == 0 ? primary : labels[inFile[0]].span
      let arrow = index == 0 ? "-->" : ":::"
      lines.append("\(gutter)\(painted(arrow, .frame)) \(fileName(file)):\(place.line):\(place.column)")
      guard let source = sources[file] else { continue }
      lines.append("\(gutter) \(painted("|", .frame))")
      let marked = inFile.map { Mark(label: labels[$0], isPrimary: $0 == 0) }
      append(marked, of: source, gutter: gutter, severity: diagnostic.severity, to: &lines)
    }
    append(diagnostic.footers, gutter: gutter, to: &lines)
    return lines.joined(separator: "\n")
  }

  // MARK: Source lines

  private struct Mark {
    var label: Diagnostic.Label
    var isPrimary: Bool
  }

  private func filesInOrder(_ labels: [Diagnostic.Label], first: String) -> [String] {
    var files = [first]
    for label in labels where !files.contains(label.span.file) { files.append(label.span.file) }
    return files
  }

  private func append(
    _ marks: [Mark], of source: SourceText, gutter: String, severity: Diagnostic.Severity, to lines: inout [String]
  ) {
    var last: Int?
    for number in Set(marks.map(\.label.span.line)).sorted() {
      if let last, number > last + 1 { lines.append("...") }
      last = number
      let here = marks.filter { $0.label.span.line == number }
      let count = source.length(ofLine: number)
      let room = width.map { $0 - gutter.utf8.count - 3 }
      let window = window(source, number, here, room: room)
      let scalars = source.scalars(ofLine: number, window).map(TerminalText.inPlace)
      var shown = window.lowerBound > 0 ? "…" : ""
      shown.unicodeScalars.append(contentsOf: scalars)
      if window.upperBound < count { shown += "…" }
      let digits = String(number)
      let padding = String(repeating: " ", count: max(0, gutter.utf8.count - digits.utf8.count))
      lines.append(painted("\(padding)\(digits) |", .frame) + (shown.isEmpty ? "" : " \(shown)"))

      // What stands further right is drawn first, so that its text does not cross another underline.
      let order = here.indices.sorted { (here[$0].label.span.column, $0) > (here[$1].label.span.column, $1) }
      for index in order {
        let span = here[index].label.span
        // In scalars of the line, then in cells of the terminal.
        let start = min(max(span.column - 1, window.lowerBound), window.upperBound)
        let end = min(span.endLine == span.line ? span.endColumn - 1 : count, window.upperBound)
        let before = start - window.lowerBound
        let length = max(end - start, 1)
        let marked = scalars.dropFirst(before).prefix(length)
        let cells = max(DisplayWidth.of(marked) + (length - marked.count), 1)
        let indent = String(
          repeating: " ", count: DisplayWidth.of(scalars.prefix(before)) + (window.lowerBound > 0 ? 1 : 0))
        let underline = String(repeating: here[index].isPrimary ? "^" : "-", count: cells)
        let text = TerminalText.escapedLines(TerminalText.joined(here[index].label.text))
        let style = here[index].isPrimary ? color(severity) : .frame
        var rows = [underline + (text.isEmpty ? "" : " \(text)")]
        if let room, !text.isEmpty, indent.count + cells + 1 + DisplayWidth.of(text.unicodeScalars) > room {
          // The label stands below, from the left.
          rows = [underline] + TextWrap.lines("  \(text)", width: room, hanging: 2)
        }
        for (position, row) in rows.enumerated() {
          lines.append("\(gutter) \(painted("|", .frame)) \(position == 0 ? indent : "")\(painted(row, style))")
        }
      }
    }
  }

  /// The part of a long line that is shown.
  private func window(_ source: SourceText, _ line: Int, _ marks: [Mark], room: Int?) -> Range<Int> {
    let length = source.length(ofLine: line)
    if let room, let mark = marks.first(where: \.isPrimary) ?? marks.first {
      let start = min(max(0, mark.label.span.column - 1), length)
      let end = mark.label.span.endLine == line ? min(max(start, mark.label.span.endColumn - 1), length) : length
      return TextWrap.window(
        source.scalars(ofLine: line, 0..<length).map(TerminalText.inPlace), marked: start..<end, width: room)
    }
    guard length > Self.longestLine, let first = marks.map(\.label.span.column).min() else { return 0..<length }
    let start = min(max(0, first - 1 - Self.contextBefore), length)
    return start..<min(length, start + Self.longestLine)
  }

  private func append(_ footers: [Diagnostic.Footer], gutter: String, to lines: inout [String]) {
    if footers.isEmpty { return }
    lines.append("\(gutter) \(painted("|", .frame))")
    for footer in footers {
      let (word, text) =
        switch footer {
        case .help(let text): ("help", text)
        case .note(let text): ("note", text)
        }
      let parts = TerminalText.escapedLines(text).split(separator: "\n", omittingEmptySubsequences: false)
      // As wide as what stands in front of a text.
      let head = "\(gutter) = \(word):"
      let first = wrapped("\(head) \(parts.first ?? "")", hanging: gutter.utf8.count + 3)
      let own = first.first.map { String($0.dropFirst(head.count)) } ?? ""
      lines.append("\(gutter) \(painted("=", .frame)) \(painted("\(word):", .bold))\(own)")
      lines += first.dropFirst()
      for part in parts.dropFirst() { lines += wrapped("\(gutter)   \(part)", hanging: gutter.utf8.count + 3) }
    }
  }

  private func wrapped(_ line: String, hanging: Int) -> [String] {
    guard let width else { return [line] }
    return TextWrap.lines(line, width: width, hanging: hanging)
  }

  private func fileName(_ name: String) -> String { TerminalText.escapedLines(TerminalText.joined(name, by: "\\n")) }

  // MARK: Colors

  private enum Style: String {
    case bold = "1"
    case error = "1;31"
    case warning = "1;33"
    case note = "1;36"
    case frame = "1;34"
  }

  private func color(_ severity: Diagnostic.Severity) -> Style {
    switch severity {
    case .error: .error
    case .warning: .warning
    case .note: .note
    }
  }

  private func painted(_ text: String, _ style: Style) -> String {
    isColored ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
