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
    let scalars = Array(text.unicodeScalars)
    length = scalars.count
    var literal = ""
    func isOpening(_ index: Int) -> Bool {
      index + 1 < scalars.count && scalars[index] == "$" && scalars[index + 1] == "{"
    }
    var index = 0
    while index < scalars.count {
      if scalars[index] == "$", isOpening(index + 1) {
        literal += "${"
        index += 3
        isPlain = false
      } else if isOpening(index) {
        isPlain = false
        if !literal.isEmpty { add(.text(literal), 0..<index) }
        literal = ""
        var end = index + 2
        while end < scalars.count, Self.isNameScalar(scalars[end]) { end += 1 }
        if end < scalars.count, scalars[end] == "}", end > index + 2 {
          var name = ""
          name.unicodeScalars.append(contentsOf: scalars[index + 2..<end])
          add(.value(name), index + 2..<end)
          index = end + 1
        } else {
          add(.value(""), index..<min(end + 1, scalars.count))
          index = max(end, index + 2)
        }
      } else {
        let end = scalars[(index + 1)...].firstIndex(of: "$") ?? scalars.count
        literal += String(String.UnicodeScalarView(scalars[index..<end]))
        index = end
      }
    }
    if !literal.isEmpty { add(.text(literal), 0..<index) }
  }

  private mutating func add(_ part: Template.Part, _ range: Range<Int>) {
    parts.append(part)
    ranges.append(range)
  }

  private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" || scalar == ".")
  }
}
