package import ScenarioLanguage

/// What ledgers come to: how often and how long what was shown, and what the rest of the time was.
///
/// For each screen the parts add up to the clock, from its first record to the end of its last: shown, on screen without a
/// word from the receiver, the gaps, and what no record is about.
package struct LedgerSum: Sendable {
  /// What plays are counted by.
  package enum Grouping: String, CaseIterable, Sendable { case item, screen, rule }

  /// What all is told for, by the dates that the lines have.
  package enum Period: String, CaseIterable, Sendable { case day, month }

  /// More rows than anybody reads (docs/security.md Y9).
  package static let rowLimit = 200_000

  /// There are more rows than a sum may have.
  package struct TooManyRows: Error {}

  struct Key: Hashable, Comparable {
    /// A day's number or a month's; 0 where all is one.
    var period = 0
    var name: String

    static func < (left: Key, right: Key) -> Bool { (left.period, left.name) < (right.period, right.name) }
  }

  /// In milliseconds, as all sums.
  struct Row: Hashable {
    var plays = 0
    var skips = 0
    var shown = 0
    var planned = 0
  }

  /// The time of a screen.
  struct Clock: Hashable {
    var shown = 0
    /// An item was on, and nothing that the receiver said proves it: it loaded, or had stalled.
    var unproven = 0
    var gaps: [LedgerRecord.GapReason: Int] = [:]
    /// No record is about it.
    var unrecorded = 0
    /// Two records are: the computer's clock was set back. Taken off again.
    var twice = 0

    var total: Int { shown + unproven + gaps.values.reduce(0, +) + unrecorded - twice }
  }

  let grouping: Grouping
  let period: Period?
  private(set) var rows: [Key: Row] = [:]
  private(set) var clocks: [Key: Clock] = [:]
  /// Up to where the records of a screen go, and how far clocks were from Greenwich there.
  private var ends: [String: (time: Int, offset: Int)] = [:]

  /// Nothing, to be added to.
  package init(by grouping: Grouping, per period: Period? = nil) {
    self.grouping = grouping
    self.period = period
  }

  /// Adds a line; those of a screen come in the order in which they were written.
  package mutating func add(_ line: LedgerLine) throws(TooManyRows) {
    if let record = line.record { try add(record, line.offsets) }
  }

  /// Adds a record; those of a screen come in the order in which they happened.
  package mutating func add(_ record: LedgerRecord, in zone: TimeZoneRules) throws(TooManyRows) {
    let (start, end) =
      switch record.kind {
      case .play(let play): (play.start, play.end)
      case .gap(let gap): (gap.start, gap.end)
      case .skip(let skip): (skip.at, skip.at)
      }
    func offset(_ time: Double) -> Int { zone.offset(at: LedgerTime.milliseconds(time) / 1_000) }
    try add(record, (offset(start), offset(end)))
  }

  private mutating func add(_ record: LedgerRecord, _ offsets: (start: Int, end: Int)) throws(TooManyRows) {
    let screen = record.screen
    switch record.kind {
    case .skip(let skip):
      guard grouping != .rule else { return }
      let at = LedgerTime.milliseconds(skip.at) + offsets.start * 1_000
      let key = Key(period: number(at), name: grouping == .item ? skip.item : screen)
      rows[key, default: Row()].skips += 1
    case .play(let play):
      let name =
        switch grouping {
        case .item: play.item
        case .screen: screen
        case .rule: play.rule
        }
      let span = Span(play.start, play.end, offsets)
      let shown = min(LedgerTime.milliseconds(play.shown), span.length)
      let planned = play.planned.map(LedgerTime.milliseconds) ?? 0
      let first = Key(period: number(span.start + span.startOffset), name: name)
      rows[first, default: Row()].plays += 1
      rows[first, default: Row()].planned += planned
      var left = shown
      var rest = span.length
      for part in try parts(of: span) {
        // What was shown is shared out by length; the last part gets what rounding leaves.
        let share = rest == part.length ? left : Int(Double(left) * (Double(part.length) / Double(rest)))
        rest -= part.length
        left -= share
        rows[Key(period: part.period, name: name), default: Row()].shown += share
        clocks[Key(period: part.period, name: screen), default: Clock()].shown += share
        clocks[Key(period: part.period, name: screen), default: Clock()].unproven += part.length - share
      }
      try cover(span, of: screen)
    case .gap(let gap):
      let span = Span(gap.start, gap.end, offsets)
      for part in try parts(of: span) {
        clocks[Key(period: part.period, name: screen), default: Clock()].gaps[gap.reason, default: 0] += part.length
      }
      try cover(span, of: screen)
    }
    if rows.count + clocks.count > Self.rowLimit { throw TooManyRows() }
  }

  /// What is between two moments, with the offsets of their clocks, all in milliseconds.
  private struct Span {
    var start: Int
    var end: Int
    var startOffset: Int
    var endOffset: Int

    var length: Int { end - start }

    init(_ start: Int, _ end: Int, _ startOffset: Int, _ endOffset: Int) {
      (self.start, self.end, self.startOffset, self.endOffset) = (start, max(start, end), startOffset, endOffset)
    }

    init(_ start: Double, _ end: Double, _ offsets: (start: Int, end: Int)) {
      self.init(
        LedgerTime.milliseconds(start), LedgerTime.milliseconds(end), offsets.start * 1_000, offsets.end * 1_000)
    }
  }

  /// Counts what lies between the record before and this one, or what both are about.
  private mutating func cover(_ span: Span, of screen: String) throws(TooManyRows) {
    guard let last = ends[screen] else {
      ends[screen] = (span.end, span.endOffset)
      return
    }
    if span.start > last.time {
      for part in try parts(of: Span(last.time, span.start, last.offset, span.startOffset)) {
        clocks[Key(period: part.period, name: screen), default: Clock()].unrecorded += part.length
      }
    } else {
      let end = min(span.end, last.time)
      for part in try parts(of: Span(span.start, end, span.startOffset, span.startOffset)) {
        clocks[Key(period: part.period, name: screen), default: Clock()].twice += part.length
      }
    }
    if span.end > last.time { ends[screen] = (span.end, span.endOffset) }
  }

  /// A span cut where days or months begin. Of one over a change of clocks the first is by the clock of its beginning, the
  /// others by that of its end.
  private func parts(of span: Span) throws(TooManyRows) -> [(period: Int, length: Int)] {
    guard period != nil, span.length > 0 else { return [(number(span.start + span.startOffset), span.length)] }
    var parts: [(period: Int, length: Int)] = []
    var start = span.start
    var offset = span.startOffset
    while start < span.end {
      let current = number(start + offset)
      // By another clock a day may end before it began.
      let end = max(start + 1, min(span.end, Self.milliseconds(ofStart: current + 1, period) - offset))
      parts.append((current, end - start))
      if parts.count > Self.rowLimit { throw TooManyRows() }
      start = end
      offset = span.endOffset
    }
    return parts
  }
}
