/// One line of an iCalendar text, put together from its folded parts (RFC 5545 3.1).
struct ICalendarLine {
  /// Where it begins in the file, from 1.
  var number: Int
  /// In capitals.
  var name: String
  /// By their names in capitals, quotes taken off.
  var parameters: [String: String] = [:]
  /// Without the blanks at its end, which some programs write.
  var value: String

  /// `nil` for what is no `NAME:value`.
  init?(_ bytes: [UInt8], number: Int) {
    self.number = number
    var scanner = Scanner(bytes)
    let name = scanner.word()
    guard !name.isEmpty else { return nil }
    self.name = Self.text(name).uppercased()
    while scanner.skip(UInt8(ascii: ";")) {
      let parameter = scanner.word()
      guard !parameter.isEmpty, scanner.skip(UInt8(ascii: "=")), let value = scanner.parameterValue() else {
        return nil
      }
      parameters[Self.text(parameter).uppercased()] = Self.text(value)
    }
    guard scanner.skip(UInt8(ascii: ":")) else { return nil }
    let end = scanner.rest.lastIndex { $0 > 0x20 } ?? scanner.rest.startIndex - 1
    value = Self.text(scanner.rest[...end])
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

  private struct Scanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var rest: ArraySlice<UInt8> { bytes[position...] }

    mutating func skip(_ byte: UInt8) -> Bool {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
      return true
    }

    /// Letters, digits, `-`, and `_`, which some programs write.
    mutating func word() -> ArraySlice<UInt8> {
      let start = position
      while position < bytes.count, ScalarText.isLetterOrDigit(bytes[position]) || "-_".utf8.contains(bytes[position]) {
        position += 1
      }
      return bytes[start..<position]
    }

    /// Up to the next `;` or `:` that is not within quotes; `nil` where quotes stay open.
    mutating func parameterValue() -> [UInt8]? {
      var value: [UInt8] = []
      var isQuoted = false
      while position < bytes.count {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\"") {
          isQuoted.toggle()
        } else if !isQuoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") {
          break
        } else {
          value.append(byte)
        }
        position += 1
      }
      return isQuoted ? nil : value
    }
  }
}

/// The lines of an iCalendar text, unfolded; those without a character are left out.
struct ICalendarLines: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var position: Int
  private var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.markLength
  }

  mutating func next() -> (number: Int, bytes: [UInt8])? {
    while position < bytes.count {
      var line = Array(physical())
      let first = number
      // A fold may stand within a character, so bytes are joined.
      while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 {
        line += physical().dropFirst()
      }
      if line.contains(where: { $0 > 0x20 }) { return (first, line) }
    }
    return nil
  }

  /// Up to the next LF, without it and the CR in front of it.
  private mutating func physical() -> ArraySlice<UInt8> {
    let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
    let line = bytes[position..<end]
    position = end + 1
    number += 1
    return line.last == 0x0D ? line.dropLast() : line
  }
}
