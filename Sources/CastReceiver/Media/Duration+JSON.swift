import CastProtocol

extension Duration {
  /// Seconds from a sender's JSON, to the nanosecond, clamped to ±100 years; `nil` for what is no number.
  init?(json: JSONValue?) {
    guard let seconds = json?.amount, seconds.isFinite else { return nil }
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
