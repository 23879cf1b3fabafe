import FleetMessages
import Testing

@testable import BrokerClient

@Suite struct RulesTests {
  @Test("Waits double up to a minute, and a draw takes up to half of each")
  func pace() {
    var pace = ReconnectPace()
    let whole = (0..<8).map { _ in pace.wait(afterEndAt: .zero, draw: 1) }
    #expect(whole == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    var drawn = ReconnectPace()
    let half = (0..<3).map { _ in drawn.wait(afterEndAt: .zero, draw: 0) }
    #expect(half == [500, 1_000, 2_000].map { .milliseconds($0) })
  }

  @Test("Only a connection that lasted begins the waits anew", arguments: [(29, 4), (30, 1)])
  func lasted(seconds: Int, wait: Int) {
    var pace = ReconnectPace()
    for _ in 0..<2 { _ = pace.wait(afterEndAt: .zero, draw: 1) }
    pace.connected(at: .seconds(10))
    let next = pace.wait(afterEndAt: .seconds(10 + seconds), draw: 1)
    #expect(next == .seconds(wait))
  }

  @Test("A burst of five seconds' worth is let through, and after it the rate")
  func rate() {
    var rate = MessageRate(limit: 10, at: .zero)
    let answers = [(50, 0), (10, 1), (11, 2)].map { rate.admits($0.0, at: .seconds($0.1)) }
    #expect(answers == [true, true, false])
    // A clock does not go back; if it did, nothing is let through for it.
    var late = MessageRate(limit: 10, at: .seconds(100))
    let lateAnswers = [(50, 100), (1, 50)].map { late.admits($0.0, at: .seconds($0.1)) }
    #expect(lateAnswers == [true, false])
  }

  private static func read(_ packets: [[UInt8]], limit: Int = 1_000, piece: Int = 1_000) throws(PacketGuard.Problem)
    -> Int
  {
    var guardian = PacketGuard(limit: limit)
    let bytes = packets.flatMap(\.self)
    var index = 0
    while index < bytes.count {
      let end = min(index + piece, bytes.count)
      let part = Array(bytes[index..<end])
      var problem: PacketGuard.Problem?
      part.withUnsafeBytes { raw in
        do throws(PacketGuard.Problem) { try guardian.read(raw) } catch { problem = error }
      }
      if let problem { throw problem }
      index = end
    }
    return guardian.messages
  }

  private static let greeting: [UInt8] = [0x20, 3, 0, 0, 0]
  /// A message at `a/b` with an expiry and a pair of texts.
  private static let message: [UInt8] =
    [0x33, 24, 0, 3, 0x61, 0x2F, 0x62, 0, 9] + [12, 0x02, 0, 0, 0, 9, 0x26, 0, 1, 0x6B, 0, 1, 0x76]
    + [1, 2, 3, 4]

  @Test("What a broker of MQTT 5 sends is let through, wherever it is split", arguments: [1, 2, 3, 7, 1_000])
  func sound(piece: Int) throws {
    let packets: [[UInt8]] = [
      [0x20, 8, 0, 0, 5, 0x27, 0, 0, 16, 0], Self.message, [0x90, 4, 0, 1, 0, 1], [0x40, 2, 0, 2],
      [0x40, 4, 0, 2, 0x10, 0], [0xB0, 4, 0, 3, 0, 0], [0xD0, 0], [0x30, 5, 0, 1, 0x61, 0, 7],
      [0x30, 4, 0, 1, 0x61, 0],
      [0xE0, 2, 0x8B, 0], [0xE0, 0],
    ]
    #expect(try Self.read(packets, piece: piece) == 3)
  }

