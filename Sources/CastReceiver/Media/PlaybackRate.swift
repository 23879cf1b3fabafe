import CastProtocol

/// How fast content plays, in whole millionths, so that positions come out exact.
struct PlaybackRate: Hashable, Sendable {
  static let normal = PlaybackRate(millionths: 1_000_000)

  private let millionths: Int

  private init(millionths: Int) { self.millionths = millionths }

  /// `nil` outside 0.5 to 2 (cast-protocol.md 4.2), and for what is no number.
  init?(_ rate: Double) {
    guard let millionths = Int(exactly: (rate * 1_000_000).rounded()), (500_000...2_000_000).contains(millionths) else {
      return nil
    }
    self.millionths = millionths
  }

  var factor: Double { Double(millionths) / 1_000_000 }

  /// The content time that plays in `time`.
  func content(in time: Duration) -> Duration { time * millionths / 1_000_000 }

  /// The least time in which `content` plays.
  func time(for content: Duration) -> Duration {
    let scaled = content * 1_000_000
    let time = scaled / millionths
    return time * millionths < scaled ? time + Duration(secondsComponent: 0, attosecondsComponent: 1) : time
  }
}

extension Duration {
  /// Seconds from a sender's JSON, to the nanosecond, clamped to ±100 years; `nil` for what is no number.
  init?(json: JSONValue?) {
    guard let seconds = json?.number, seconds.isFinite else { return nil }
    let limit = 3_155_760_000.0
    guard let nanoseconds = Int(exactly: (max(-limit, min(limit, seconds)) * 1e9).rounded()) else { return nil }
    self = .nanoseconds(nanoseconds)
  }

  /// Seconds for JSON, rounded down to the microsecond, so that a sender never believes to be ahead of us.
  var json: JSONValue {
    let (seconds, attoseconds) = components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    return microseconds % 1_000_000 == 0
      ? .int(Int(microseconds / 1_000_000)) : JSONValue(Double(microseconds) / 1_000_000)
  }
}
