/// Tabs in indentation, as editors insert them.
enum TabIndentation {
  /// The document with spaces in their place; `nil` when no width of a tab makes it readable.
  static func replaced(in file: SourceFile) -> SourceFile? {
    for width in [2, 4, 8] {
      let spaced = SourceFile(name: file.name, bytes: replaced(in: file.bytes, width: width))
      guard spaced.bytes.count <= YAMLDocument.Limit.bytes else { return nil }
      let problems = DiagnosticCollector()
      if YAMLParser.parse(spaced, reportingTo: problems) != nil, !problems.hasErrors { return spaced }
    }
    return nil
  }

  /// A tab goes on to the next multiple of `width`.
  private static func replaced(in bytes: [UInt8], width: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var column = 0
    var isIndentation = true
    for (index, byte) in bytes.enumerated() {
      if byte == 0x0A {
        isIndentation = true
        column = 0
        result.append(byte)
      } else if isIndentation, byte == 0x09 {
        let count = width - column % width
        result.append(contentsOf: repeatElement(0x20, count: count))
        column += count
      } else {
        // What follows a dash is indented, too.
        let isDash = byte == 0x2D && index + 1 < bytes.count && (bytes[index + 1] == 0x20 || bytes[index + 1] == 0x09)
        if byte != 0x20, !isDash { isIndentation = false }
        column += 1
        result.append(byte)
      }
    }
    return result
  }
}
