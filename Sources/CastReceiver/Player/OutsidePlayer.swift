/// The player outside, where the receiver does not play by the clock.
struct OutsidePlayer: Hashable, Sendable {
  /// Since when no page is open; `nil`: one is.
  var goneSince: Duration?
  private(set) var lastNumber = 0

  /// How long a page may be away, as when it is loaded again.
  static let patience = Duration.seconds(5)
  /// How long content may take until it plays.
  static let loadLimit = Duration.seconds(30)
  /// How long a page may say nothing while it should play.
  static let silence = Duration.seconds(30)

  /// When a load that begins now is given up.
  func loadDeadline(at now: Duration) -> Duration { now + (goneSince == nil ? Self.loadLimit : Self.patience) }

  mutating func nextPlayback(at now: Duration) -> OutsidePlayback {
    lastNumber += 1
    return OutsidePlayback(number: lastNumber, heard: now)
  }
}

/// Content or a clip that the player outside has on.
struct OutsidePlayback: Hashable, Sendable {
  let number: Int
  /// When it was heard of last, or should have begun.
  var heard: Duration
  /// Whether it waits for data, or has not begun.
  var isBuffering = false
  /// Counts the jumps that it has to make.
  var jumps = 0
  /// Counts everything that it has to do.
  private(set) var order = 0
  private var told: Wish?

  /// The wanted state of the player.
  struct Wish: Hashable, Sendable {
    var runs: Bool
    var rate: PlaybackRate
    var jumps: Int
  }

  /// Makes what is wanted now the newest order, unless it is that already.
  mutating func order(runs: Bool, rate: PlaybackRate) {
    let wish = Wish(runs: runs, rate: rate, jumps: jumps)
    if wish == told { return }
    told = wish
    order += 1
  }

  /// Whether it shall play.
  var isWanted: Bool { told?.runs ?? false }

  init(number: Int, heard: Duration) { (self.number, self.heard) = (number, heard) }
}
