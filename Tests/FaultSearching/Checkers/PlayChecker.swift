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

  /// A stretch in which a receiver tells that one session plays.
  private struct Episode {
    var session: Int
    var statuses: [ReceiverLedger.Told]
    /// When something else is told; `nil`: never.
    var end: Double?
  }

  /// The stretches of a ledger. Another app counts its sessions anew, so a number alone does not say what plays.
  private static func episodes(_ ledger: ReceiverLedger) -> [Episode] {
    var episodes: [Episode] = []
    var isOn = false
    // Of the app that runs, as it was told last; the outer `nil`: never.
    var app: String??
    for status in ledger.told {
      if isPlaying(status), let session = session(status) {
        if !isOn || episodes.last?.session != session {
          if isOn { episodes[episodes.count - 1].end = status.time }
          episodes.append(Episode(session: session, statuses: []))
        }
        episodes[episodes.count - 1].statuses.append(status)
        isOn = true
        continue
      }
      let isOfApp = status.fields[.appID] != nil
      let isOtherApp = isOfApp && app.map { $0 != status.appSession } ?? false
      if isOfApp { app = .some(status.appSession) }
      if isOn, isOtherApp || status.fields[.player] != nil {
        episodes[episodes.count - 1].end = status.time
        isOn = false
      }
    }
    return episodes
  }

  /// What plays are told for longer than it takes to tell that they are over, and are in no entry. Only what a playlist
  /// loads plays in a simulation.
  private func unknown(
    _ ledger: ReceiverLedger, on screen: String, _ plays: [LedgerRecord.Play],
    _ served: (start: Double, length: Double),
    _ trace: Trace
  ) -> [String] {
    // An item that stays on while the next one is loaded, in vain or not, is on longer, and that is no play of it.
    let loading = trace.records.compactMap { record -> ClosedRange<Double>? in
      guard record.screen == screen, case .gap(let gap) = record.kind, [.loading, .failed].contains(gap.reason) else {
        return nil
      }
      // What was told as it began is known a moment later.
      return gap.start - trace.script.lag...max(gap.start, gap.end)
    }
    let slack = Self.grace + trace.script.lag
    return Self.episodes(ledger).flatMap { episode -> [String] in
      if let end = episode.end, let begin = episode.statuses.first?.time, end - begin <= trace.script.lag { return [] }
      return episode.statuses.compactMap { status in
        // Who serves again is told at once what stayed on meanwhile.
        let isPause = trace.pauses.contains {
          $0.lowerBound <= status.time && status.time <= $0.upperBound + trace.script.lag
        }
        guard status.time < served.length - slack, !isPause else { return nil }
        // A connection that breaks off takes what was under way with it.
        if let end = ledger.ends[status.connection], end <= status.time + slack { return nil }
        let time = served.start + status.time
        let isKnown =
          plays.contains { $0.start - slack <= time && time <= $0.end + slack }
          || loading.contains { $0.contains(time) }
        return isKnown
          ? nil : "\(screen) plays session \(episode.session) at \(status.time) s, and no entry knows of it"
      }
    }
  }

  private static func isPlaying(_ status: ReceiverLedger.Told) -> Bool { status.fields[.player]?.string == "playing" }
  private static func session(_ status: ReceiverLedger.Told) -> Int? { status.fields[.mediaSession]?.int }
}
