/// A word of the wire: one we know, or whatever a device says in its place.
///
/// Statuses keep the words as they came; this is how they are read. Devices echo what senders wrote, so upper and
/// lower case are the same (docs/protocol.md Q18).
package enum WireWord<Known>: Hashable, Sendable
where Known: RawRepresentable & Hashable & Sendable, Known.RawValue == String {
  case known(Known)
  case unknown(String)

  package init(_ text: String) {
    let word = Known(rawValue: text) ?? Known(rawValue: text.uppercased()) ?? Known(rawValue: text.lowercased())
    self = word.map { .known($0) } ?? .unknown(text)
  }

  /// `nil` for a word we do not know.
  package var known: Known? { if case .known(let word) = self { word } else { nil } }

  /// The word as it is written.
  package var text: String {
    switch self {
    case .known(let word): word.rawValue
    case .unknown(let text): text
    }
  }
}
