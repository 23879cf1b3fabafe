import ScenarioLanguage

/// When which run of a scenario begins, by all of its schedules (docs/language/schedules.md "Inside serve").
///
/// A value without I/O: it is told the time and how runs end, and answers what to do.
package struct ScheduleKeeper: Sendable {
  /// A time at which one of the schedules wants a run.
  package struct Occurrence: Hashable, Sendable {
    /// Unix time, as the schedule says it, without jitter.
    package var time: Int
    /// The place of its schedule in the document.
    package var line: Int
    /// Whether it should have begun earlier.
    package var isLate = false
  }

  package enum Effect: Hashable, Sendable {
    case start(Occurrence)
    /// It begins when the run of `behind` has ended.
    case wait(Occurrence, behind: Occurrence)
    /// The run under way has to end, as this one takes its place.
    case end(Occurrence, for: Occurrence)
    case skip(Occurrence, Reason)
  }

  /// Why there is no run at a time.
  package enum Reason: Hashable, Sendable {
    /// The run of this time still goes on.
    case overlaps(Occurrence)
    /// As many runs as are allowed wait already; their number.
    case queueIsFull(Int)
    /// Another run took its place before it began.
    case replaced(Occurrence)
    /// Nobody served at that time, and maybe at later ones.
    case missed
  }

  /// How many runs wait for another at most.
  package static let mostWaiting = 3
  /// What begins so much later, in seconds, is still on time.
  static let tolerance = 60.0
  /// Clocks that are set by less, in seconds, are corrected; set by more, they show a new time.
  static let correction = 3 * 3_600.0

  /// What waits for the end of a run.
  private struct Waiting: Sendable {
    var occurrence: Occurrence
    /// Of its schedule.
    var key: String
  }

  private var schedules: [ScheduleProgress]
  private let tolerance: Double
  private var running: Occurrence?
  private var isEnding = false
  /// What takes the place of the run under way.
  private var replacement: Waiting?
  /// What waits for its end.
  private var queue: [Waiting] = []
  private var last: (now: Double, steady: Double)?

  /// - Parameters:
  ///   - now: Unix time; earlier times are not made up for.
  ///   - speed: How fast the clock runs.
  package init(_ entries: [ScheduleEntry], from now: Double, speed: Double = 1) {
    tolerance = Self.tolerance * max(1, speed)
    schedules = entries.map { ScheduleProgress(entry: $0, mark: Int(now.rounded(.down))) }
  }

  /// Takes the schedules of an edited document; those that are as they were go on.
  package mutating func replace(_ entries: [ScheduleEntry], at now: Double) {
    schedules = entries.map { entry in
      if let old = schedules.first(where: { $0.entry == entry || $0.entry.key == entry.key }) {
        return ScheduleProgress(entry: entry, mark: old.mark, oldMark: old.oldMark)
      }
      return ScheduleProgress(entry: entry, mark: Int(now.rounded(.down)))
    }
  }

  /// The run under way; `nil`: none is.
  package var current: Occurrence? { running }

  // MARK: what happens

  /// Looks at the clock.
  /// - Parameters:
  ///   - now: Unix time, which jumps where clocks are set.
  ///   - steady: Seconds on a clock that nobody sets.
  package mutating func look(at now: Double, steady: Double) -> [Effect] {
    let jump = last.map { (now - $0.now) - (steady - $0.steady) } ?? 0
    // What a clock jumped over that was only corrected has not been missed.
    let since = jump > 1 && jump <= Self.correction ? last?.now : nil
    last = (now, steady)
    var effects: [Effect] = []
    for index in schedules.indices {
      schedules[index].follow(now, jump: jump)
      while let occurrence = schedules[index].take(now, tolerance: tolerance, jumpedFrom: since, &effects) {
        begin(occurrence, of: index, &effects)
      }
    }
    return effects
  }

  /// The run under way has ended.
  package mutating func ended() -> [Effect] {
    (running, isEnding) = (nil, false)
    if let next = replacement {
      replacement = nil
      return [start(next.occurrence)]
    }
    return queue.isEmpty ? [] : [start(queue.removeFirst().occurrence)]
  }

  /// When to look again, as Unix time; `nil`: nothing is to come.
  package mutating func nextLook() -> Double? {
    schedules.indices.compactMap { schedules[$0].search()?.begin }.min()
  }

  // MARK: what a restart goes on with

  /// Up to when each schedule was dealt with. What still waits for another run was not.
  var stored: [(key: String, until: Int, before: Int?)] {
    schedules.map { schedule in
      let key = schedule.entry.key
      let waiting = (queue + [replacement].compactMap(\.self)).filter { $0.key == key }.map { $0.occurrence.time - 1 }
      return (key, min(schedule.mark, waiting.min() ?? .max), schedule.oldMark)
    }
  }

  mutating func recall(_ mark: Int, before: Int?, of key: String) {
    for index in schedules.indices where schedules[index].entry.key == key {
      schedules[index].oldMark = before
      schedules[index].deal(upTo: mark)
    }
  }

  // MARK: overlaps

  private mutating func begin(_ occurrence: Occurrence, of index: Int, _ effects: inout [Effect]) {
    guard let running else { return effects.append(start(occurrence)) }
    let waiting = Waiting(occurrence: occurrence, key: schedules[index].entry.key)
    switch schedules[index].entry.schedule.overlap {
    case .skip: effects.append(.skip(occurrence, .overlaps(running)))
    case .queue:
      if queue.count >= Self.mostWaiting {
        effects.append(.skip(occurrence, .queueIsFull(Self.mostWaiting)))
      } else {
        queue.append(waiting)
        effects.append(.wait(occurrence, behind: running))
      }
    case .replace:
      if let replacement { effects.append(.skip(replacement.occurrence, .replaced(occurrence))) }
      replacement = waiting
      if !isEnding { effects.append(.end(running, for: occurrence)) }
      isEnding = true
    }
  }

  private mutating func start(_ occurrence: Occurrence) -> Effect {
    running = occurrence
    return .start(occurrence)
  }
}
