/// A clock on which no time passes: what waits on it waits until it is cancelled.
struct StoppedClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  var now: Instant { Instant() }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    guard deadline > now else { return }
    let (never, continuation) = AsyncStream<Void>.makeStream()
    for await _ in never {}
    _ = continuation
    try Task.checkCancellation()
  }
}
