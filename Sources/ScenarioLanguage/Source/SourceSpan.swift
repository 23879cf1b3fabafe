/// A stretch of one source file. Lines and columns count from 1, columns in Unicode scalars; the end is exclusive.
package struct SourceSpan: Codable, Hashable, Sendable {
  /// What stands for a file where somebody typed the text behind a command's name.
  package static let commandLine = "<command line>"
  /// What a command line says as a whole.
  package static let ofCommandLine = SourceSpan(file: commandLine, line: 1, column: 1, endLine: 1, endColumn: 1)

  private var name: FileName
  // Every node has a span, and no document is as long as 32 bits can count.
  private var storedLine: Int32
  private var storedColumn: Int32
  private var storedEndLine: Int32
  private var storedEndColumn: Int32

  package init(file: String, line: Int, column: Int, endLine: Int, endColumn: Int) {
    self.init(file: FileName(file), line: line, column: column, endLine: endLine, endColumn: endColumn)
  }

  init(file: FileName, line: Int, column: Int, endLine: Int, endColumn: Int) {
    name = file
    storedLine = Int32(clamping: line)
    storedColumn = Int32(clamping: column)
    storedEndLine = Int32(clamping: endLine)
    storedEndColumn = Int32(clamping: endColumn)
  }

  /// The file as named to the compiler.
  package var file: String {
    get { name.text }
    set { name = FileName(newValue) }
  }

  /// Whether it is in the same file as another span.
  func isInFile(of other: SourceSpan) -> Bool { name == other.name }

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

extension SourceSpan {
  /// Reads what ``encode(to:)`` wrote.
  package init(from decoder: any Decoder) throws {
    var parts = try decoder.unkeyedContainer()
    self.init(
      file: try parts.decode(String.self), line: try parts.decode(Int.self), column: try parts.decode(Int.self),
      endLine: try parts.decode(Int.self), endColumn: try parts.decode(Int.self))
  }

  /// A list of its parts: plans hold so many that names of members would be most of their text.
  package func encode(to encoder: any Encoder) throws {
    var parts = encoder.unkeyedContainer()
    try parts.encode(file)
    for number in [line, column, endLine, endColumn] { try parts.encode(number) }
  }
}
