import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage
import Synchronization
import Testing

@testable import DeviceControl

@Suite struct DeviceHoldTests {
  /// Locks of which others have some until so many have asked, and what was asked of them.
  final class Ledger: Sendable {
    struct State {
      var others: [String: Int] = [:]
      var uses: [String: Int] = [:]
      var asked = 0
      var released = 0
    }

    let state: Mutex<State>

    /// - Parameter others: The locks that others have, and how often each is asked for in vain.
    init(_ others: [String: Int] = [:]) { state = Mutex(State(others: others)) }

    func locking(patience: Duration = .zero, isBrief: Bool = false) -> DeviceLocking {
      DeviceLocking(
        take: { keys in
          self.state.withLock { state in
            state.asked += 1
            for key in keys.sorted() {
              guard let left = state.others[key], left > 0 else { continue }
              state.others[key] = left - 1
              return .held(key: key, by: "showcaller run night.yaml (process 4711)", isBrief: isBrief)
            }
            for key in keys { state.uses[key, default: 0] += 1 }
            return .taken
          }
        },
        giveBack: { keys in self.state.withLock { state in for key in keys { state.uses[key, default: 0] -= 1 } } },
        releaseUnused: { self.state.withLock { $0.released += 1 } }, patience: patience)
    }

    var asked: Int { state.withLock { $0.asked } }
    var released: Int { state.withLock { $0.released } }
    var used: Set<String> { state.withLock { Set($0.uses.filter { $0.value > 0 }.keys) } }
  }

