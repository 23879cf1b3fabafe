/// Characters that look like another one, or like none: what word processors, web pages and other keyboards put where
/// a plain one was meant.
enum Lookalike {
  /// What a character seems to be.
  struct Meaning: Hashable {
    /// The plain character; nothing for one that cannot be seen.
    var plain: String
    /// The rest of "`x` in column 3 is U+00A0, …".
    var words: String
  }

  /// One such character of a text.
  struct Found {
    var scalar: Unicode.Scalar
    /// In Unicode scalars from the text's beginning.
    var offset: Int
    var meaning: Meaning
  }

  /// What a character seems to be; `nil` for one that is what it looks like.
  static func meaning(of scalar: Unicode.Scalar) -> Meaning? {
    if scalar.isASCII { return nil }
    if isInvisible(scalar) { return Meaning(plain: "", words: "which cannot be seen") }
    switch scalar.value {
    case 0xA0, 0x202F: return Meaning(plain: " ", words: "a no-break space")
    case 0x1680, 0x2000...0x200A, 0x205F, 0x3000: return Meaning(plain: " ", words: "a space of another width")
    case 0x201C...0x201F, 0xAB, 0xBB, 0x2033: return Meaning(plain: "\"", words: "a typographic quote")
    case 0x2018...0x201B, 0x2032, 0xB4: return Meaning(plain: "'", words: "a typographic quote")
    case 0x2010...0x2015, 0x2212: return Meaning(plain: "-", words: "another dash than `-`")
    case 0xFF01...0xFF5E:
      guard let plain = Unicode.Scalar(scalar.value - 0xFEE0) else { return nil }
      return Meaning(plain: String(plain), words: "a wide `\(plain)`")
    default: break
    }
    guard let plain = letters[scalar] else { return nil }
    let script = scalar.value < 0x400 ? "Greek" : "Cyrillic"
    return Meaning(plain: String(plain), words: "a \(script) letter that looks like `\(plain)`")
  }

  /// Whether a character shows nothing at all, wherever it stands.
  static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  /// Whether it belongs to the writing of some languages and to emoji: joiners and marks of direction.
  static func isOfWriting(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Those of a text.
  static func found(in scalars: some Sequence<Unicode.Scalar>) -> [Found] {
    var result: [Found] = []
    for (offset, scalar) in scalars.enumerated() {
      if let meaning = meaning(of: scalar) { result.append(Found(scalar: scalar, offset: offset, meaning: meaning)) }
    }
    return result
  }

  /// The text that was meant by one with look-alikes; `nil` where there are none, or where the text is of another
  /// script altogether.
  static func meant(by text: String) -> String? {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
    var result = ""
    for scalar in text.unicodeScalars {
      guard scalar.isASCII || meaning(of: scalar) != nil else { return nil }
      result += meaning(of: scalar)?.plain ?? String(scalar)
    }
    // A word of only such letters may be a word of another language.
    let isMixed = text.unicodeScalars.contains { $0.isASCII || letters[$0] == nil }
    guard isMixed else { return nil }
    return unquoted(result, of: text)
  }

  /// The text without quotes around it where none are needed.
  private static func unquoted(_ text: String, of written: String) -> String? {
    var inner = text.trimming(" ")
    let quotes = ["\"", "'"].filter { inner.hasPrefix($0) != inner.hasSuffix($0) }
    // A quote on one side alone is none.
    if let quote = quotes.first, written.first?.isASCII == false || written.last?.isASCII == false {
      inner = inner.replacing(quote, with: "")
    }
    if inner.utf8.count > 2, let first = inner.first, first == "\"" || first == "'", inner.last == first,
      written.first != first
    {
      let bare = inner.dropFirst().dropLast()
      let isPlain = bare.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !bare.contains(first) && !bare.contains("\"")
      if isPlain { inner = String(bare) }
    }
    return inner.isEmpty || inner == written ? nil : inner
  }

  /// "U+200B".
  static func number(of scalar: Unicode.Scalar) -> String {
    let hex = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - hex.utf8.count)) + hex
  }

  /// Letters of other scripts by the Latin ones that they are drawn like.
  private static let letters: [Unicode.Scalar: Character] = {
    let pairs: [(String, String)] = [
      ("аеорсухіјѕһԁԛԝӏкмтвпг", "aeopcyxijshdqwlkmtbnr"), ("АВЕКМНОРСТУХІЈЅԌ", "ABEKMHOPCTYXIJSG"),
      ("οανικρυχγεητω", "oavikpuxyentw"), ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ]
    var result: [Unicode.Scalar: Character] = [:]
    for (strange, plain) in pairs {
      for (scalar, letter) in zip(strange.unicodeScalars, plain) { result[scalar] = letter }
    }
    return result
  }()
}

extension String {
  fileprivate func trimming(_ space: Character) -> String {
    var result = Substring(self)
    while result.first == space { result.removeFirst() }
    while result.last == space { result.removeLast() }
    return String(result)
  }
}
