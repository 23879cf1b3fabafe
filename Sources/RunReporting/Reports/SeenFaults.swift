import ScenarioLanguage

/// The faults of virtual receivers that came before something failed, each entry once, the newest last.
struct SeenFaults: Sendable {
  private struct Seen {
    /// Document seconds since the run began, of the last time.
    var elapsed: Double
    var note: EventKind.FaultNote
  }

  /// How many entries are kept, and how many of them are told.
  private static let limit = 16
  private static let toldLimit = 4

  private var all: [Seen] = []

  mutating func see(_ note: EventKind.FaultNote, at elapsed: Double) {
    all.removeAll { $0.note.receiver == note.receiver && $0.note.isOfSameEntry(as: note) }
    all.append(Seen(elapsed: elapsed, note: note))
    if all.count > Self.limit { all.removeFirst() }
  }

  /// `fault     lab.yaml:6: { at: load, answer: load_failed, code: 311 }, 2 times, last at +3.1s`, a line each.
  /// - Parameter receiver: Whose faults count; `nil`: those of all, which are then named.
  func lines(of receiver: String?) -> [String] {
    let own = all.filter { receiver == nil || $0.note.receiver == receiver }
    let isOfSeveral = Set(own.map(\.note.receiver)).count > 1
    let more = own.count - Self.toldLimit
    let head = more > 0 ? ["fault     \(more) other\(more == 1 ? "" : "s") before these"] : []
    return head + own.suffix(Self.toldLimit).map { Self.line($0, namesReceiver: isOfSeveral) }
  }

  private static func line(_ seen: Seen, namesReceiver: Bool) -> String {
    let whose = namesReceiver ? " of \(seen.note.receiver)" : ""
    let time = "at +\(seen.elapsed.decimals(1, padded: true))s"
    let when = seen.note.count > 1 ? ", \(seen.note.count) times, last \(time)" : " \(time)"
    return "fault     \(seen.note.oneLine)\(whose)\(when)"
  }
}
