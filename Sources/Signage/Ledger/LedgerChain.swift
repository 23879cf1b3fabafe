import CastProtocol
import CastTransport
package import ScenarioLanguage

/// Makes the lines of a ledger: each has a number, the hash of the line before it, and its own.
///
/// The hash is the SHA-256 of the line as it would be without its last member, which is the hash itself
/// (docs/language/playlist.md "Proof of play").
package struct LedgerChain: Sendable {
  /// The end of a chain: what the next line follows.
  package struct Link: Hashable, Sendable {
    /// Of the last line; lines count from 1.
    package var number: Int
    /// Of the last line, in lower-case hexadecimal.
    package var hash: String

    package init(number: Int, hash: String) {
      self.number = number
      self.hash = hash
    }

    /// What the first line of all follows.
    package static let start = Link(number: 0, hash: String(repeating: "0", count: 64))
  }

  static let version = 1
  /// What stands before the hash, and what behind.
  static let hashStart = #","hash":""#
  static let hashEnd = #""}"#

  package private(set) var last: Link
  private let zone: TimeZoneRules

  /// A chain that goes on behind `last`, by the clocks of `zone`.
  package init(after last: Link = .start, in zone: TimeZoneRules) {
    self.last = last
    self.zone = zone
  }

  /// The line of a record with its line break; the next one follows it. `nil` where the crypto library refuses.
  package mutating func line(_ record: LedgerRecord) -> String? {
    let number = last.number + 1
    var object: JSONObject = ["v": .int(Self.version), "n": .int(number), "prev": .string(last.hash)]
    object.members += record.members(in: zone)
    let text = object.serialized()
    guard let hash = Digest.sha256(Array(text.utf8)) else { return nil }
    last = Link(number: number, hash: hash)
    return text.dropLast() + Self.hashStart + hash + Self.hashEnd + "\n"
  }
}
