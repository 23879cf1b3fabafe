import CastTransport
import Glibc
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventLoopTaskExecutorTests {
  @Test("A task on the event loop is resumed on the thread that read the bytes")
  func sameThread() async throws {
    let pair = try await ChannelPair.connected()
    let peer = pair.peer
    peer.start { event in if case .received(let bytes) = event { peer.send(bytes) } }
    let client = pair.client
    let executor: any TaskExecutor = try #require(client.executor)
    let threads = await Task(executorPreference: executor) {
      let (replies, continuation) = AsyncStream.makeStream(of: UInt.self)
      client.start { event in if case .received = event { continuation.yield(UInt(pthread_self())) } }
      var threads: Set<UInt> = []
      var iterator = replies.makeAsyncIterator()
      for _ in 0..<100 {
        client.send([1])
        if let thread = await iterator.next() { threads.insert(thread) }
        threads.insert(currentThread())
      }
      return threads
    }.value
    #expect(threads.count == 1)
    client.close()
    await pair.server.close()
  }

  @Test("Tasks that start each other for ever leave the loop time for its sockets and clocks")
  func fairness() async throws {
    let pair = try await ChannelPair.connected()
    let executor: any TaskExecutor = try #require(pair.client.executor)
    let (rings, continuation) = AsyncStream.makeStream(of: Void.self)
    let busy = Task(executorPreference: executor) {
      while !Task.isCancelled { await Task.yield() }
    }
    let made = pair.client.schedule(after: .milliseconds(10)) { continuation.yield() }
    #expect(made != nil)
    for await _ in rings { break }
    busy.cancel()
    await busy.value
    pair.client.close()
    await pair.server.close()
  }

  @Test("What is scheduled on a connection rings in time on the thread that reads it, unless it is called off")
  func scheduled() async throws {
    let pair = try await ChannelPair.connected()
    let (rings, continuation) = AsyncStream.makeStream(of: String.self)
    let executor: any TaskExecutor = try #require(pair.client.executor)
    let loop = await Task(executorPreference: executor) { currentThread() }.value
    let clock = ContinuousClock()
    let start = clock.now
    let callOff = try #require(pair.client.schedule(after: .milliseconds(20)) { continuation.yield("called off") })
    for delay in [60, 30] {
      let made = pair.client.schedule(after: .milliseconds(delay)) {
        continuation.yield("\(delay) \(currentThread() == loop) \(clock.now - start >= .milliseconds(delay))")
      }
      #expect(made != nil)
    }
    callOff()
    var iterator = rings.makeAsyncIterator()
    #expect(await iterator.next() == "30 true true")
    #expect(await iterator.next() == "60 true true")
    pair.client.close()
    await pair.server.close()
  }
}

/// Out of line, because asking for the thread is not allowed in an async function.
private func currentThread() -> UInt { UInt(pthread_self()) }
