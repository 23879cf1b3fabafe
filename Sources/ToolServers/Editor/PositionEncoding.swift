import CastProtocol
import ScenarioLanguage

/// What an editor counts columns in. Source: LSP 3.17 "Position".
package enum PositionEncoding: String, Hashable, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  /// The first that the client likes and we know; UTF-16 where it does not say.
  package init(offered: [String]) { self = offered.lazy.compactMap { PositionEncoding(rawValue: $0) }.first ?? .utf16 }

  /// How many columns a scalar takes.
  func width(of scalar: Unicode.Scalar) -> Int {
    switch self {
    case .utf8: UTF8.width(scalar)
    case .utf16: UTF16.width(scalar)
    case .utf32: 1
    }
  }
}

/// A place in a text, both from 0; the column in what the client counts in.
package struct EditorPosition: Hashable, Sendable {
  package var line: Int
  package var character: Int

  package init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }

  init?(_ json: JSONValue?) {
    guard let line = json?["line"]?.int, let character = json?["character"]?.int, line >= 0, character >= 0 else {
      return nil
    }
    self.init(line: line, character: character)
  }

  var json: JSONValue { ["line": .int(line), "character": .int(character)] }
}

/// From one place to another; the end is exclusive.
package struct EditorRange: Hashable, Sendable {
  package var start: EditorPosition
  package var end: EditorPosition

  package init(start: EditorPosition, end: EditorPosition) {
    self.start = start
    self.end = end
  }

  init?(_ json: JSONValue?) {
    guard let start = EditorPosition(json?["start"]), let end = EditorPosition(json?["end"]) else { return nil }
    self.init(start: start, end: end)
  }

  var json: JSONValue { ["start": start.json, "end": end.json] }

  func contains(_ position: EditorPosition) -> Bool {
    (start.line, start.character) <= (position.line, position.character)
      && (position.line, position.character) <= (end.line, end.character)
  }
}

extension SourceText {
  /// A span as the client counts.
  func range(of span: SourceSpan, in encoding: PositionEncoding) -> EditorRange {
    EditorRange(
      start: position(line: span.line, column: span.column, in: encoding),
      end: position(line: max(span.endLine, span.line), column: span.endColumn, in: encoding))
  }

  private func position(line: Int, column: Int, in encoding: PositionEncoding) -> EditorPosition {
    let columns = columns(line: line, column: column)
    let own =
      switch encoding {
      case .utf8: columns.bytes
      case .utf16: columns.utf16
      case .utf32: columns.scalars
      }
    return EditorPosition(line: max(line, 1) - 1, character: own - 1)
  }

  /// The column, from 1 in Unicode scalars, of a client's place; one behind the end of its line is that end.
  func column(of position: EditorPosition, in encoding: PositionEncoding) -> Int {
    var left = position.character
    var column = 1
    for scalar in line(position.line + 1).unicodeScalars {
      left -= encoding.width(of: scalar)
      if left < 0 { break }
      column += 1
    }
    return column
  }
}
