package import CastProtocol
package import ScenarioLanguage

/// What screens showed, stretch by stretch, with what it adds up to, as text or JSON.
package struct ServedView: Sendable {
  /// A time in which one line of the playlist decided, with what came between, or in which nothing was on.
  struct Stretch: Hashable, Sendable {
    var screen: String
    var start: Double
    var end: Double
    /// `program[1] breakfast`, or why nothing was on.
    var name: String
    var isGap: Bool
    /// How often each item was shown, in the order of their first showing.
    var items: [Item] = []

    struct Item: Hashable, Sendable {
      var name: String
      var count: Int
    }

    mutating func add(_ item: String) {
      if let index = items.firstIndex(where: { $0.name == item }) {
        items[index].count += 1
      } else {
        items.append(Item(name: item, count: 1))
      }
    }
  }

  private let zone: TimeZoneRules
  /// Stretches that have ended, and for each screen the one that goes on.
  private var done: [Stretch] = []
  private var open: [String: Stretch] = [:]
  private var sum = LedgerSum(by: .item)
  private var skips = 0
  /// What else a reader should know, a line each.
  package var notes: [String] = []

  /// Nothing yet, to be added to.
  package init(in zone: TimeZoneRules) { self.zone = zone }

  /// - Throws: Where they are too many to be added up.
  package init(_ records: [LedgerRecord], in zone: TimeZoneRules) throws(LedgerSum.TooManyRows) {
    self.init(in: zone)
    for record in records { try add(record) }
  }

  /// Adds a record; those of a screen come in the order in which they happened.
  package mutating func add(_ record: LedgerRecord) throws(LedgerSum.TooManyRows) {
    try sum.add(record, in: zone)
    let (start, end, name, item): (Double, Double, String, String?)
    switch record.kind {
    case .play(let play): (start, end, name, item) = (play.start, play.end, play.rule, play.item)
    case .gap(let gap): (start, end, name, item) = (gap.start, gap.end, gap.reason.rawValue, nil)
    case .skip:
      skips += 1
      return
    }
    // What an interrupt shows, or a person asked for, belongs to the line that it cuts into, and so does the moment before an item is there.
    let continues =
      item == nil
      ? name == LedgerRecord.GapReason.loading.rawValue : ScreenCursor.Part(ledgerName: name)?.comesBetween ?? false
    let goesOn = open[record.screen].map { $0.name == name && $0.isGap == (item == nil) || continues } ?? false
    if goesOn {
      open[record.screen]?.end = end
      if let item { open[record.screen]?.add(item) }
      return
    }
    if let current = open[record.screen] { done.append(current) }
    var next = Stretch(screen: record.screen, start: start, end: end, name: name, isGap: item == nil)
    if let item { next.add(item) }
    open[record.screen] = next
  }

  /// In the order of time.
  var stretches: [Stretch] { (done + open.values).sorted { ($0.start, $0.screen) < ($1.start, $1.screen) } }

  /// A line for each stretch, and what all adds up to; a newline at the end.
  package var text: String {
    let clock = ClockText(zone: zone)
    var lines: [String] = []
    var day = ""
    for stretch in stretches {
      let start = Int(stretch.start.rounded(.down))
      let date = ClockText.day(clock.date(at: start))
      if date != day { lines += (lines.isEmpty ? [] : [""]) + [date] }
      day = date
      let items = stretch.items.map { $0.count == 1 ? $0.name : "\($0.name) \($0.count)x" }.joined(separator: ", ")
      let times = "\(clock.reading(start))-\(clock.reading(Int(stretch.end.rounded(.down))))"
      lines.append("  \(times)  \(stretch.screen)  \(stretch.name)\(items.isEmpty ? "" : ": \(items)")")
    }
    let passedOver = skips == 0 ? "" : "\(skips) passed over\n"
    return (lines.map(TerminalText.escaped) + [""]).joined(separator: "\n") + "\n" + passedOver + sum.text
      + notes.map { "note: \(TerminalText.escaped($0))\n" }.joined()
  }

  /// One object.
  package var json: JSONValue {
    let clock = ClockText(zone: zone)
    let list = stretches.map { stretch -> JSONValue in
      var object: JSONObject = [
        "screen": .string(stretch.screen), "start": .string(clock.stamp(Int(stretch.start.rounded(.down)))),
        "end": .string(clock.stamp(Int(stretch.end.rounded(.down)))),
        stretch.isGap ? "nothing" : "rule": .string(stretch.name),
      ]
      if !stretch.isGap {
        object["items"] = .array(stretch.items.map { ["item": .string($0.name), "count": .int($0.count)] })
      }
      return .object(object)
    }
    return [
      "stretches": .array(list), "skips": .int(skips), "sum": sum.json, "notes": .array(notes.map { .string($0) }),
    ]
  }
}
