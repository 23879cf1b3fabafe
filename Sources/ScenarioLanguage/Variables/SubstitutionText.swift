/// A scalar's text taken apart at its `${name}`s (docs/language/variables.md "Substitution").
struct SubstitutionText {
  enum Part: Hashable {
    case text(String)
    /// A name, and its place in the text in Unicode scalars.
    case hole(String, Range<Int>)
    /// `${` without a sound name behind it.
    case malformed(Range<Int>)
  }

  var parts: [Part] = []
  /// Whether anything differs from the plain text: a hole, or `$${` for a literal `${`.
  var isPlain = true
  /// Of the text, in Unicode scalars, where there is anything to put in.
  private(set) var length: Int?

  /// The one name, when the whole text is one hole.
  var onlyHole: (name: String, range: Range<Int>)? {
    if parts.count == 1, case .hole(let name, let range) = parts[0] { (name, range) } else { nil }
  }

  init(_ text: String) {
    guard text.utf8.contains(0x24) else {
      parts = [.text(text)]
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
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = ""
        var end = index + 2
        while end < scalars.count, Self.isNameScalar(scalars[end]) { end += 1 }
        if end < scalars.count, scalars[end] == "}", end > index + 2 {
          var name = ""
          name.unicodeScalars.append(contentsOf: scalars[index + 2..<end])
          parts.append(.hole(name, index + 2..<end))
          index = end + 1
        } else {
          parts.append(.malformed(index..<min(end + 1, scalars.count)))
          index = max(end, index + 2)
        }
      } else {
        literal.unicodeScalars.append(scalars[index])
        index += 1
      }
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
  }

  private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" || scalar == ".")
  }
}
