import CastProtocol
import DeviceControl
import RunReporting
import Synchronization

/// Asks devices beside a run which software they have, each once. Nothing waits for an answer, and one that comes when
/// the run is over is not told.
final class SoftwareQuestions: Sendable {
  private struct State {
    var asked: Set<HostAndPort> = []
    var questions: [Task<Void, Never>] = []
    var isOver = false
  }

  private let ask: @Sendable (FoundDevice) async -> EventKind.DeviceSoftware?
  private let emitter: EventEmitter
  private let network: TimeSource
  private let state = Mutex(State())

  /// - Parameter ask: Asks a device; has a deadline of its own, and ends when it is cancelled.
  init(
    _ ask: @escaping @Sendable (FoundDevice) async -> EventKind.DeviceSoftware?, emitter: EventEmitter,
    network: TimeSource
  ) {
    (self.ask, self.emitter, self.network) = (ask, emitter, network)
  }

  /// Asks a device that the run has connected to.
  /// - Parameter name: How events call it.
  func begin(_ device: FoundDevice, called name: String) {
    state.withLock { state in
      guard !state.isOver, state.asked.insert(device.address).inserted else { return }
      state.questions.append(
        network.spawn { [self] in
          if let software = await ask(device), software.text != nil { tell(software, of: name) }
        })
    }
  }

  private func tell(_ software: EventKind.DeviceSoftware, of name: String) {
    // Under the lock, so that nothing is told behind the end of the run.
    state.withLock { if !$0.isOver { emitter.emit(.deviceSoftware(software), device: name) } }
  }

  /// The run is over.
  func end() {
    let questions = state.withLock { state in
      state.isOver = true
      defer { state.questions = [] }
      return state.questions
    }
    for question in questions { question.cancel() }
  }
}
