import CastClient
import CastProtocol
import CastTransport
import RunReporting
import ScenarioLanguage
import Synchronization
import Testing

@testable import CastReceiver
@testable import DeviceControl
@testable import ScenarioRunner
@testable import Simulation

/// A sender's session with a virtual receiver that is recorded meanwhile, on a virtual clock.
struct RecordingLab {
  struct Broken: Error, CustomStringConvertible { var description: String }

  /// What the recording wrote.
  var text: String
  var outcome: ScenarioWriter.Outcome
  var recorder: ScenarioRecorder
  /// What was told while it was made.
  var told: [RecordingEvent]
  /// Everything that the receiver got from who recorded.
  var sent: [CastMessage]
  /// How the sender's own run ended.
  var sender: Int32

  /// Lines of `step` events.
  var lines: [String] {
    told.compactMap { if case .step(_, let verb, let text) = $0 { "\(verb.rawValue): \(text)" } else { nil } }
  }

  /// - Parameters:
  ///   - sender: The scenario that the sender runs.
  ///   - faults: What goes wrong with the receiver.
  ///   - late: When the recording begins; `nil`: before the sender does.
  ///   - needsSecrets: Whether the sender's secrets have values.
  init(
    _ sender: String, faults: [String] = [], late: Duration? = nil, seed: UInt64 = 1,
    delay: ClosedRange<Duration>? = nil
  ) throws {
    let document = try ReplayTests.document(sender)
    let executor = SimulationExecutor(seed: seed)
    var link = LinkScript()
    link.delay = delay
    let network = SimulatedNetwork(executor: executor, seed: seed &+ 1, script: link)
    let told = Mutex<[RecordingEvent]>([])
    let sent = Mutex<[CastMessage]>([])
    let plan = try faults.isEmpty ? nil : FaultTests.plan(faults)
    typealias Session = WatchSession<Broken>
    typealias End = (recorder: ScenarioRecorder, device: FoundDevice, sender: Int32)
    let result: Result<End, any Error> = try executor.run(limit: .seconds(40_000)) { _ in
      var needs = VirtualDeviceNeeds(of: document)
      needs.faults = plan
      let devices = SimulatedDevices(for: needs, on: network, seed: seed)
      defer { devices.stop() }
      let access = devices.access
      let reader = RecordingReader(times: network.times.show) { event in
        told.withLock { $0.append(event) }
        return true
      }
      let tap: @Sendable (WireRecord) -> Void = { record in
        if case .sent(let message) = record.content { sent.withLock { $0.append(message) } }
      }
      let world = Session.World(
        open: {
          do {
            let device = devices.all[0]
            return .success((device, try await access.connect(device, .kept(tap))))
          } catch {
            return .failure(Broken(description: "\(error)"))
          }
        },
        access: access, times: network.times, timeOfDay: { "09:00:00" }, random: { 0.5 })
      let session = Session(world, timeouts: Plan.Timeouts(), limit: nil, on: .lines(reader))
      reader.whenOver { session.interrupt() }
      let watching = network.times.show.spawn {
        if let late { try? await network.times.show.sleep(for: late) }
        _ = await session.run()
      }
      try? await network.times.show.sleep(for: .seconds(1))
      var configuration = RunConfiguration(runID: "SENDER", toolVersion: "test", wallClock: { 1_795_251_600 })
      configuration.seed = seed
      configuration.secrets = configuration.secrets.withStandIns
      let run = await Runner.run(
        document, on: access, times: network.times, configuration: configuration,
        interruptions: AsyncStream { $0.finish() }, reportingTo: KeptEvents())
      // Longer than a recording waits for another app.
      try? await network.times.show.sleep(for: .seconds(20))
      session.interrupt()
      await watching.value
      guard let (recorder, device) = await reader.finish() else {
        return .failure(Broken(description: "never connected"))
      }
      return .success((recorder, device, run.exitCode))
    }
    let end = try result.get()
    recorder = end.recorder
    let subject = ScenarioWriter.Subject(device: end.device, date: "2026-11-27 20:15")
    guard let outcome = ScenarioWriter.write(end.recorder, of: subject) else {
      throw Broken(description: "nothing was recorded")
    }
    self.outcome = outcome
    text = outcome.text
    self.told = told.withLock { $0 }
    self.sent = sent.withLock { $0 }
    self.sender = end.sender
  }

  /// What `check` says of what was written, simulation included.
  static func problems(of text: String) -> [String] {
    var inputs = PlanCompiler.Inputs()
    inputs.needsSecrets = false
    let source = SourceFile(name: "recorded.yaml", bytes: Array(text.utf8))
    return DocumentCheck.check(source, inputs: inputs, isNamed: true).diagnostics.map {
      "\($0.severity) \($0.code) \($0.primary.span.line): \($0.message)"
    }
  }

  /// Runs what was written on a fresh virtual receiver.
  static func rerun(
    _ text: String, faults: [String] = [], seed: UInt64 = 7
  ) throws -> (exit: Int32, failures: [String]) {
    let document = try ReplayTests.document(text)
    var simulation = ScenarioSimulation()
    simulation.seed = seed
    if !faults.isEmpty { simulation.faults = try FaultTests.plan(faults) }
    let kept = KeptEvents()
    var configuration = RunConfiguration(runID: "RERUN", toolVersion: "test", wallClock: { 1_795_251_600 })
    configuration.seed = seed
    let outcome = try simulation.run(document, configuration: configuration, reportingTo: kept)
    let failures = kept.all.filter { [.expectFailed, .attemptFailed, .monitorFailed, .runFinished].contains($0.type) }
    return (outcome.exitCode, failures.map { EventRecord($0).jsonLine })
  }
}
