import CastProtocol
import ScenarioLanguage

/// Which interrupts of a playlist something outside calls for (docs/language/playlist.md "Triggers").
///
/// A value without I/O; times are Unix times.
struct FiredInterrupts: Hashable, Sendable {
  /// Since when the trigger of an interrupt is fired, by the interrupt's index.
  private var since: [Int: Int] = [:]

  init() {}

  /// Takes note of the triggers that are fired now.
  /// - Parameter fired: Since when a trigger is fired; `nil`: it is not.
  /// - Returns: The interrupts that are to be shown once because their trigger was fired anew.
  mutating func see(_ fired: (String) -> Double?, of plan: PlaylistPlan) -> [Int] {
    var new: [Int] = []
    for (index, interrupt) in plan.interrupts.enumerated() {
      guard let use = interrupt.trigger else { continue }
      let time = fired(use.name).map { Int($0.rounded(.down)) }
      guard time != since[index] else { continue }
      since[index] = time
      if time != nil, !use.untilCleared { new.append(index) }
    }
    return new
  }

  /// Whether an interrupt goes on until its trigger is cleared, and is not over yet.
  func isLasting(_ index: Int, in program: Program, at time: Int) -> Bool {
    guard program.plan.interrupts.indices.contains(index) else { return false }
    let interrupt = program.plan.interrupts[index]
    guard let use = interrupt.trigger, use.untilCleared, since[index] != nil else { return false }
    if let end = end(of: index, in: program), time >= end { return false }
    return interrupt.during.condition.isOn(at: program.zone.wallTime(at: time))
  }

  /// When an interrupt is over in any case; `nil`: not before its trigger is cleared.
  func end(of index: Int, in program: Program) -> Int? {
    guard program.plan.interrupts.indices.contains(index), let since = since[index] else { return nil }
    return program.plan.interrupts[index].trigger?.atMost.map { since + Int($0.seconds.rounded(.up)) }
  }

  /// The interrupts that go on until their trigger is cleared, in the order of the list.
  func lasting(in program: Program, at time: Int) -> [Int] {
    since.isEmpty ? [] : since.keys.sorted().filter { isLasting($0, in: program, at: time) }
  }

  // MARK: stored

  /// Where it stands, to be stored.
  var json: JSONValue {
    .array(since.sorted { $0.key < $1.key }.map { ["interrupt": .int($0.key), "since": .int($0.value)] })
  }

  init(_ stored: JSONValue?, of plan: PlaylistPlan) {
    for entry in stored?.array ?? [] {
      guard let index = entry["interrupt"]?.int, let time = entry["since"]?.int,
        plan.interrupts.indices.contains(index),
        plan.interrupts[index].trigger != nil
      else { continue }
      since[index] = time
    }
  }
}
