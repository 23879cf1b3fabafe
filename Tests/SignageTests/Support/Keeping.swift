import CastProtocol
import ScenarioLanguage
import Signage
import Testing

/// The schedules of a scenario, kept over a stretch of time with runs of one length, and what came of it in words.
struct Keeping {
  private(set) var keeper: ScheduleKeeper
  private let entries: [ScheduleEntry]
  /// Unix time, which tests set.
  private(set) var now: Double
  private var steady = 1000.0
  private let length: Double
  private var end: Double?
  /// `12:00 start 12:00`, by the clock of the first schedule.
  private(set) var told: [String] = []
  /// When runs began, in Unix time, with the time that the schedule says.
  private(set) var starts: [(at: Double, time: Int)] = []

  /// - Parameters:
  ///   - schedules: As in a document.
  ///   - clock: When it begins, such as `2026-11-23 12:00` by the clock of the first schedule.
  ///   - length: How long each run takes.
  init(_ schedules: String, at clock: String, runs length: Double = 1, seed: UInt64 = 0) throws {
    let yaml = "scenario: Check\ndevice: TV\nschedule: [\(schedules)]\nsteps: [{ log: a }]\n"
    let outcome = PlanCompiler.compile(SourceFile(name: "check.yaml", bytes: Array(yaml.utf8)))
    guard case .scenario(let plan)? = outcome.document else {
      Issue.record("\(outcome.diagnostics.map { "\($0.code) \($0.message)" })")
      throw Playlists.NoPlaylist()
    }
    entries = try plan.schedules.map {
      ScheduleEntry($0, in: try Playlists.rules($0.timeZone ?? "UTC"), seed: seed)
    }
    self.length = length
    now = try Self.moment(clock, entries[0].zone)
    keeper = ScheduleKeeper(entries, from: now)
  }

  static func moment(_ text: String, _ zone: TimeZoneRules) throws -> Double {
    let wall = try #require(MomentView.wall(written: text), "\(text)")
    switch zone.moments(of: wall) {
    case .once(let moment), .twice(let moment, _): return Double(moment)
    case .never(let change): return Double(change.at)
    }
  }

  /// Serves for so many seconds, looking as often as `serve` does.
  mutating func pass(_ seconds: Double, lookingEvery interval: Double = 10) {
    let until = now + seconds
    while true {
      if let ended = end, ended <= now {
        end = nil
        take(keeper.ended())
      }
      take(keeper.look(at: now, steady: steady))
      if now >= until { return }
      let next = min([keeper.nextLook(), end, now + interval].compactMap(\.self).min() ?? until, until)
      steady += max(0, next - now)
      now = max(now, next)
    }
  }

  /// Somebody sets the clock.
  mutating func set(by seconds: Double) {
    now += seconds
    end = end.map { $0 + seconds }
  }

  /// Nobody serves for so many seconds; then a new process does, with what was stored.
  mutating func beOff(_ seconds: Double) {
    let stored = keeper.json
    now += seconds
    (steady, end) = (0, nil)
    keeper = ScheduleKeeper(entries, from: now)
    keeper.restore(stored)
  }

  mutating func changeKeeper(_ change: (inout ScheduleKeeper) -> Void) { change(&keeper) }

  private mutating func take(_ effects: [ScheduleKeeper.Effect]) {
    for effect in effects {
      told.append("\(clock(now)) \(words(effect))")
      switch effect {
      case .start(let occurrence):
        starts.append((now, occurrence.time))
        end = now + length
      case .end: end = now + 2
      case .wait, .skip: break
      }
    }
  }

  private func words(_ effect: ScheduleKeeper.Effect) -> String {
    switch effect {
    case .start(let occurrence): "start \(clock(occurrence))\(occurrence.isLate ? " late" : "")"
    case .wait(let occurrence, let other): "\(clock(occurrence)) waits for \(clock(other))"
    case .end(let old, let new): "end \(clock(old)) for \(clock(new))"
    case .skip(let occurrence, .overlaps(let other)): "skip \(clock(occurrence)), \(clock(other)) goes on"
    case .skip(let occurrence, .queueIsFull): "skip \(clock(occurrence)), full"
    case .skip(let occurrence, .replaced(let other)): "skip \(clock(occurrence)) for \(clock(other))"
    case .skip(let occurrence, .missed): "missed \(clock(occurrence))"
    }
  }

  private func clock(_ occurrence: ScheduleKeeper.Occurrence) -> String { clock(Double(occurrence.time)) }

  private func clock(_ time: Double) -> String {
    CivilDate.clock(at: entries[0].zone.wallTime(at: Int(time.rounded(.down))))
  }
}
