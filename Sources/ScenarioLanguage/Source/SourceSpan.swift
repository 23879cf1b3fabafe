/// A stretch of one source file. Lines and columns count from 1, columns in Unicode scalars; the end is exclusive.
package struct SourceSpan: Hashable, Sendable {
  /// The file as named to the compiler.
  package var file: String
  package var line: Int
  package var column: Int
  package var endLine: Int
  package var endColumn: Int

  package init(file: String, line: Int, column: Int, endLine: Int, endColumn: Int) {
    self.file = file
    self.line = line
    self.column = column
    self.endLine = endLine
    self.endColumn = endColumn
  }
}