  static let malformed: [[[UInt8]]] = [
    // Something else than a greeting comes first; two greetings.
    [message], [greeting, greeting],
    // A property that MQTT 5 does not know, longer than all properties, or than the packet.
    [[0x20, 5, 0, 0, 2, 0x7E, 0]], [greeting, [0x30, 6, 0, 1, 0x61, 2, 0x7E, 0]],
    [[0x20, 5, 0, 0, 2, 0x27, 0]], [[0x20, 5, 0, 0, 9, 0x27, 0]], [greeting, [0x30, 6, 0, 1, 0x61, 99, 1, 0]],
    [greeting, [0x30, 9, 0, 1, 0x61, 5, 0x26, 0, 1, 0x6B, 0xFF]],
    // No topic, a topic longer than the packet, a zero byte in one.
    [greeting, [0x30, 4, 0, 0, 0, 0]], [greeting, [0x30, 4, 0xFF, 0xFF, 0x61, 0]], [greeting, [0x30, 4, 0, 1, 0, 0]],
    [greeting, [0x30, 1, 0]], [greeting, [0x30, 0]],
    // Quality 2 and what belongs to it, what only clients send, kinds that there are not.
    [greeting, [0x34, 6, 0, 1, 0x61, 0, 1, 0]], [greeting, [0x50, 2, 0, 1]], [greeting, [0x62, 2, 0, 1]],
    [greeting, [0x10, 0]], [greeting, [0xC0, 0]], [greeting, [0xF0, 2, 0, 0]], [[0, 0, 0]],
    [greeting, [0x41, 2, 0, 1]],
    // A length of five bytes, of fewer than a packet has, of more than an answer to a ping has.
    [[0x20, 0xFF, 0xFF, 0xFF, 0xFF, 1]], [[0x20, 1, 0]], [greeting, [0x90, 3, 0, 1, 0]], [greeting, [0xD0, 1, 0]],
  ]

  @Test("What is malformed, or was not asked for, does not reach the library", arguments: malformed)
  func refused(packets: [[UInt8]]) {
    for piece in [1, 1_000] { #expect(throws: PacketGuard.Problem.malformed) { try Self.read(packets, piece: piece) } }
  }

  @Test("A length is judged before anything of the packet is here")
  func lengths() throws {
    #expect(throws: PacketGuard.Problem.tooLarge) { try Self.read([Self.greeting, [0x30, 0xFF, 0xFF, 0xFF, 0x7F]]) }
    #expect(throws: PacketGuard.Problem.tooLarge) { try Self.read([[0x20, 0xFF, 0xFF, 0x7F]], limit: 1 << 30) }
    // 1 000 bytes with the two that tell the length.
    let body: [UInt8] = [0, 1, 0x61, 0] + [UInt8](repeating: 0, count: 993)
    #expect(try Self.read([Self.greeting, [0x30, 0xE5, 0x07] + body]) == 1)
    #expect(throws: PacketGuard.Problem.tooLarge) { try Self.read([Self.greeting, [0x30, 0xE6, 0x07] + body + [0]]) }
  }

  @Test(
    "A failure of the broker's answer says what to do",
    arguments: [(0x86, "--broker-password"), (0x87, "mqtts://user@host")])
  func refusals(code: Int, help: String) throws {
    let failure = BrokerFailure.refused(try BrokerAddress("mqtts://host"), code: code)
    #expect(failure.code == .refused && failure.help?.contains(help) == true)
  }

  @Test("Events that nobody reads fill the queue; it tells once when half of it is free")
  func queue() async {
    let (rooms, told) = AsyncStream.makeStream(of: Void.self)
    let queue = EventQueue { told.yield() }
    for number in 0..<EventQueue.eventLimit {
      #expect(!queue.isFull)
      queue.append(.acknowledged(number))
    }
    #expect(queue.isFull)
    for number in 0..<EventQueue.eventLimit { #expect(await queue.next() == .acknowledged(number)) }
    told.finish()
    #expect(await rooms.reduce(0) { sum, _ in sum + 1 } == 1)
    #expect(!queue.isFull)
    queue.append(.message(BrokerMessage("x", [UInt8](repeating: 0, count: EventQueue.byteLimit))))
    #expect(queue.isFull)
    queue.finish()
    #expect(await queue.next() != nil)
    #expect(await queue.next() == nil)
  }

  @Test("Without the client a link is not made, and what to do is said", .enabled(if: !BrokerClient.isBuilt))
  func notBuilt() throws {
    let configuration = BrokerConfiguration(try BrokerAddress("mqtts://host"), clientID: "x")
    let failure = #expect(throws: BrokerFailure.self) { _ = try BrokerClient.connect(configuration) }
    #expect(failure?.code == .unavailable && failure?.help?.contains("make build FLEET=1") == true)
  }
}
