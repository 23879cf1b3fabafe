/// Names of runs: 26 characters that sort by time (the ULID form: 48 bits of milliseconds, 80 random bits).
package enum RunID {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  /// A new name.
  package static func make(unixMilliseconds: UInt64, using generator: inout some RandomNumberGenerator) -> String {
    var characters: [Character] = []
    for shift in stride(from: 45, through: 0, by: -5) {
      characters.append(alphabet[Int(unixMilliseconds >> UInt64(shift)) & 31])
    }
    for _ in 0..<16 { characters.append(alphabet[Int.random(in: 0..<32, using: &generator)]) }
    return String(characters)
  }

  /// Whether `name` could be one of ours.
  package static func isOne(_ name: String) -> Bool { name.count == 26 && name.allSatisfy(alphabet.contains) }
}
