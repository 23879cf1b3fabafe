/// A stretch of one source file. Lines and columns count from 1, columns in Unicode scalars; the end is exclusive.
package struct SourceSpan: Hashable, Sendable {
  /// What stands for a file where somebody typed the text behind a command's name.
  package static let commandLine = "<command line>"

  /// The file as named to the compiler.
  package var file: String
  // Every node has a span, and no document is as long as 32 bits can count.
  private var storedLine: Int32
  private var storedColumn: Int32
  private var storedEndLine: Int32
  private var storedEndColumn: Int32

  package init(file: String, line: Int, column: Int, endLine: Int, endColumn: Int) {
    self.file = file
    storedLine = Int32(clamping: line)
    storedColumn = Int32(clamping: column)
    storedEndLine = Int32(clamping: endLine)
    storedEndColumn = Int32(clamping: endColumn)
  }

  package var line: Int {
    get { Int(storedLine) }
    set { storedLine = Int32(clamping: newValue) }
  }

  package var column: Int {
    get { Int(storedColumn) }
    set { storedColumn = Int32(clamping: newValue) }
  }

  package var endLine: Int {
    get { Int(storedEndLine) }
    set { storedEndLine = Int32(clamping: newValue) }
  }

  package var endColumn: Int {
    get { Int(storedEndColumn) }
    set { storedEndColumn = Int32(clamping: newValue) }
  }
}
