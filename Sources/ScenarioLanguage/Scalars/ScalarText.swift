/// Small helpers for reading scalars without Foundation.
enum ScalarText {
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  static func isDigits(_ text: some StringProtocol) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isDigit) }

  /// Two or three numbers with a separator between them, as times and dates are written: `07:30`, `2026-12-24`.
  struct Groups {
    var first = 0
    var second = 0
    var third: Int?
    /// How many digits the first has; all others have two.
    var width = 0
  }

  /// - Returns: `nil` where the first group has no or more than four digits, or another one not two.
  static func groups(_ text: some StringProtocol, separatedBy separator: UInt8) -> Groups? {
    var (groups, index, value, digits) = (Groups(), 0, 0, 0)
    func close() -> Bool {
      switch index {
      case 0: (groups.first, groups.width) = (value, digits)
      case 1: groups.second = value
      default: groups.third = value
      }
      return index == 0 ? digits > 0 : digits == 2
    }
    for byte in text.utf8 {
      if isDigit(byte), digits < (index == 0 ? 4 : 2) {
        (value, digits) = (value * 10 + Int(byte - 0x30), digits + 1)
      } else {
        guard byte == separator, index < 2, close() else { return nil }
        (index, value, digits) = (index + 1, 0, 0)
      }
    }
    return close() && index > 0 ? groups : nil
  }

  /// A byte as two digits.
  static func hex(_ byte: some BinaryInteger) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  /// A whole number of at most `limit` digits.
  static func int(_ text: some StringProtocol, upTo limit: Int = 18) -> Int? {
    guard isDigits(text), text.utf8.count <= min(limit, 18) else { return nil }
    return text.utf8.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// `1.5`, `2`, `-0.25`: digits, at most one point with digits on both sides.
  static func decimal(_ text: some StringProtocol, signed: Bool = true) -> Double? {
    var body = Substring(text)
    if signed, body.first == "-" { body.removeFirst() }
    let parts = body.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ isDigits($0) }), text.utf8.count <= 40 else { return nil }
    guard let value = Double(String(text)), value.isFinite else { return nil }
    return value
  }

  /// User text for a message: one line, shortened, without anything that could act on a terminal.
  static func shown(_ text: some StringProtocol) -> String {
    let limit = 60
    var result = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if index == limit { return result + "…" }
      result.append(TerminalText.escaped(scalar))
    }
    return result
  }

  /// The same between backticks.
  static func quoted(_ text: some StringProtocol) -> String { "`\(shown(text))`" }

  /// A word as it may stand between braces, in quotes where it has to; `nil` for one that cannot be shown whole.
  static func flowWord(_ word: String) -> String? {
    guard !word.isEmpty, shown(word) == word else { return nil }
    if isPlain(word, besides: "-/._"), word.first != "-" { return word }
    return word.contains { "\"\\".contains($0) } ? nil : "\"\(word)\""
  }

  /// Whether a text has only letters, digits and these other characters.
  static func isPlain(_ text: String, besides others: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || others.unicodeScalars.contains($0)
    }
  }

  /// User text for a cure: as ``shown(_:)``, but all of it.
  static func whole(_ text: some StringProtocol) -> String {
    text.unicodeScalars.map { TerminalText.escaped($0) }.joined()
  }

  /// Names for a message: the first `most`, and `…` where there are more.
  ///
  /// - Parameter count: How many there are, where `names` are not all of them.
  static func listed(_ names: some Collection<String>, most: Int = 6, of count: Int? = nil) -> String {
    names.prefix(most).joined(separator: ", ") + (count ?? names.count > most ? ", …" : "")
  }

  /// `1 item`, `2 items`.
  static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// `a scenario`, `an order`.
  static func article(_ noun: String) -> String {
    guard let first = noun.first else { return noun }
    return "aeiou".contains(first) ? "an \(noun)" : "a \(noun)"
  }
}
