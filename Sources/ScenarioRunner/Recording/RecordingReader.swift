package import CastClient
package import CastProtocol
package import DeviceControl
package import ScenarioLanguage
import Synchronization

/// What a recording tells while it is made.
package enum RecordingEvent: Sendable {
  /// The first of all: what is recorded, and how it is.
  case connected(FoundDevice, StatusView)
  /// A step was noticed, or the newest one turned out to be another.
  case step(at: Duration, verb: Verb, text: String)
  case lost(String)
  case back(after: Duration)
  case warning(String)
  /// There is no room for more.
  case full
}

/// Reads a watch and keeps what it saw as the steps of a scenario.
package final class RecordingReader: WatchReader {
  /// How long another app may take to come after the one that was recorded.
  package static let patience = Duration.seconds(5)

  private struct State {
    var recorder = ScenarioRecorder()
    var device: FoundDevice?
    var told = 0
    var last: RecordedStep?
    var isFull = false
    var end: (@Sendable () -> Void)?
    var ending: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let times: TimeSource
  private let stopsWithApp: Bool
  private let tellOthers: @Sendable (RecordingEvent) -> Bool

  /// - Parameters:
  ///   - times: The clock that statuses are stamped by.
  ///   - stopsWithApp: Whether the recording is over when the app that was seen has ended.
  ///   - tell: Who is told; `false` where nobody listens any more, which ends the recording.
  package init(
    times: TimeSource, stopsWithApp: Bool = true, tell: @escaping @Sendable (RecordingEvent) -> Bool
  ) {
    self.times = times
    self.stopsWithApp = stopsWithApp
    tellOthers = tell
  }

  /// What ends the watch when the app is gone.
  package func whenOver(_ end: @escaping @Sendable () -> Void) { state.withLock { $0.end = end } }

  /// Ends the recording, and gives what was recorded; `nil` where the device was never reached.
  package func finish() async -> (ScenarioRecorder, FoundDevice)? {
    let ending = state.withLock { state in
      defer { state.ending = nil }
      return state.ending
    }
    ending?.cancel()
    await ending?.value
    return state.withLock { state in
      state.recorder.end(at: times.now)
      return state.device.map { (state.recorder, $0) }
    }
  }

  package func observe(_ observation: Observation) { state.withLock { $0.recorder.observe(observation) } }

  package func tell(_ event: WatchEvent) -> Bool {
    var events: [RecordingEvent] = []
    state.withLock { state in
      switch event {
      case .connected(let device, let view, _):
        state.device = device
        state.recorder.begin(view.snapshot, at: view.at)
        events.append(.connected(device, view))
      case .changed: break
      case .lost(let reason, _):
        state.recorder.lose(at: times.now)
        events.append(.lost(reason))
      case .failed: break
      case .back(_, let view, let away):
        state.recorder.regain(view.snapshot, at: view.at)
        events.append(.back(after: away))
      case .warning(let text): events.append(.warning(text))
      }
      events += Self.news(of: &state)
      schedule(&state)
    }
    var isHeard = true
    for event in events { isHeard = tellOthers(event) && isHeard }
    return isHeard && !events.contains { if case .full = $0 { true } else { false } }
  }

  /// Steps that were not told yet, and the newest again where it became another.
  private static func news(of state: inout State) -> [RecordingEvent] {
    let steps = state.recorder.steps
    var events: [RecordingEvent] = []
    if state.told > 0, state.told <= steps.count, steps[state.told - 1].act != state.last?.act { state.told -= 1 }
    for step in steps.dropFirst(state.told) {
      guard let (verb, text) = state.recorder.words(of: step) else { continue }
      events.append(.step(at: step.at, verb: verb, text: text))
    }
    state.told = steps.count
    state.last = steps.last
    if state.recorder.isFull, !state.isFull {
      state.isFull = true
      events.append(.full)
    }
    return events
  }

  /// The recording ends a while after the app has, unless another comes.
  private func schedule(_ state: inout State) {
    guard stopsWithApp, let end = state.end, state.recorder.appGoneAt != nil else {
      state.ending?.cancel()
      return state.ending = nil
    }
    guard state.ending == nil else { return }
    state.ending = times.spawn { [times] in
      if (try? await times.sleep(for: Self.patience)) != nil { end() }
    }
  }
}
