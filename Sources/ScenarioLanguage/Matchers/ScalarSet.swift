/// A set of Unicode scalars, as a character class of a pattern.
struct ScalarSet: Hashable, Sendable {
  enum Element: Hashable, Sendable {
    case range(Unicode.Scalar, Unicode.Scalar)
    /// `false`: everything else.
    case digit(Bool)
    case word(Bool)
    case space(Bool)
  }

  private var elements: [Element]
  private var isNegated: Bool

  init(_ elements: [Element], isNegated: Bool) {
    self.elements = elements
    self.isNegated = isNegated
  }

  func contains(_ scalar: Unicode.Scalar, ignoringCase: Bool) -> Bool {
    var isMember = holds(scalar)
    if !isMember, ignoringCase {
      for other in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] where !isMember {
        if let folded = other.unicodeScalars.first, other.unicodeScalars.count == 1 { isMember = holds(folded) }
      }
    }
    return isMember != isNegated
  }

  private func holds(_ scalar: Unicode.Scalar) -> Bool {
    elements.contains { element in
      switch element {
      case .range(let low, let high): low <= scalar && scalar <= high
      case .digit(let wanted): ("0"..."9").contains(scalar) == wanted
      case .word(let wanted): Self.isWord(scalar) == wanted
      case .space(let wanted): scalar.properties.isWhitespace == wanted
      }
    }
  }

  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }
}
