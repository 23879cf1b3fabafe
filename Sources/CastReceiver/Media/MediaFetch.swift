/// Content that a receiver looks at before it plays it, where it really fetches (docs/protocol.md 6.3).
package struct MediaFetch: Hashable, Sendable {
  /// Counts the fetches of an app session.
  let id: Int
  /// As the sender wrote it.
  package let address: String

  /// What came of it.
  package enum Outcome: Hashable, Sendable {
    /// The content is there; `nil`: it does not say how long it lasts.
    case found(duration: Duration?)
    /// It is not, or not in time.
    case missing
    /// A player knows what it is; `nil`: it has no end.
    case played(duration: Duration?)
    /// A player cannot play it (docs/protocol.md 5.9).
    case failed(code: Int)
  }

  /// How long it may take.
  package static let limit = Duration.seconds(30)
}
