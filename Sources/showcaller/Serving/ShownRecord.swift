import CastProtocol
import Dispatch
import ScenarioLanguage
import Signage
import Synchronization
import Workspace

/// Passes records on to the ledger and adds them up for the control page; reads what the ledger had before when
/// somebody first asks.
final class ShownRecord: LedgerSink {
  /// What is older is of no week that is shown.
  private static let age = 9.0 * 86_400
  /// A week is made again after so long.
  private static let weekAge = 20.0

  private struct State {
    var meter = PlayMeter()
    /// What monitors were told last.
    var lastReading = PlayMeter()
    var log = ShownLog()
    var reading: Task<Void, Never>?
    var week: (time: Double, json: JSONValue)?
  }

  private let ledger: PlaylistLedger
  private let isAskedFor: Bool
  private let tail: LedgerTail
  private let state = Mutex(State())

  /// - Parameters:
  ///   - ledger: Of the program, just opened.
  ///   - isAskedFor: Whether there is a control page; without one nothing is kept.
  init(before ledger: PlaylistLedger, of program: Program, isAskedFor: Bool) {
    self.ledger = ledger
    self.isAskedFor = isAskedFor
    let folder = Files.folder(of: ledger.path)
    let file = ledger.path.split(separator: "/").last.map(String.init) ?? ""
    let name = LedgerName(file, rotation: program.plan.ledger.rotation, in: program.zone)
    tail = LedgerTail(name.files(among: Files.names(in: folder)).joined().map { "\(folder)/\($0)" })
  }

  func record(_ record: LedgerRecord) {
    if isAskedFor {
      state.withLock { state in
        state.meter.take(record)
        state.log.add(record)
      }
    }
    ledger.record(record)
  }

  /// What a monitor is told.
  func meter(_ sights: [String: ScreenSight], at time: Double) -> PlayMeter {
    state.withLock { state in
      state.lastReading = state.meter.reading(sights, at: time, after: state.lastReading)
      return state.lastReading
    }
  }

  /// The week that a moment is in, planned and shown.
  /// - Parameter sights: Of the screens that it is told of.
  func week(of program: Program, _ sights: [String: ScreenSight], at time: Double) async -> JSONValue {
    await readTail(at: time)
    let (known, log) = state.withLock { state in
      state.log.forget(before: time - Self.age)
      return (state.week, state.log)
    }
    if let known, known.time <= time, time < known.time + Self.weekAge { return known.json }
    let today = CivilDate(at: program.zone.wallTime(at: Int(time.rounded(.down))))
    let names = sights.keys.sorted()
    let json = await Self.beside {
      ShownWeek(program, of: today, log.including(sights, at: time), screens: names, at: time).json
    }
    state.withLock { $0.week = (time, json) }
    return json
  }

  private func readTail(at time: Double) async {
    let reading = state.withLock { state in
      let reading = state.reading ?? Task { await self.read(since: time - Self.age) }
      state.reading = reading
      return reading
    }
    await reading.value
  }

  private func read(since start: Double) async {
    let earlier = await Self.beside { [tail] in
      var reader = LedgerReader()
      var log = ShownLog()
      tail.read { chunk in
        // A damaged line counts for nothing; `ledger verify` tells of it.
        reader.read(chunk) { step in if let record = step.line?.record { log.add(record) } }
      } endFile: {
        reader.endFile { _ in }
      }
      log.forget(before: start)
      return log
    }
    state.withLock { $0.log.prepend(earlier) }
  }

  /// Does slow work outside the pool of tasks.
  private static func beside<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "showcaller.shown", qos: .utility).async { continuation.resume(returning: body()) }
    }
  }
}
