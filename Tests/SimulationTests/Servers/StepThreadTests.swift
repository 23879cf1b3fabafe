import CastClient
import CastProtocol
import Glibc
import ScenarioLanguage
import Synchronization
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner
@testable import Simulation

/// On which threads the steps of a run go on, against virtual receivers over real TLS.
@Suite(.timeLimit(.minutes(1))) struct StepThreadTests {
  /// The thread that each step began on.
  private final class Threads: EventSink {
    private let known = Mutex<[String: UInt]>([:])

    func record(_ event: Event) {
      if event.type == .stepStarted, let step = event.step { known.withLock { $0[step] = UInt(pthread_self()) } }
    }

    subscript(step: String) -> UInt? { known.withLock { $0[step] } }
  }

  @Test("Steps go on where their connection is read; a program is started elsewhere, and the next step is back")
  func threads() async throws {
    let text = """
      scenario: Threads
      device: TV
      steps:
        - refresh: { what: receiver }
        - refresh: { what: receiver }
        - exec: { command: [none], output: none, stdin: none }
        - refresh: { what: receiver }
        - mark: after
      """
    let compiled = PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(text.utf8)))
    let document = try #require(RunnableDocument(compiled.plans), "\(compiled.diagnostics.map(\.message))")
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    let servers = try await VirtualDeviceServers.start(
      for: VirtualDeviceNeeds(of: document), times: times, seed: 0, unixTime: { 1_795_251_600 })
    let access = servers.access { device, wireTap throws(ClientError) in
      try await LiveDevices.connect(to: device, times: times, configuration: ClientConfiguration(), wireTap: wireTap)
    }
    let threads = Threads()
    let program = Mutex<UInt?>(nil)
    var configuration = RunConfiguration(runID: "01TEST", toolVersion: "0.0.0", wallClock: { 1_795_251_600 })
    configuration.startProgram = { _ in
      program.withLock { $0 = currentThread() }
      return .exited(0, output: [], standardError: [])
    }
    let outcome = await Runner.run(
      document, on: access, times: times, configuration: configuration,
      interruptions: AsyncStream { $0.finish() }, reportingTo: threads)
    await servers.stop()
    #expect(outcome.exitCode == 0)
    // The first begins where connecting has ended.
    let loop = try #require(threads["s2"])
    #expect(threads["s3"] == loop && threads["s5"] == loop)
    #expect(try #require(program.withLock { $0 }) != loop, "and the program was started")
  }
}

/// Out of line, because asking for the thread is not allowed in an async function.
private func currentThread() -> UInt { UInt(pthread_self()) }
