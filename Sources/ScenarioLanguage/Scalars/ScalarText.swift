/// Small helpers for reading scalars without Foundation.
enum ScalarText {
  static func isDigits(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// A whole number of at most `limit` digits.
  static func int(_ text: some StringProtocol, upTo limit: Int = 18) -> Int? {
    isDigits(text) && text.utf8.count <= limit ? Int(String(text)) : nil
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
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-/._".unicodeScalars.contains($0)
    }
    if isPlain, word.first != "-" { return word }
    return word.contains { "\"\\".contains($0) } ? nil : "\"\(word)\""
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

  /// `a scenario`, `an order`.
  static func article(_ noun: String) -> String {
    guard let first = noun.first else { return noun }
    return "aeiou".contains(first) ? "an \(noun)" : "a \(noun)"
  }
}
