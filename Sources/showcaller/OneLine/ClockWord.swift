import CastProtocol

extension Written {
  /// A position: as documents write it, or `1:05` and `1:02:03`, as players show it and `status` does.
  init(position word: Word) {
    self = Self.duration(ofClock: word.text).map { .meant(text: $0, shown: word.text) } ?? .word(word.text)
  }

  /// `1:05` as `1m5s`, with its sign; `nil` for what is no time of a player.
  private static func duration(ofClock text: String) -> String? {
    let sign = text.hasPrefix("-") ? "-" : text.hasPrefix("+") ? "+" : ""
    let parts = text.dropFirst(sign.count).split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.allSatisfy({ (1...3).contains($0.utf8.count) }) else { return nil }
    let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
    // Only the first part has one digit or may be 60 and more.
    guard numbers.count == parts.count, parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    let units = numbers.count == 3 ? ["h", "m", "s"] : ["m", "s"]
    return sign + zip(numbers, units).map { "\($0)\($1)" }.joined()
  }
}
