import CastProtocol
import CastReceiver
import Synchronization

/// The fetch that one receiver waits for: one at a time, so that a sender that loads again and again has no more of them.
final class FetchOfReceiver: Sendable {
  private let fetch: ReceiverFetch
  private let time: TimeSource
  private let tellProblem: @Sendable (String) -> Void
  private let running = Mutex<Task<Void, Never>?>(nil)

  /// - Parameter tellProblem: Told why content is not there.
  init(_ fetch: ReceiverFetch, on time: TimeSource, tellProblem: @escaping @Sendable (String) -> Void) {
    self.fetch = fetch
    self.time = time
    self.tellProblem = tellProblem
  }

  /// Looks for the content at `address` in place of what was looked for before.
  func start(_ address: String, tell: @escaping @Sendable (MediaFetch.Outcome) -> Void) {
    running.withLock { running in
      let before = running
      before?.cancel()
      running = time.spawn { [self] in
        // A socket that is not closed yet counts, too.
        await before?.value
        if Task.isCancelled { return tell(.missing) }
        let (outcome, problem) = await fetch(address)
        if let problem, !Task.isCancelled { tellProblem("\(address) is not there: \(problem)") }
        tell(outcome)
      }
    }
  }
}
