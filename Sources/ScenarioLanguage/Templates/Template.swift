/// A text with placeholders that are not filled yet: names of parameters, `device.name`, `attempt`, or a saved value.
///
/// `part ${n}` is `[.text("part "), .value("n")]`.
package struct Template: Codable, Hashable, Sendable {
  package enum Part: Codable, Hashable, Sendable {
    case text(String)
    case value(String)
  }
  package var parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }

  /// Stands where a message was given already: nothing more is said about it.
  static let alreadyReported = Template([.value("")])

  /// Whether nothing in it is left to fill.
  package var isLiteral: Bool {
    parts.allSatisfy { part in
      if case .text = part { true } else { false }
    }
  }

  /// The name when it is one placeholder and nothing else.
  package var onlyName: String? {
    if parts.count == 1, case .value(let name) = parts[0] { name } else { nil }
  }

  /// The text as a document writes it.
  package var source: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .value(let name): "${\(name)}"
      }
    }.joined()
  }
}

extension Plan {
  package typealias Template = ScenarioLanguage.Template
}

/// A scalar's text taken apart at its `${name}`s (docs/language/variables.md "Substitution").
///
/// `$${a} ${b}` is `[.text("${a} "), .value("b")]`; `${` without a name behind it is `.value("")`.
struct TemplateText {
  private(set) var parts: [Template.Part] = []
  /// Where each part stands in the text, in Unicode scalars: of a placeholder its name, of one that is malformed all.
  private(set) var ranges: [Range<Int>] = []
  /// Whether the text is what it says: no placeholder, and no `$${` for a literal `${`.
  private(set) var isPlain = true
  /// Of the text, in Unicode scalars, where there is anything to put in.
  private(set) var length: Int?

  init(_ text: String) {
    guard text.utf8.contains(0x24) else {
      add(.text(text), 0..<0)
      return
    }
    let bytes = Array(text.utf8)
    var literal = ""
    // Of a byte, and how many scalars are before it.
    var (index, position) = (0, 0)
    func isOpening(_ index: Int) -> Bool {
      index + 1 < bytes.count && bytes[index] == 0x24 && bytes[index + 1] == 0x7B
    }
    while index < bytes.count {
      var next = index
      if bytes[index] == 0x24, isOpening(index + 1) {
        literal += "${"
        next += 3
        isPlain = false
      } else if isOpening(index) {
        isPlain = false
        if !literal.isEmpty { add(.text(literal), 0..<position) }
        literal = ""
        var end = index + 2
        while end < bytes.count, Self.isName(bytes[end]) { end += 1 }
        let length = end - index
        if end < bytes.count, bytes[end] == 0x7D, length > 2 {
          add(.value(String(decoding: bytes[index + 2..<end], as: UTF8.self)), position + 2..<position + length)
          next = end + 1
        } else {
          add(.value(""), position..<position + length + (end < bytes.count ? 1 : 0))
          next = end
        }
      } else {
        next = bytes[(index + 1)...].firstIndex(of: 0x24) ?? bytes.count
        literal += String(decoding: bytes[index..<next], as: UTF8.self)
      }
      // Continuation bytes of UTF-8 are no scalars.
      position += bytes[index..<next].count { $0 & 0xC0 != 0x80 }
      index = next
    }
    if !literal.isEmpty { add(.text(literal), 0..<position) }
    length = position
  }

  private mutating func add(_ part: Template.Part, _ range: Range<Int>) {
    parts.append(part)
    ranges.append(range)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2E: true
    default: false
    }
  }
}
