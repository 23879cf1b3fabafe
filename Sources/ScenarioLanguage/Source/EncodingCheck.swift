/// Finds what cannot be in a text file before the YAML library sees it (Y308).
enum EncodingCheck {
  private static let shownLimit = 10

  /// Reports a wrong encoding and characters that do not belong in a document; `false`: there is no text to parse.
  static func check(_ file: SourceFile, reportingTo diagnostics: DiagnosticCollector) -> Bool {
    let bytes = file.bytes
    func report(_ message: String, _ line: Int, _ column: Int, label: String = "", help: String) {
      let span = SourceSpan(file: file.name, line: line, column: column, endLine: line, endColumn: column + 1)
      diagnostics.report(.error, .y308, message, at: .init(span, label), footers: [.help(help)])
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || looksLikeUTF16(bytes) {
      report("this file is UTF-16", 1, 1, help: "save it as UTF-8")
      return false
    }
    if bytes.markLength > 0 {
      report("this file begins with a byte order mark", 1, 1, help: "save it as UTF-8 without BOM")
    }
    var isSound = true
    var found = 0
    scan(bytes) { problem, line, column in
      isSound = false
      found += 1
      switch problem {
      case .invalid:
        report("a byte here is not UTF-8", line, column, label: "not UTF-8", help: "save the file as UTF-8")
      case .scalar(let scalar):
        report(
          "the character \(Lookalike.number(of: scalar)) cannot be in a document", line, column,
          label: scalar.value == 0 ? "NUL" : scalar.value < 0xA0 ? "control character" : "not visible",
          help: "remove it; in double quotes an escape such as `\\u2028` can stand for it")
      }
      return found < shownLimit
    }
    return isSound
  }

  private enum Problem {
    case invalid
    case scalar(Unicode.Scalar)
  }

  private static func looksLikeUTF16(_ bytes: [UInt8]) -> Bool {
    let head = bytes.prefix(8)
    guard head.count >= 4 else { return false }
    let zeros = head.enumerated().filter { $0.element == 0 }
    return zeros.count * 2 == head.count && Set(zeros.map { $0.offset % 2 }).count == 1
  }

  /// Calls `body` for each problem with line and column, from 1, columns in Unicode scalars, until it returns false.
  private static func scan(_ bytes: [UInt8], _ body: (Problem, Int, Int) -> Bool) {
    if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) { return }
    var line = 1
    var column = 1
    var index = bytes.markLength
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0A || (byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)) {
        line += 1
        column = 1
        index += 1
        continue
      }
      if byte == 0x0D {
        index += 1
        continue
      }
      let (scalar, length) = decode(bytes, at: index)
      if let scalar {
        if isRefused(scalar), !body(.scalar(scalar), line, column) { return }
      } else if !body(.invalid, line, column) {
        return
      }
      index += length
      column += 1
    }
  }

  /// Refused besides what YAML calls not printable: what the YAML library takes for the end of a line.
  private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09: false
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  /// The scalar at a byte and how many bytes it takes; nothing and 1 where there is no UTF-8.
  static func decode(_ bytes: [UInt8], at index: Int) -> (Unicode.Scalar?, Int) {
    let first = bytes[index]
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first <= 0xF4, index + length <= bytes.count else { return (nil, 1) }
    var value = UInt32(first) & (0xFF >> UInt32(length + 1))
    for offset in 1..<length {
      let next = bytes[index + offset]
      guard next & 0xC0 == 0x80 else { return (nil, 1) }
      value = value << 6 | UInt32(next & 0x3F)
    }
    let smallest: UInt32 = [0, 0, 0x80, 0x800, 0x10000][length]
    guard value >= smallest, let scalar = Unicode.Scalar(value) else { return (nil, 1) }
    return (scalar, length)
  }
}
