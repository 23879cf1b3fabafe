import CastProtocol
import ScenarioLanguage
import Synchronization
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// Devices are asked beside a run which software they have (docs/runs.md "Which software a device has").
@Suite(.timeLimit(.minutes(1))) struct SoftwareQuestionTests {
  private static let text = """
    scenario: A
    device: TV
    steps:
      - wait: 5s
      - log: hi
    """

  /// A run whose device answers so, and how often it was asked.
  private func play(_ answer: EventKind.DeviceSoftware?) throws -> (play: Play, asked: Int) {
    let count = Count()
    let play = try Play(
      Self.text,
      configure: { configuration in
        configuration.software = { _ in
          count.add()
          return answer
        }
      })
    return (play, count.value)
  }

  private final class Count: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }

  @Test("A device is asked when it is connected, and its answer is told under its name")
  func told() throws {
    let (play, asked) = try play(EventKind.DeviceSoftware(firmware: "1.56", build: nil))
    #expect(asked == 1 && play.outcome.exitCode == 0)
    let told = play.events(.deviceSoftware)
    #expect(told.map(\.device) == play.events(.deviceConnected).map(\.device))
    #expect(told.map { $0.fields["firmware"] } == ["1.56"])
    // It is no part of what is judged.
    #expect(play.events.filter { $0.type != .deviceSoftware }.map(\.type) == (try Play(Self.text)).events.map(\.type))
  }

  @Test("A device is asked once in a run, whatever rows and tries it has")
  func once() async throws {
    let count = Count()
    let time = TimeSource(ContinuousClock())
    let (told, tell) = AsyncStream<Event>.makeStream()
    let sink = RecordingSink { tell.yield($0) }
    let questions = SoftwareQuestions(
      { device in
        count.add()
        return EventKind.DeviceSoftware(firmware: device.name, build: nil)
      }, emitter: EventEmitter(show: time, wallClock: { 0 }, sink: sink), network: time)
    for (name, host) in [("a", "192.0.2.1"), ("a", "192.0.2.1"), ("b", "192.0.2.2"), ("a", "192.0.2.1")] {
      questions.begin(FoundDevice(name: name, address: HostAndPort(host: host), via: .host), called: name)
    }
    var devices: Set<String?> = []
    for await event in told {
      devices.insert(event.device)
      if devices.count == 2 { break }
    }
    questions.end()
    #expect(count.value == 2 && sink.events.map(\.device).count == 2 && devices == ["a", "b"])
  }

  @Test("No answer, and one that says nothing, leave nothing and change nothing")
  func silent() throws {
    let usual = try Play(Self.text)
    for answer in [nil, EventKind.DeviceSoftware()] {
      let (play, asked) = try play(answer)
      #expect(asked == 1 && play.lines == usual.lines)
    }
  }

  @Test("An answer that comes when the run is over is not told, and nobody waits for it")
  func late() async throws {
    let sink = RecordingSink()
    let time = TimeSource(ContinuousClock())
    let emitter = EventEmitter(show: time, wallClock: { 0 }, sink: sink)
    let (gate, open) = AsyncStream<Void>.makeStream()
    let (done, finished) = AsyncStream<Bool>.makeStream()
    let questions = SoftwareQuestions(
      { _ in
        for await _ in gate { break }
        finished.yield(Task.isCancelled)
        return EventKind.DeviceSoftware(firmware: "1.56", build: nil)
      }, emitter: emitter, network: time)
    let device = FoundDevice(name: "TV", address: HostAndPort(host: "192.0.2.1"), via: .host)
    questions.begin(device, called: "tv")
    questions.end()
    open.yield()
    // It was cancelled, and answers all the same.
    for await wasCancelled in done {
      #expect(wasCancelled)
      break
    }
    questions.begin(device, called: "tv")
    emitter.emit(.mark(.init("end")))
    #expect(sink.events.map(\.type) == [.mark])
  }
}
