import CastProtocol
import CastTransport
import Synchronization
import Testing

@testable import Simulation

/// What a script does to the bytes of a link.
@Suite struct LinkScriptTests {
  typealias Entry = LinkScript.Entry

  /// What arrives of writes at 0, 1, 2 ... s towards the receiver; `|` between deliveries, `.` for the end.
  private static func carried(_ script: LinkScript, _ writes: [String], seed: UInt64 = 1) -> [String] {
    var machine = LinkScriptMachine(script, seed: seed, start: .zero)
    return writes.enumerated().map { number, text in
      machine.carry(Array(text.utf8), .toReceiver, at: .seconds(number)).map { delivery in
        switch delivery {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .stall(let time): "\(time.seconds)s"
        case .end: "."
        }
      }.joined(separator: "|")
    }
  }

  static let table: [(script: LinkScript, arrives: [String])] = [
    (LinkScript(), ["abc", "def", "ghi"]),
    (LinkScript(pieces: 1...1), ["a|b|c", "d|e|f", "g|h|i"]),
    (LinkScript(pieces: 2...2), ["ab|c", "de|f", "gh|i"]),
    (LinkScript(faults: [Entry(.drop(2), at: .byte(1))]), ["a", "def", "ghi"]),
    (LinkScript(faults: [Entry(.drop(4), at: .byte(2))]), ["ab", "", "ghi"]),
    (LinkScript(faults: [Entry(.drop(1), at: .time(.seconds(1)))]), ["abc", "ef", "ghi"]),
    (LinkScript(faults: [Entry(.cut, at: .byte(4))]), ["abc", "d", ""]),
    (LinkScript(faults: [Entry(.cut, at: .byte(3))]), ["abc", "", ""]),
    (.cut(at: .seconds(1)), ["abc", "", ""]),
    (LinkScript(faults: [Entry(.halfClose, at: .byte(4))]), ["abc", "d|.", "ghi"]),
    (LinkScript(faults: [Entry(.stall(.seconds(3)), at: .byte(4))]), ["abc", "d|3.0s|ef", "ghi"]),
    (LinkScript(faults: [Entry(.stall(.seconds(3)), at: .time(.seconds(1)))]), ["abc", "3.0s|def", "ghi"]),
    (LinkScript(stalls: .init(oneIn: 1, for: .seconds(2))), ["2.0s|abc", "2.0s|def", "2.0s|ghi"]),
    (LinkScript(faults: [Entry(.cut, at: .byte(4), .toSender)]), ["abc", "def", "ghi"]),
    (LinkScript(pieces: 2...2, faults: [Entry(.drop(1), at: .byte(0)), Entry(.cut, at: .byte(5))]), ["bc", "de", ""]),
  ]

  @Test("Bytes are split, lost or cut where and when the script says", arguments: table)
  func carries(script: LinkScript, arrives: [String]) {
    #expect(Self.carried(script, ["abc", "def", "ghi"]) == arrives)
  }

  @Test("A corrupted byte is another one, only that one, and a seed repeats it", arguments: 0..<20)
  func corrupts(seed: UInt64) throws {
    func arrives() -> [UInt8] {
      var machine = LinkScriptMachine(
        LinkScript(faults: [Entry(.corrupt, at: .byte(1))]), seed: seed, start: .zero)
      return machine.carry([7, 7, 7], .toReceiver, at: .zero).flatMap { delivery -> [UInt8] in
        if case .bytes(let bytes) = delivery { bytes } else { [] }
      }
    }
    let bytes = arrives()
    #expect(bytes.count == 3 && bytes.first == 7 && bytes.last == 7 && bytes[1] != 7)
    #expect(arrives() == bytes)
  }

  @Test("A cable that is pulled leaves later connections whole")
  func later() {
    var machine = LinkScriptMachine(.cut(at: .seconds(1)), seed: 0, start: .seconds(2))
    #expect(machine.carry([1], .toSender, at: .seconds(3)) == [.bytes([1])])
    #expect(!machine.isCut(at: .seconds(3)))
  }

  @Test("What is written behind a stall waits with it, in its order, and nothing is lost")
  func stalls() throws {
    let executor = SimulationExecutor(seed: 1)
    let network = SimulatedNetwork(
      executor: executor, seed: 1,
      script: LinkScript(faults: [Entry(.stall(.seconds(30)), at: .time(.seconds(10)), .toReceiver)]))
    let seen = Mutex<[String]>([])
    try executor.run { clock in
      let (sender, receiver, _) = network.connect()
      sender.start { _ in }
      receiver.start { event in
        if case .received(let bytes) = event { seen.withLock { $0.append("\(bytes) \(clock.now.offset.seconds)") } }
      }
      for time in [5, 10, 15, 50] {
        try await clock.sleep(for: .seconds(time) - clock.now.offset)
        sender.send([UInt8(time)])
      }
      try await clock.sleep(for: .seconds(1))
      sender.close()
    }
    #expect(seen.withLock { $0 } == ["[5] 5.0", "[10] 40.0", "[15] 40.0", "[50] 50.0"])
  }

  @Test("Who reads a half-closed direction sees the end; who writes is not told")
  func halfClose() throws {
    let executor = SimulationExecutor(seed: 1)
    let network = SimulatedNetwork(
      executor: executor, seed: 1, script: LinkScript(faults: [Entry(.halfClose, at: .byte(1), .toReceiver)]))
    let seen = Mutex<[String]>([])
    try executor.run { clock in
      let (sender, receiver, _) = network.connect()
      sender.start { event in seen.withLock { $0.append("sender \(event)") } }
      receiver.start { event in
        if case .closed(nil) = event { seen.withLock { $0.append("receiver closed") } }
      }
      sender.send([1, 2])
      try await clock.sleep(for: .seconds(1))
      seen.withLock { $0.append("later") }
      sender.close()
    }
    #expect(seen.withLock { Array($0.prefix(2)) } == ["receiver closed", "later"])
  }

