import RunReporting
import Testing

@testable import ScenarioRunner

@Suite struct InterruptionLineTests {
  @Test("What ends by itself is done, and what is interrupted is cancelled, also by what came before it began")
  func endings() async {
    let line = InterruptionLine()
    guard case .done(7) = await line.cancelling({ 7 }) else {
      Issue.record("it was interrupted")
      return
    }
    line.send(.interrupt)
    line.send(.terminate)
    let ending = await line.cancelling { () async -> Bool in
      // Nothing ever comes: it ends only when the task is cancelled.
      let (nothing, open) = AsyncStream<Void>.makeStream()
      for await _ in nothing {}
      withExtendedLifetime(open) {}
      return Task.isCancelled
    }
    guard case .interrupted(.interrupt) = ending else {
      Issue.record("\(ending)")
      return
    }
  }

  @Test("Who listens later hears what came, in its order")
  func later() async {
    let line = InterruptionLine()
    line.send(.interrupt)
    line.send(.terminate)
    await line.first()
    var heard: [Runner.Interruption] = []
    for await interruption in line.stream() {
      heard.append(interruption)
      if heard.count == 2 { break }
    }
    #expect(heard == [.interrupt, .terminate])
    #expect(heard.map(\.exit) == [.interrupted, .terminated] && heard.map(\.rawValue) == [130, 143])
  }
}