  /// A clock on which whoever sleeps wakes at once.
  final class JumpingClock: Clock, Sendable {
    typealias Duration = Swift.Duration
    private let time = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      try Task.checkCancellation()
      time.withLock { $0 = max($0, deadline) }
    }
  }

  static func device(_ name: String, id: String? = nil, host: String = "192.0.2.14") -> FoundDevice {
    FoundDevice(name: name, id: id, address: HostAndPort(host: host, port: 8009), via: .mdns)
  }

  static let kitchen = device("Kitchen", id: "8E2D1C0A-7b1f", host: "192.0.2.1")
  static let lobby = device("Lobby TV", host: "192.0.2.2")

  private static func take(
    _ hold: DeviceHold, _ devices: [FoundDevice], on clock: TimeSource = TimeSource(JumpingClock())
  ) async -> (refusal: DeviceHold.Refusal?, told: [String]) {
    let told = Mutex<[String]>([])
    let refusal = await hold.lock(devices, on: clock) { text in told.withLock { $0.append(text) } }
    return (refusal, told.withLock { $0 })
  }

  @Test(
    "A device is known by its id, however that is written, and by its address",
    arguments: [
      (device("TV", id: "8E2D-1c0a"), ["at 192.0.2.14:8009", "id 8e2d1c0a"]),
      (device("TV"), ["at 192.0.2.14:8009"]), (device("TV", id: "--"), ["at 192.0.2.14:8009"]),
      (device("TV", host: "Kitchen.local"), ["at kitchen.local:8009"]),
      (device("TV", id: "192.0.2.14:8009"), ["at 192.0.2.14:8009", "id 192.0.2.14:8009"]),
    ])
  func keys(device: FoundDevice, keys: [String]) { #expect(device.lockKeys().sorted() == keys) }

  @Test("Who writes a name meets who writes one of its addresses")
  func spellings() async {
    let ledger = Ledger(["at 192.0.2.7:8009": 1])
    var locking = ledger.locking()
    locking.addresses = { $0 == "tv.lan" ? ["192.0.2.7", "2001:db8::7"] : [] }
    let named = Self.device("TV", id: "a", host: "tv.lan")
    #expect(named.lockKeys(at: ["192.0.2.7"]) == ["id a", "at 192.0.2.7:8009"])
    #expect(await Self.take(DeviceHold(locking), [Self.lobby, named]).refusal?.device == 1)
    let hold = DeviceHold(locking)
    #expect(await Self.take(hold, [named]).refusal == nil)
    #expect(ledger.used == ["id a", "at 192.0.2.7:8009", "at 2001:db8::7:8009"])
  }

  @Test("Without patience a device of another run is busy at once, and the failure names who has it")
  func busy() async {
    let ledger = Ledger(["at 192.0.2.2:8009": 1])
    let (refusal, told) = await Self.take(DeviceHold(ledger.locking()), [Self.kitchen, Self.lobby])
    #expect(refusal?.device == 1 && refusal?.failure.errorClass == .busy)
    #expect(refusal?.failure.message == "Lobby TV is in use by showcaller run night.yaml (process 4711)")
    #expect(refusal?.failure.help?.contains("--wait-lock 1m") == true)
    #expect(told.isEmpty && ledger.asked == 1 && ledger.used.isEmpty)
  }

  @Test("With patience it is waited for, which is told once; meanwhile nothing is kept that is not in use")
  func waits() async {
    let ledger = Ledger(["id 8e2d1c0a7b1f": 5])
    let clock = TimeSource(JumpingClock())
    let (refusal, told) = await Self.take(
      DeviceHold(ledger.locking(patience: .seconds(30))), [Self.lobby, Self.kitchen], on: clock)
    #expect(refusal == nil && ledger.asked == 6 && ledger.released == 5 && clock.now == .milliseconds(500))
    #expect(told == ["waiting for Kitchen, which is in use by showcaller run night.yaml (process 4711)"])
    #expect(ledger.used.count == 3)
  }

  @Test("A wait ends when its time is over, and says how long it was")
  func overdue() async {
    let clock = TimeSource(JumpingClock())
    let hold = DeviceHold(Ledger(["at 192.0.2.2:8009": .max]).locking(patience: .milliseconds(1250)))
    let (refusal, told) = await Self.take(hold, [Self.lobby], on: clock)
    #expect(clock.now == .milliseconds(1250) && told.count == 1)
    #expect(
      refusal?.failure.message
        == "Lobby TV is still in use after 1.25s, by showcaller run night.yaml (process 4711)")
    #expect(refusal?.failure.errorClass == .busy)
  }

  @Test("A command that has it for a moment is waited for in any case, without a word")
  func brief() async {
    let (refusal, told) = await Self.take(
      DeviceHold(Ledger(["at 192.0.2.2:8009": 3]).locking(isBrief: true)), [Self.lobby])
    #expect(refusal == nil && told.isEmpty)
    let clock = TimeSource(JumpingClock())
    let long = DeviceHold(Ledger(["at 192.0.2.2:8009": .max]).locking(isBrief: true))
    let (overdue, _) = await Self.take(long, [Self.lobby], on: clock)
    #expect(clock.now == DeviceHold.courtesy && overdue?.failure.message.contains("is in use by") == true)
  }

  @Test("Whoever is cancelled while waiting stops at once")
  func cancelled() async {
    let hold = DeviceHold(Ledger(["at 192.0.2.2:8009": .max]).locking(patience: .seconds(3600)))
    let clock = TimeSource(ContinuousClock())
    let refusal = await withTaskGroup(of: DeviceHold.Refusal?.self) { group in
      group.addTask { await Self.take(hold, [Self.lobby], on: clock).refusal }
      group.cancelAll()
      return await group.next() ?? nil
    }
    #expect(refusal?.failure.errorClass == .cancelled && clock.now < .seconds(3000))
  }

  @Test("What a hold has is not asked for again; a device that joins is not waited for; the end gives all back, once")
  func joins() async throws {
    let ledger = Ledger(["at 192.0.2.2:8009": 1])
    let hold = DeviceHold(ledger.locking(patience: .seconds(3600)))
    #expect(await Self.take(hold, [Self.kitchen]).refusal == nil)
    try await hold.lockAtOnce(Self.kitchen)
    #expect(ledger.asked == 1)
    let failure = await #expect(throws: StepFailure.self) { try await hold.lockAtOnce(Self.lobby) }
    #expect(failure?.errorClass == .busy && failure?.help?.contains("not waited for") == true)
    try await hold.lockAtOnce(Self.lobby)
    #expect(ledger.used == ["id 8e2d1c0a7b1f", "at 192.0.2.1:8009", "at 192.0.2.2:8009"])
    hold.end()
    hold.end()
    #expect(ledger.used.isEmpty && ledger.state.withLock { $0.uses.values.allSatisfy { $0 == 0 } })
  }
}
