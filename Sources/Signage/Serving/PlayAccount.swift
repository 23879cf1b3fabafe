/// Accounts for every moment of a screen: each belongs to a play or to a gap, and they follow each other without holes.
///
/// A value; its records are for the ledger, in order.
package struct PlayAccount: Sendable {
  /// Seconds by which a clock may be set back without being a new time.
  private static let clockTolerance = 60.0

  private let screen: String
  /// Unix time up to which all is accounted for.
  package private(set) var covered: Double
  /// Why nothing is on since then, if nothing is.
  package private(set) var reason: LedgerRecord.GapReason
  private var by: LedgerRecord.Taker?

  /// - Parameters:
  ///   - time: Unix time at which the account begins.
  ///   - reason: Why nothing is on before the first play.
  package init(screen: String, from time: Double, reason: LedgerRecord.GapReason) {
    self.screen = screen
    covered = Self.milliseconds(time)
    self.reason = reason
  }

  /// Nothing of ours is on from now on, for this reason.
  package mutating func rest(
    at time: Double, _ reason: LedgerRecord.GapReason, by: LedgerRecord.Taker? = nil
  ) -> [LedgerRecord] {
    if reason == self.reason, by == self.by { return [] }
    defer { (self.reason, self.by) = (reason, by) }
    return gap(to: time)
  }

  /// Something of ours takes the screen now: what was before is a gap.
  package mutating func begin(at time: Double) -> [LedgerRecord] {
    defer { (reason, by) = (.loading, nil) }
    return gap(to: time)
  }

  /// An item was on from where the account stands to `end`.
  package mutating func play(_ play: LedgerRecord.Play, to end: Double) -> [LedgerRecord] {
    let end = max(Self.milliseconds(end), covered)
    var play = play
    (play.start, play.end) = (covered, end)
    play.shown = max(0, min(play.shown, end - covered))
    covered = end
    (reason, by) = (.loading, nil)
    return [LedgerRecord(screen: screen, .play(play))]
  }

  package func skip(_ skip: LedgerRecord.Skip) -> LedgerRecord { LedgerRecord(screen: screen, .skip(skip)) }

  /// Closes the account.
  package mutating func end(at time: Double) -> [LedgerRecord] { gap(to: time) }

  private mutating func gap(to time: Double) -> [LedgerRecord] {
    let end = Self.milliseconds(time)
    // A clock that is wrong by more is a new time, not a moment to wait for.
    if end < covered - Self.clockTolerance { covered = end }
    // One that was set back does not take back what was accounted for.
    guard end > covered else { return [] }
    defer { covered = end }
    return [LedgerRecord(screen: screen, .gap(.init(start: covered, end: end, reason: reason, by: by)))]
  }

  /// What the ledger keeps of a time.
  private static func milliseconds(_ time: Double) -> Double { (time * 1000).rounded() / 1000 }
}
