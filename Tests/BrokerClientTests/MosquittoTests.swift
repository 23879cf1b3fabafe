import BrokerClient
import FleetMessages
import TestSupport
import Testing

/// Against a real broker.
@Suite(.enabled(if: BrokerClient.isBuilt && MosquittoBroker.isInstalled), .timeLimit(.minutes(2))) struct MosquittoTests
{
  @Test("What one publishes another gets, with its quality and expiry, as news and later as retained")
  func messages() async throws {
    let broker = try MosquittoBroker()
    let sender = try LabLink(BrokerConfiguration(broker, as: "sender"))
    let reader = try LabLink(BrokerConfiguration(broker, as: "reader"))
    try await sender.connected()
    try await reader.connected()
    try await reader.subscribe("site/+/health")
    let sent = BrokerMessage("site/a/health", Array("ok".utf8), isRetained: true, expiry: .seconds(600))
    #expect(sender.link.send(.publish(sent, id: 7)))
    try await sender.acknowledged(7)
    var news = sent
    news.isRetained = false
    #expect(try await reader.message() == news)
    #expect(sender.link.send(.publish(BrokerMessage("site/b/health", [], quality: .atMostOnce), id: 8)))
    try await sender.acknowledged(8)
    #expect(try await reader.message() == BrokerMessage("site/b/health", [], quality: .atMostOnce))

    let late = try LabLink(BrokerConfiguration(broker, as: "late", host: "127.0.0.1"))
    try await late.connected()
    try await late.subscribe("site/#")
    #expect(sender.link.send(.publish(.removal(of: "site/a/health"))))
    let kept = try await late.message()
    #expect(kept.isRetained && kept.payload == Array("ok".utf8))
    #expect(try await late.message().payload == [])
    #expect(late.link.send(.unsubscribe("site/#")))
    try await late.settle()
    for link in [sender, reader, late] { await link.link.close() }
    #expect(await reader.firstLeft { $0 == .connected ? true : nil } == nil)
  }

  @Test("A message that has expired is not delivered any more")
  func expiry() async throws {
    let broker = try MosquittoBroker()
    let sender = try LabLink(BrokerConfiguration(broker, as: "sender"))
    try await sender.connected()
    sender.link.send(.publish(BrokerMessage("kept/short", [1], isRetained: true, expiry: .seconds(1))))
    sender.link.send(.publish(BrokerMessage("kept/long", [2], isRetained: true, expiry: .seconds(60)), id: 1))
    try await sender.acknowledged(1)
    // The broker counts whole seconds.
    try await Task.sleep(for: .milliseconds(2_200))
    try await sender.subscribe("kept/#")
    let left = try LabLink(BrokerConfiguration(broker, as: "reader"))
    try await left.connected()
    try await left.subscribe("kept/#")
    #expect(left.link.send(.publish(BrokerMessage("kept/end", [3]))))
    let message = try await left.message()
    #expect(message.topic == "kept/long" && (message.expiry ?? .zero) < .seconds(60))
  }

  @Test("What a connection publishes comes back to it only where it asked for that")
  func own() async throws {
    let broker = try MosquittoBroker()
    let link = try LabLink(BrokerConfiguration(broker, as: "one"))
    try await link.connected()
    try await link.subscribe("quiet/#")
    try await link.subscribe("loud/#", .init(includesOwn: true))
    link.link.send(.publish(BrokerMessage("quiet/x", [1])))
    link.link.send(.publish(BrokerMessage("loud/x", [2])))
    #expect(try await link.message().topic == "loud/x")
  }

  @Test("Of those who share a subscription one gets each message")
  func shared() async throws {
    let broker = try MosquittoBroker()
    let sender = try LabLink(BrokerConfiguration(broker, as: "sender"))
    try await sender.connected()
    let agents = try (0..<3).map { try LabLink(BrokerConfiguration(broker, as: "agent-\($0)")) }
    for agent in agents {
      try await agent.connected()
      try await agent.subscribe("$share/lab/offers/#")
    }
    for number in 0..<30 { sender.link.send(.publish(BrokerMessage("offers/any", [UInt8(number)]))) }
    try await sender.settle()
    var got: [UInt8] = []
    for agent in agents {
      try await agent.subscribe("end")
      sender.link.send(.publish(BrokerMessage("end", [])))
      while case let message = try await agent.message(), message.topic != "end" { got += message.payload }
    }
    #expect(got.sorted() == (0..<30).map { UInt8($0) })
  }

  @Test("The last will is published when a process is gone, and not after a goodbye")
  func will() async throws {
    let broker = try MosquittoBroker()
    let watcher = try LabLink(BrokerConfiguration(broker, as: "watcher"))
    try await watcher.connected()
    try await watcher.subscribe("gone/#")
    var configuration = try BrokerConfiguration(broker, as: "polite")
    configuration.will = BrokerMessage("gone/polite", [1])
    let polite = try LabLink(configuration)
    try await polite.connected()
    polite.link.send(.publish(BrokerMessage("gone/said", [])))
    await polite.link.close()
    #expect(await polite.next() == nil)
    configuration.clientID = "taken"
    configuration.will = BrokerMessage("gone/taken", [2], isRetained: true)
    let taken = try LabLink(configuration)
    try await taken.connected()
    // A second one of the same name.
    let heir = try LabLink(BrokerConfiguration(broker, as: "taken"))
    try await heir.connected()
    let failure = try await taken.failure()
    #expect(failure.code == .lost, "\(failure)")
    await taken.link.close()
    #expect(try await watcher.message().topic == "gone/said")
    #expect(try await watcher.message().topic == "gone/taken")
  }

  @Test(
    "A link comes back by itself after the broker was gone, which it tells once, and begins without what was before")
  func restart() async throws {
    let broker = try MosquittoBroker()
    let link = try LabLink(BrokerConfiguration(broker, as: "one"))
    try await link.connected()
    try await link.subscribe("x")
    broker.stop()
    #expect(try await link.failure().code == .lost)
    #expect(try await link.failure().code == .unreachable)
    #expect(!link.link.send(.publish(BrokerMessage("x", []))))
    try broker.start()
    // Nothing else is told in between.
    #expect(await link.next() == .connected)
    try await link.subscribe("y", .init(includesOwn: true))
    link.link.send(.publish(BrokerMessage("x", [])))
    link.link.send(.publish(BrokerMessage("y", [])))
    #expect(try await link.message().topic == "y")
  }

  @Test("A slow reader holds up the broker, and loses none of 10 000 messages")
  func slowReader() async throws {
    let broker = try MosquittoBroker()
    var configuration = try BrokerConfiguration(broker, as: "reader")
    configuration.rateLimit = 100_000
    let reader = try LabLink(configuration)
    try await reader.connected()
    try await reader.subscribe("n")
    let sender = try LabLink(BrokerConfiguration(broker, as: "sender"))
    try await sender.connected()
    let count = 10_000
    var sent = 0
    while sent < count {
      for _ in 0..<500 {
        let payload = withUnsafeBytes(of: Int32(sent)) { Array($0) } + [UInt8](repeating: 0, count: 200)
        sent += 1
        try #require(sender.link.send(.publish(BrokerMessage("n", payload), id: sent)))
      }
      try await sender.acknowledged(sent)
    }
    for number in 0..<count {
      let message = try await reader.message()
      let got = message.payload.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
      try #require(got == Int32(number))
    }
  }

  @Test("What is too large, not sound, or more than waits is not taken")
  func refusedCommands() async throws {
    let broker = try MosquittoBroker()
    var configuration = try BrokerConfiguration(broker, as: "one")
    configuration.messageLimit = 100_000
    let link = try LabLink(configuration)
    #expect(!link.link.send(.publish(BrokerMessage("x", []))))
    try await link.connected()
    #expect(!link.link.send(.publish(BrokerMessage("x", [UInt8](repeating: 0, count: 100_001)))))
    for topic in ["", "a/+", "a/#", "a\0b"] { #expect(!link.link.send(.publish(BrokerMessage(topic, [])))) }
    #expect(!link.link.send(.subscribe("")))
    let payload = [UInt8](repeating: 0, count: 99_000)
    var taken = 0
    while taken < 5_000, link.link.send(.publish(BrokerMessage("x", payload))) { taken += 1 }
    #expect(taken >= 100 && taken < 5_000)
    try await link.settle()
  }
}
