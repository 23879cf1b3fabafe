import CastProtocol
import CastReceiver
import DeviceControl
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Signage
import Simulation
import Synchronization

/// Runs a document under a script, and keeps what happened.
package struct SearchedRun {
  package let subject: Subject
  package let script: FaultScript

  package init(_ subject: Subject, _ script: FaultScript) {
    self.subject = subject
    self.script = script
  }

  /// 2026-11-23 is a Monday; served at any time of the week that begins with it.
  private static let monday = 1_795_392_000.0
  private static let week = 7 * 86_400
  /// Of a playlist, so much is served.
  private static let servedTime = Duration.seconds(90)

  /// How long a run takes where all goes well, in seconds.
  package static func usualLength(of subject: Subject) throws -> Double {
    if case .playlist = subject.content { return servedTime.seconds }
    return try SearchedRun(subject, FaultScript(seed: 0, [])).trace().events.last?.elapsed ?? 1
  }

  /// - Throws: Where the script has faults that do not compile, and whatever else is no error of the simulation.
  package func trace() throws -> Trace {
    let kept = Kept()
    var watch = SimulationWatch()
    watch.message = { device, event, time in kept.add(event, of: device, at: time.seconds) }
    watch.made = { kept.add($0) }
    var trace = Trace()
    let faults = try script.plan()
    switch subject.content {
    case .scenario(let document): try run(document, faults, watch, kept, &trace)
    case .playlist(let program): try serve(program, faults, watch, &trace)
    }
    trace.script = script
    trace.ledgers = kept.ledgers
    trace.survivors = kept.survivors
    return trace
  }

  private func run(
    _ document: RunnableDocument, _ faults: ReceiverPlan?, _ watch: SimulationWatch, _ kept: Kept, _ trace: inout Trace
  ) throws {
    var simulation = ScenarioSimulation()
    simulation.seed = script.seed
    simulation.link = script.link
    simulation.presence = script.presence
    simulation.faults = faults
    simulation.watch = watch
    // Twice what its own limits allow is more than any run may take.
    simulation.limit = .seconds(3600) + document.rows.reduce(.zero) { $0 + $1.timeout * 4 }
    var configuration = RunConfiguration(runID: "SEARCH", toolVersion: "search", wallClock: { Self.monday })
    configuration.seed = script.seed
    // What is on the wire is told in every fourth run: it costs as much as the run.
    configuration.includesWire = script.seed.isMultiple(of: 4)
    let (interruptions, wants) = AsyncStream<Runner.Interruption>.makeStream()
    let collected = Collected(interruptingAt: script.interruption?.seconds) {
      wants.yield(.interrupt)
      wants.finish()
    }
    do {
      let outcome = try simulation.run(
        document, configuration: configuration, interruptions: interruptions, reportingTo: collected)
      trace.exit = Int(outcome.exitCode)
    } catch let error as SimulationError {
      trace.error = error
    }
    wants.finish()
    trace.events = collected.events
    trace.end = trace.events.last?.elapsed ?? 0
  }

  private func serve(
    _ program: Program, _ faults: ReceiverPlan?, _ watch: SimulationWatch, _ trace: inout Trace
  ) throws {
    var dice = SeededGenerator(seed: script.seed)
    let start = Self.monday + Double(dice.next(below: Self.week))
    var simulation = PlaylistSimulation(from: start, for: Self.servedTime)
    simulation.seed = script.seed
    simulation.link = script.link
    simulation.presences.usual = script.presence
    simulation.faults = faults
    simulation.watch = watch
    simulation.keepsMoments = false
    if let pause = script.interruption, pause < Self.servedTime {
      simulation.pauses = [pause..<min(Self.servedTime, pause + .seconds(5))]
    }
    do {
      trace.records = try simulation.run(program).records
    } catch let error as SimulationError {
      trace.error = error
    }
    trace.served = (start, Self.servedTime.seconds)
    trace.pauses = simulation.pauses.map { $0.lowerBound.seconds..<$0.upperBound.seconds }
    trace.end = Self.servedTime.seconds
  }
}

/// Takes the events of a run, and has it interrupted at a time.
private final class Collected: EventSink {
  private struct State {
    var events: [Event] = []
    var time: Double?
  }

  private let state: Mutex<State>
  private let interrupt: @Sendable () -> Void

  init(interruptingAt time: Double?, _ interrupt: @escaping @Sendable () -> Void) {
    state = Mutex(State(time: time))
    self.interrupt = interrupt
  }

  func record(_ event: Event) {
    let isDue = state.withLock { state in
      state.events.append(event)
      guard let time = state.time, event.elapsed >= time else { return false }
      state.time = nil
      return true
    }
    if isDue { interrupt() }
  }

  var events: [Event] { state.withLock { $0.events } }
}

/// What the receivers said, and what was made.
private final class Kept: Sendable {
  private struct Made {
    weak var object: (any AnyObject & Sendable)?
    var kind: String
  }
  private struct State {
    var ledgers: [String: ReceiverLedger] = [:]
    var made: [Made] = []
  }

  private let state = Mutex(State())

  func add(_ event: ReceiverWireEvent, of device: FoundDevice, at time: Double) {
    state.withLock { $0.ledgers[DeviceName.folded(device.name), default: ReceiverLedger()].add(event, at: time) }
  }

  func add(_ object: any AnyObject & Sendable) {
    state.withLock { $0.made.append(Made(object: object, kind: "\(type(of: object))")) }
  }

  var ledgers: [String: ReceiverLedger] { state.withLock { $0.ledgers } }
  var survivors: [String] { state.withLock { $0.made.filter { $0.object != nil }.map(\.kind) } }
}
