/// `showcaller fmt`: canonical spacing and indentation for a document, without knowing what it says.
package enum DocumentFormatter {
  package enum Outcome: Sendable {
    /// The document's bytes as they should be.
    case formatted([UInt8])
    /// The text cannot be read: nothing is changed.
    case refused([Diagnostic])
    /// The result would say something else than the document: a mistake of the formatter.
    case unsafe
  }

  /// Formats a document; what it means stays the same, to the last event of the YAML library.
  ///
  /// Tabs in indentation, which no YAML reader accepts, become spaces if that makes the document readable.
  package static func format(_ file: SourceFile) -> Outcome {
    var file = file
    file.bytes = unifiedBreaks(file.bytes)
    var problems = DiagnosticCollector()
    _ = YAMLParser.parse(file, reportingTo: problems)
    if problems.diagnostics.contains(where: { $0.code == .t211 }), let spaced = TabIndentation.replaced(in: file) {
      file = spaced
      problems = DiagnosticCollector()
    }
    // A file of comments alone is no scenario yet, but no mess either.
    let isReadable = problems.diagnostics.allSatisfy { $0.severity != .error || $0.code == .k105 }
    guard isReadable else { return .refused(problems.finished(file: file.name)) }
    guard file.bytes.contains(where: { $0 != 0x20 && $0 != 0x0A }) else { return .formatted([]) }
    guard let tokens = YAMLToken.scan(file.bytes) else { return .unsafe }
    let text = Array(String(decoding: file.bytes, as: UTF8.self).unicodeScalars)
    let result = Array(FormatPrinter.print(text, tokens).utf8)
    return YAMLEvent.areSame(file.bytes, result) ? .formatted(result) : .unsafe
  }

  /// The text with LF at the end of each line.
  private static func unifiedBreaks(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0x0D) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte != 0x0D {
        result.append(byte)
      } else if index + 1 == bytes.count || bytes[index + 1] != 0x0A {
        result.append(0x0A)
      }
    }
    return result
  }
}
