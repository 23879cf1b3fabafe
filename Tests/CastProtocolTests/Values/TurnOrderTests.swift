import Synchronization
import Testing

@testable import CastProtocol

/// Who of several may go on.
@Suite struct TurnOrderTests {
  @Test("At most so many go at a time, in the order in which they came")
  func limit() {
    var order = TurnOrder(limit: 2)
    let ids = (1...4).map { order.enter(needing: ["\($0)"]) }
    #expect(order.begin() == [ids[0], ids[1]])
    #expect(order.begin() == [])
    order.leave(ids[1])
    #expect(order.begin() == [ids[2]])
    // Who waits no longer keeps nobody waiting.
    order.leave(ids[3])
    order.leave(ids[0])
    order.leave(ids[2])
    #expect(order.begin() == [])
  }

  @Test("Those who need the same go one after the other, in their order, and others pass them")
  func needs() {
    var order = TurnOrder()
    let tv = order.enter(needing: ["tv"])
    let again = order.enter(needing: ["tv"])
    let both = order.enter(needing: ["tv", "hub"])
    let hub = order.enter(needing: ["hub"])
    let other = order.enter(needing: ["bar"])
    // The hub is promised to who came before.
    #expect(order.begin() == [tv, other])
    order.leave(tv)
    #expect(order.begin() == [again])
    order.leave(again)
    #expect(order.begin() == [both])
    #expect(order.isGoing(both) && !order.isGoing(hub))
    order.leave(both)
    #expect(order.begin() == [hub])
  }

  @Test("Tasks that need the same never go together, and each that is not cancelled has its turn")
  func tasks() async {
    let turns = Turns(limit: 3)
    let counts = Counts()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          let needs: Set<String> = ["\(index % 5)"]
          guard let turn = await turns.take(needs) else { return }
          counts.enter("\(index % 5)")
          await Task.yield()
          counts.leave("\(index % 5)")
          turns.end(turn)
        }
      }
    }
    #expect(counts.isRight && counts.most <= 3 && counts.all == 200, "\(counts.most) \(counts.all)")
  }

  @Test("A task that is cancelled while it waits has no turn, and keeps nobody waiting")
  func cancelled() async throws {
    let turns = Turns()
    let first = try #require(await turns.take(["tv"]))
    let (waits, waiting) = AsyncStream<Void>.makeStream()
    let task = Task { await turns.take(["tv"]) { waiting.yield() } != nil }
    for await _ in waits { break }
    #expect(turns.takeAtOnce(["tv"]) == nil)
    task.cancel()
    #expect(await !task.value)
    turns.end(first)
    #expect(turns.takeAtOnce(["tv"]) != nil)
  }
}

/// Who goes at a time.
private final class Counts: Sendable {
  private struct State {
    var going: [String] = []
    var most = 0
    var all = 0
    var isRight = true
  }

  private let state = Mutex(State())

  func enter(_ name: String) {
    state.withLock { state in
      if state.going.contains(name) { state.isRight = false }
      state.going.append(name)
      state.all += 1
      state.most = max(state.most, state.going.count)
    }
  }

  func leave(_ name: String) { state.withLock { state in state.going.removeAll { $0 == name } } }

  var isRight: Bool { state.withLock { $0.isRight } }
  var most: Int { state.withLock { $0.most } }
  var all: Int { state.withLock { $0.all } }
}
