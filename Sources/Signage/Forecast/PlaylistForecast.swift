import CastProtocol
import DeviceControl
package import ScenarioLanguage

/// What a playlist's screens will show, if nothing goes wrong: every item loads at once and nobody else casts.
///
/// It asks the same ``ScreenCursor`` as a screen does, and no receiver, so that a week takes a second or two.
package struct PlaylistForecast: Sendable {
  /// How long an item is taken to last that ends by itself and whose length the playlist does not tell.
  package static let assumedLength = Duration.seconds(60)
  /// The least that an item takes: content of no length would never end.
  private static let leastLength = 0.1

  private let program: Program
  private let seed: UInt64

  /// - Parameter seed: Drives shuffles, as it does where the playlist is served.
  package init(_ program: Program, seed: UInt64 = 0) {
    self.program = program
    self.seed = seed
  }

  /// The names of its screens. Devices that are described by what they are like count as one.
  package var screens: [String] {
    var names: [String] = []
    for selector in program.plan.devices.selectors {
      names.append(DeviceName.name(of: nil, selector: selector).unique(among: names))
    }
    return names
  }

  /// The items that end by themselves and whose length the playlist does not tell, each once, by name.
  package var itemsOfUnknownLength: [String] {
    var seen: Set<String> = []
    return program.plan.allItems.filter { item in
      item.length == nil && item.media.duration == nil && seen.insert(item.name).inserted
    }.map(\.name)
  }

  /// Tells what the screens show between two Unix times, screen by screen, each in the order of time.
  package func run(from start: Double, to end: Double, record: (LedgerRecord) throws -> Void) rethrows {
    for (screen, selector) in zip(screens, program.plan.devices.selectors) {
      var forecast = ScreenForecast(program, screen, at: start, until: end, seed: seed)
      forecast.ids = selector.foreignIDs ?? [:]
      try forecast.run(record)
    }
  }

  /// One screen, from one decision to the next.
  private struct ScreenForecast {
    /// What other systems call the screen.
    var ids: [String: String] = [:]
    private var cursor: ScreenCursor
    private var account: PlayAccount
    private var time: Double
    private let end: Double

    init(_ program: Program, _ screen: String, at start: Double, until end: Double, seed: UInt64) {
      time = start
      self.end = end
      cursor = ScreenCursor(program, at: Int(start.rounded(.down)), seed: seed, screen: screen)
      account = PlayAccount(screen: screen, from: start, reason: .nothing)
    }

    private var moment: Int { Int(time.rounded(.down)) }

    mutating func run(_ record: (LedgerRecord) throws -> Void) rethrows {
      while time < end {
        switch cursor.next(at: moment) {
        case .show(let showing): try show(showing, record)
        case .rest(_, let decision): try rest(.quiet, decision, record)
        case .nothing(let decision): try rest(.nothing, decision, record)
        }
      }
      for record_ in account.end(at: end) { try record(record_) }
    }

    private mutating func show(_ showing: Showing, _ record: (LedgerRecord) throws -> Void) rethrows {
      // What all screens begin together may be waited for.
      if let shared = showing.shared { time = min(end, max(time, Double(shared.lowerBound))) }
      let begin = time
      for gap in account.begin(at: begin) { try record(gap) }
      let own = PlaylistForecast.length(of: showing)
      let whole = max(PlaylistForecast.leastLength, own.seconds - (showing.length == nil ? showing.start ?? 0 : 0))
      let over = min(begin + whole, end)
      let cut = firstCut(of: showing, after: moment, before: over)
      time = cut.map(Double.init) ?? over
      var play = LedgerRecord.Play(
        item: showing.name, content: showing.content, rule: showing.decidedBy, start: begin, end: time,
        planned: showing.length?.seconds, shown: time - begin,
        endReason: showing.length == nil ? .finished : .duration)
      play.ids = showing.ids(with: ids)
      if let cut {
        play.endReason = cursor.endReason(ofCutAt: cut)
        let shown = time - begin
        cursor.noteCut(
          of: showing, position: showing.isStill ? nil : (showing.start ?? 0) + shown,
          remaining: showing.length.map { $0 - .seconds(shown) }, by: cut)
      } else if over >= end, begin + whole > end {
        play.endReason = .stopped
      }
      for record_ in account.play(play, to: time) { try record(record_) }
    }

    /// What ends an item before it is over; a screen looks ahead a bit at a time, too.
    private func firstCut(of showing: Showing, after time: Int, before end: Double) -> Int? {
      var from = time
      while Double(from) < end {
        if let cut = cursor.nextCut(of: showing, after: from) { return Double(cut) < end ? cut : nil }
        from += ScreenCursor.lookahead - 1
      }
      return nil
    }

    private mutating func rest(
      _ reason: LedgerRecord.GapReason, _ decision: Decision, _ record: (LedgerRecord) throws -> Void
    ) rethrows {
      for gap in account.rest(at: time, reason) { try record(gap) }
      let program = cursor.program
      var next = program.nextChange(after: moment)?.at
      // An interrupt may come where no rule is on.
      if reason == .nothing, let cut = program.nextCut(after: moment)?.at { next = min(next ?? cut, cut) }
      time = next.map { min(end, Double(max($0, moment + 1))) } ?? end
    }
  }

  /// How long an item lasts where nothing cuts it.
  private static func length(of showing: Showing) -> Duration {
    showing.length ?? showing.item.media.duration.map { .clamped(seconds: $0) } ?? assumedLength
  }
}

extension PlaylistPlan {
  /// All items, in the order of the document.
  package var allItems: [Item] { program.flatMap(\.items) + interrupts.flatMap(\.items) + fallback }
}
