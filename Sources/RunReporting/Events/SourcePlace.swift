package import CastProtocol
package import ScenarioLanguage

/// Where something stands in a document.
package struct SourcePlace: Hashable, Sendable {
  /// The file as named to the compiler.
  package var file: String
  /// From 1.
  package var line: Int
  /// In Unicode scalars, from 1.
  package var column: Int
  /// The end, where it is told; its column is behind the last character.
  package var endLine: Int?
  package var endColumn: Int?

  package init(file: String, line: Int, column: Int, endLine: Int? = nil, endColumn: Int? = nil) {
    self.file = file
    self.line = line
    self.column = column
    self.endLine = endLine
    self.endColumn = endColumn
  }

  /// A span with its end.
  package init(_ span: SourceSpan) {
    self.init(file: span.file, line: span.line, column: span.column, endLine: span.endLine, endColumn: span.endColumn)
  }

  /// Where a span begins: what is told of steps.
  package init(startOf span: SourceSpan) { self.init(file: span.file, line: span.line, column: span.column) }

  /// `qa/ads.yaml:65:28`.
  package var text: String { "\(file):\(line):\(column)" }

  static let names = ["file", "line", "column", "endLine", "endColumn"]

  /// Reads it from the members of an event; `nil` where no place is told.
  init?(members: JSONObject) {
    func number(_ name: String) -> Int? { members[name].flatMap(Int.init(json:)) }
    guard let file = members["file"]?.string, let line = number("line"), let column = number("column") else {
      return nil
    }
    self.init(file: file, line: line, column: column, endLine: number("endLine"), endColumn: number("endColumn"))
  }

  /// `file`, `line`, `column`, `endLine`, `endColumn`.
  package var fields: JSONObject {
    var fields: JSONObject = ["file": .string(file), "line": .int(line), "column": .int(column)]
    if let endLine { fields.members.append(.init("endLine", .int(endLine))) }
    if let endColumn { fields.members.append(.init("endColumn", .int(endColumn))) }
    return fields
  }

  func emitted(hiding secrets: Secrets) -> SourcePlace {
    var place = self
    place.file = secrets.hidden(file)
    return place
  }
}