  @Test("Each of three devices has delays of its own, a seed repeats them, and those of one do not move with others")
  func delays() throws {
    func arrivals(_ devices: [String], seed: UInt64 = 3) throws -> [String: Duration] {
      let executor = SimulationExecutor(seed: 1)
      let network = SimulatedNetwork(executor: executor, seed: seed, latency: .zero ... .seconds(1))
      let seen = Mutex<[String: Duration]>([:])
      try executor.run { clock in
        for name in devices {
          let (sender, receiver, _) = network.connect(to: name)
          receiver.start { event in
            if case .received = event { seen.withLock { $0[name] = clock.now.offset } }
          }
          sender.start { _ in }
          sender.send([1])
          try await clock.sleep(for: .seconds(2))
          sender.close()
        }
        try await clock.sleep(for: .seconds(2))
      }
      let start = Dictionary(uniqueKeysWithValues: devices.enumerated().map { ($1, Duration.seconds(2 * $0)) })
      return seen.withLock { $0 }.reduce(into: [:]) { $0[$1.key] = $1.value - (start[$1.key] ?? .zero) }
    }
    let all = try arrivals(["Left", "Right", "Bar"])
    #expect(Set(all.values).count == 3, "\(all)")
    #expect(try arrivals(["Left", "Right", "Bar"]) == all)
    #expect(try arrivals(["Bar"])["Bar"] == all["Bar"])
    #expect(try arrivals(["Bar"], seed: 4)["Bar"] != all["Bar"])
    #expect(UInt64(7).mixed(with: "") == 7)
  }

  static let further: [(script: LinkScript, arrives: [String])] = [
    // Both of two faults at one byte come, in the order of the script.
    (
      LinkScript(faults: [Entry(.stall(.seconds(1)), at: .byte(3)), Entry(.drop(1), at: .byte(3))]),
      ["abc", "1.0s|ef", "ghi"]
    ),
    (LinkScript(faults: [Entry(.drop(-5), at: .byte(0))]), ["abc", "def", "ghi"]),
    (LinkScript(faults: [Entry(.drop(1), at: .byte(0)), Entry(.drop(1), at: .byte(1))]), ["c", "def", "ghi"]),
    (LinkScript(faults: [Entry(.cut, at: .byte(0))]), ["", "", ""]),
    (LinkScript(faults: [Entry(.halfClose, at: .byte(0))]), [".", "def", "ghi"]),
    (LinkScript(pieces: 0...0), ["a|b|c", "d|e|f", "g|h|i"]), (LinkScript(pieces: 5...9), ["abc", "def", "ghi"]),
    (LinkScript(stalls: .init(oneIn: 0, for: .seconds(1))), ["1.0s|abc", "1.0s|def", "1.0s|ghi"]),
  ]

  @Test("Faults at one place add up, and numbers that make no sense do no harm", arguments: further)
  func adds(script: LinkScript, arrives: [String]) {
    #expect(Self.carried(script, ["abc", "def", "ghi"]) == arrives)
  }

  @Test("Pieces of several sizes are of those sizes, lose nothing, and are the same for a seed", arguments: 0..<10)
  func pieces(seed: UInt64) {
    let text = String(repeating: "0123456789", count: 20)
    let script = LinkScript(pieces: 3...7)
    let arrived = Self.carried(script, [text], seed: seed)[0]
    let pieces = arrived.split(separator: "|")
    #expect(pieces.joined() == text)
    #expect(pieces.dropLast().allSatisfy { (3...7).contains($0.count) } && Set(pieces.map(\.count)).count > 2)
    #expect(Self.carried(script, [text], seed: seed) == [arrived])
  }

  @Test("A fault without a direction comes once in each, and a cut ends both at once")
  func directions() {
    let script = LinkScript(faults: [Entry(.drop(1), at: .byte(1)), Entry(.cut, at: .byte(3), .toSender)])
    var machine = LinkScriptMachine(script, seed: 1, start: .zero)
    for direction in [InMemoryLink.Direction.toReceiver, .toSender] {
      #expect(machine.carry([1, 2, 3], direction, at: .zero) == [.bytes([1, 3])])
    }
    #expect(!machine.isCut(at: .zero))
    #expect(machine.carry([4], .toSender, at: .zero) == [])
    #expect(machine.isCut(at: .zero) && machine.carry([4], .toReceiver, at: .zero) == [])
  }

  @Test("A cable is pulled at its time, also where nobody sends")
  func silentCut() {
    let machine = LinkScriptMachine(.cut(at: .seconds(2)), seed: 1, start: .seconds(2))
    #expect(!machine.isCut(at: .seconds(1)) && machine.isCut(at: .seconds(2)))
  }

  @Test("Bytes arrive in no time unless a script delays or stalls them")
  func time() {
    #expect(!LinkScript(pieces: 1...2, faults: [Entry(.drop(1), at: .byte(0))]).takesTime)
    for script in [
      LinkScript(delay: .zero ... .seconds(1)), LinkScript(stalls: .init(oneIn: 5, for: .seconds(1))),
      LinkScript(faults: [Entry(.cut, at: .byte(1)), Entry(.stall(.seconds(1)), at: .byte(2))]),
    ] {
      #expect(script.takesTime)
    }
  }
}
