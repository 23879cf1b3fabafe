import CastProtocol
import FleetMessages
import Simulation
import Synchronization
import Testing

/// Links to a broker that is not there, on a virtual clock.
@Suite struct SimulatedBrokerTests {
  /// What a client was told, with the time.
  private final class Diary: Sendable {
    private let entries = Mutex<[String]>([])
    func add(_ text: String) { entries.withLock { $0.append(text) } }
    var lines: [String] { entries.withLock { $0 } }
  }

  /// Two clients that tell each other what time it is each second, while things go wrong.
  private static func diary(_ faults: [BrokerFault], seed: UInt64 = 1, for seconds: Int = 30) throws -> [String] {
    let executor = SimulationExecutor(seed: seed)
    let diary = Diary()
    try executor.run { clock in
      let time = TimeSource(clock, executor: executor)
      let broker = SimulatedBroker(time, seed: seed)
      broker.play(faults)
      let names = ["a", "b"]
      let clients = names.map { name in
        let link = broker.link(name, will: BrokerMessage("will/\(name)", Array("gone".utf8), isRetained: true))
        let task = time.spawn {
          for await event in link.events {
            let now = time.now.components.seconds
            switch event {
            case .connected:
              diary.add("\(now) \(name) connected")
              link.send(.subscribe("#"))
            case .disconnected(let why): diary.add("\(now) \(name) \(why.code)")
            case .message(let message): diary.add("\(now) \(name) \(Got(message))")
            case .acknowledged(let id): diary.add("\(now) \(name) ack \(id)")
            case .denied(let id): diary.add("\(now) \(name) denied \(id)")
            }
          }
        }
        return (link, task)
      }
      for second in 1...seconds {
        try await time.sleep(until: .seconds(second) + .milliseconds(500))
        for (name, client) in zip(names, clients) {
          client.0.send(.publish(BrokerMessage("t/\(name)", Array("\(second)".utf8)), id: second))
        }
      }
      try await time.sleep(for: .seconds(10))
      for (link, task) in clients {
        await link.close()
        await task.value
      }
      await broker.stop()
    }
    return diary.lines
  }

  @Test("Where nothing goes wrong all arrives once, and at a goodbye no last will") func well() throws {
    let lines = try Self.diary([])
    for name in ["a", "b"] {
      let other = name == "a" ? "b" : "a"
      #expect(lines.count { $0.contains(" \(name) t/\(other)") } == 30)
      #expect(lines.count { $0.contains(" \(name) ack") } == 30)
    }
    #expect(!lines.contains { $0.contains("will/") })
  }

  @Test("A cut is told by a last will, and the link connects again", arguments: BrokerFault.Notice.allCases)
  func cut(notice: BrokerFault.Notice) throws {
    let lines = try Self.diary([.cut(client: 0, at: 10_000, notice)], for: 60)
    #expect(lines.contains { $0.contains(" b will/a 'gone'") })
    #expect(lines.count { $0.contains(" a connected") } == 2)
    #expect(lines.count { $0.contains(" a lost") } == 1)
  }

  @Test("A partition shorter than patience only delays; a longer one ends connections, on both sides")
  func partition() throws {
    let short = try Self.diary([.partition(clients: [0], 10_000..<20_000)], for: 60)
    #expect(short.count { $0.contains(" a connected") } == 1)
    #expect(short.count { $0.hasPrefix("20 b t/a") } >= 10)
    #expect(!short.contains { $0.contains("will/") })
    let long = try Self.diary([.partition(clients: [0], 10_000..<70_000)], for: 120)
    #expect(long.contains("40 a lost"))
    #expect(long.contains { $0.hasPrefix("55 b will/a") })
    #expect(long.count { $0.contains(" a connected") } == 2)
  }

  @Test("A crash ends all connections; nobody's last will comes, and all connect again") func crash() throws {
    let lines = try Self.diary([.crash(at: 10_000, down: 5_000, .none)], for: 60)
    for name in ["a", "b"] {
      #expect(lines.count { $0.contains(" \(name) connected") } == 2)
      #expect(
        lines.count { $0.contains(" \(name) lost") } == 1,
        "\(lines.filter { !$0.contains("t/") && !$0.contains("ack") })")
    }
    #expect(!lines.contains { $0.contains("will/") })
  }

  @Test("Duplicates come, and acknowledgements do not") func duplicates() throws {
    let twice = try Self.diary([.duplicates(oneIn: 1)])
    #expect(twice.count { $0.contains(" b t/a") } == 60)
    let unacknowledged = try Self.diary([.lostAcknowledgements(oneIn: 1)])
    #expect(!unacknowledged.contains { $0.contains(" ack ") })
    #expect(unacknowledged.count { $0.contains(" b t/a") } == 30)
  }

  @Test("Whoever takes a name over ends the connection that has it") func takeover() throws {
    let lines = try Self.diary([.takeover(client: 0, at: 10_000)])
    #expect(lines.contains { $0.contains(" b will/a") })
    #expect(lines.count { $0.contains(" a connected") } == 2)
  }

  @Test("A hostile broker sends what nobody published", arguments: HostileAct.allCases) func hostile(act: HostileAct)
    throws
  {
    let usual = try Self.diary([])
    let lines = try Self.diary([.hostile(2_000..<25_000, [act])])
    // There is nothing retained to be removed.
    if act != .remove { #expect(lines.count > usual.count) }
  }

  @Test("The same seed and faults give the same, byte for byte", arguments: 1...40 as ClosedRange<UInt64>)
  func same(seed: UInt64) throws {
    let faults = BrokerFault.drawn(by: seed, length: 20_000, clients: 2)
    #expect(try Self.diary(faults, seed: seed, for: 60) == Self.diary(faults, seed: seed, for: 60))
  }

  @Test("While nobody reads, nothing piles up") func bounded() throws {
    let executor = SimulationExecutor(seed: 1)
    let load = try executor.run { clock in
      let time = TimeSource(clock, executor: executor)
      let broker = SimulatedBroker(time)
      let deaf = broker.link("deaf")
      var events = deaf.events.makeAsyncIterator()
      #expect(await events.next() == .connected)
      deaf.send(.subscribe("#"))
      try await time.sleep(for: .seconds(1))
      for index in 0..<10_000 {
        broker.plant(BrokerMessage("t", Array("\(index)".utf8)))
        if index.isMultiple(of: 100) { try await time.sleep(for: .milliseconds(1)) }
      }
      let load = broker.load
      await deaf.close()
      await broker.stop()
      return load
    }
    #expect(load.waiting <= 1_020)
  }
}
