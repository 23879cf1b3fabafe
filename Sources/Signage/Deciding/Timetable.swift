import ScenarioLanguage
import Synchronization

/// What a program says of a moment, read from tables of whole days that are worked out once for all its screens.
///
/// Asked again and again for moments of the same days, as screens do, it answers many times faster than the program, and
/// always the same.
struct Timetable: Sendable {
  /// A day by Greenwich.
  fileprivate struct Day: Sendable {
    var stretches: [Program.Stretch]
    var cuts: [Program.Cut]
    /// Windows of rules that were asked for, and when each opened.
    var windows: [Int: [Window]] = [:]
  }

  fileprivate struct Window: Sendable {
    var range: Range<Int>
    var opening: Int?
  }

  /// Days that were worked out; the screens of a program share them.
  final class Days: Sendable {
    /// Screens go from day to day together; what looks ahead needs the next one.
    private static let limit = 4

    private let days = Mutex<[Int: Day]>([:])

    fileprivate func day(_ number: Int, _ make: () -> Day) -> Day {
      if let day = days.withLock({ $0[number] }) { return day }
      let new = make()
      days.withLock { days in
        if days.count >= Self.limit, let farthest = days.keys.max(by: { abs($0 - number) < abs($1 - number) }) {
          days[farthest] = nil
        }
        days[number] = new
      }
      return new
    }

    fileprivate func add(_ window: Window, of rule: Int, to number: Int) {
      days.withLock { $0[number]?.windows[rule, default: []].append(window) }
    }
  }

  private static let dayLength = 86_400
  /// A longer range is worked out directly.
  private static let longestRange = 2 * dayLength

  private let program: Program

  init(_ program: Program) { self.program = program }

  /// As ``Program/decision(at:finished:)``.
  func decision(at time: Int, finished: Set<Int>) -> Decision {
    guard finished.isEmpty, Program.times.contains(time) else {
      return program.decision(at: time, finished: finished)
    }
    let stretches = day(of: time).stretches
    guard let stretch = Self.last(of: stretches, notAfter: time, \.range.lowerBound) else {
      return program.decision(at: time)
    }
    return stretch.decision
  }

  /// As ``Program/stretches(in:finished:)``.
  func stretches(in range: Range<Int>, finished: Set<Int>) -> [Program.Stretch] {
    guard finished.isEmpty, !range.isEmpty, range.count <= Self.longestRange,
      Program.times.contains(range.lowerBound), Program.times.contains(range.upperBound)
    else { return program.stretches(in: range, finished: finished) }
    var result: [Program.Stretch] = []
    for day in days(in: range) {
      for stretch in day.stretches where stretch.range.overlaps(range) {
        let part = stretch.range.clamped(to: range)
        if let last = result.last, last.decision.isSame(as: stretch.decision) {
          result[result.count - 1].range = last.range.lowerBound..<part.upperBound
        } else {
          result.append(Program.Stretch(range: part, decision: stretch.decision))
        }
      }
    }
    return result
  }

  /// As ``Program/cuts(in:)``.
  func cuts(in range: Range<Int>) -> [Program.Cut] {
    if program.plan.interrupts.isEmpty || range.isEmpty { return [] }
    guard range.count <= Self.longestRange, Program.times.contains(range.lowerBound),
      Program.times.contains(range.upperBound)
    else { return program.cuts(in: range) }
    return days(in: range).flatMap { day in day.cuts.filter { range.contains($0.at) } }
  }

  /// As ``Program/opening(ofRule:at:)``.
  func opening(ofRule rule: Int, at time: Int) -> Int? {
    guard Program.times.contains(time), let entry = program.entries.first(where: { $0.rule == rule }) else {
      return program.opening(ofRule: rule, at: time)
    }
    let known = day(of: time)
    if let window = known.windows[rule]?.first(where: { $0.range.contains(time) }) { return window.opening }
    let on = program.moments(of: entry, on: ClockPieces(program.zone, in: Self.range(ofDay: Self.number(time))))
    guard let open = on.range(with: time) else { return nil }
    let window = Window(range: open, opening: program.opening(ofRule: rule, at: time))
    program.days.add(window, of: rule, to: Self.number(time))
    return window.opening
  }

  // MARK: days

  private static func number(_ time: Int) -> Int {
    (time >= 0 ? time : time - dayLength + 1) / dayLength
  }

  private static func range(ofDay number: Int) -> Range<Int> { number * dayLength..<(number + 1) * dayLength }

  private func day(_ number: Int) -> Day {
    program.days.day(number) {
      let range = Self.range(ofDay: number)
      return Day(stretches: program.stretches(in: range), cuts: program.cuts(in: range))
    }
  }

  private func day(of time: Int) -> Day { day(Self.number(time)) }

  private func days(in range: Range<Int>) -> [Day] {
    (Self.number(range.lowerBound)...Self.number(range.upperBound - 1)).map { day($0) }
  }

  /// The last of a sorted list whose key is not after a moment.
  private static func last<Element>(
    of list: [Element], notAfter time: Int, _ key: (Element) -> Int
  ) -> Element? {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if key(list[middle]) <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? list[low - 1] : nil
  }
}
