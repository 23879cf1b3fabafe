import CastProtocol
import Signage

/// The ledger of a playlist beside that of the receiver: an entry with no play, and a play with no entry.
package struct PlayChecker: Checker {
  package let name = "play"
  /// What may pass between a status and what is made of it, in seconds.
  private static let grace = 1.0

  package init() {}

  package func problems(in trace: Trace) -> [String] {
    guard trace.error == nil, trace.script.isTrue, let served = trace.served else { return [] }
    var problems: [String] = []
    var plays: [String: [LedgerRecord.Play]] = [:]
    for record in trace.records {
      guard case .play(let play) = record.kind else { continue }
      plays[record.screen, default: []].append(play)
      guard let playing = play.evidence.playingAt else { continue }
      let time = playing - served.start
      let told = trace.ledgers[record.screen]?.told ?? []
      let isPlayed = told.contains { status in
        Self.isPlaying(status) && status.time <= time + 0.001 && Self.session(status) == play.evidence.session
      }
      if !isPlayed {
        problems.append("\(record.screen) has \(play.item) on from \(time) s, and its receiver did not play it")
      }
    }
    // What was lost on the way nobody can know of.
    guard trace.script.isFaithful else { return problems }
    for (screen, ledger) in trace.ledgers.sorted(by: { $0.key < $1.key }) {
      problems += unknown(ledger, on: screen, plays[screen] ?? [], served, trace)
    }
    return problems
  }

  /// What plays of ours are told for longer than the ledger could miss, and are in no entry.
  private func unknown(
    _ ledger: ReceiverLedger, on screen: String, _ plays: [LedgerRecord.Play],
    _ served: (start: Double, length: Double),
    _ trace: Trace
  ) -> [String] {
    let ours = Set(plays.compactMap(\.evidence.session))
    // An item that stays on while the next one is loaded, in vain or not, is on longer, and that is no play of it.
    let loading = trace.records.compactMap { record -> ClosedRange<Double>? in
      guard record.screen == screen, case .gap(let gap) = record.kind, [.loading, .failed].contains(gap.reason) else {
        return nil
      }
      return gap.start...max(gap.start, gap.end)
    }
    let slack = Self.grace + trace.script.lag
    return ledger.told.compactMap { status in
      guard Self.isPlaying(status), let session = Self.session(status), ours.contains(session),
        status.time < served.length - slack, !trace.pauses.contains(where: { $0.contains(status.time) })
      else { return nil }
      // A connection that breaks off takes what was under way with it.
      if let end = ledger.ends[status.connection], end <= status.time + slack { return nil }
      let time = served.start + status.time
      let isKnown =
        plays.contains { $0.start - slack <= time && time <= $0.end + slack }
        || loading.contains { $0.contains(time) }
      return isKnown ? nil : "\(screen) plays session \(session) at \(status.time) s, and no entry knows of it"
    }
  }

  private static func isPlaying(_ status: ReceiverLedger.Told) -> Bool { status.fields["player"]?.string == "playing" }
  private static func session(_ status: ReceiverLedger.Told) -> Int? { status.fields["media_session"]?.int }
}
