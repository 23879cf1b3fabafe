import CastClient
import CastProtocol
import ScenarioLanguage
import Synchronization
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("How a session keeps other runs off its device") struct SessionHoldingTests {
  typealias Setting = SessionLab.Setting

  @Test("A device of another run is not connected to")
  func busy() throws {
    let setting = Setting {
      $0.policies.hold = DeviceHold(
        DeviceLocking(
          take: { .held(key: $0.sorted()[0], by: "showcaller run night.yaml", isBrief: false) }, giveBack: { _ in },
          releaseUnused: {}, patience: .zero))
    }
    try SessionLab.run(setting) { lab in
      #expect(await lab.connect()?.errorClass == .busy)
      #expect(lab.asked.devices.isEmpty)
      #expect(
        lab.events.diagnostics == ["\(ErrorClass.busy.code) error: Lobby TV is in use by showcaller run night.yaml"])
    }
  }

  @Test("Sessions that share a hold take all their devices before any is connected to")
  func holds() throws {
    let taken = Mutex<[Set<String>]>([])
    let hold = DeviceHold(
      DeviceLocking(
        take: { keys in
          taken.withLock { $0.append(keys) }
          return .taken
        }, giveBack: { _ in }, releaseUnused: {}, patience: .zero))
    let setting = Setting { $0.policies.hold = hold }
    try SessionLab.run(setting) { lab in
      let other = lab.another {
        $0.policies.hold = hold
        $0.found = [FoundDevice(name: "B", address: HostAndPort(host: "192.0.2.2"), via: .host)]
      }
      #expect(await DeviceSession.hold([lab.session, other.session]) == nil, "none was found yet")
      for session in [lab.session, other.session] { _ = await session.find(besides: []) }
      #expect(await DeviceSession.hold([lab.session, other.session]) == nil)
      #expect(taken.withLock { $0 } == [["id abc1", "at 192.0.2.1:8009", "at 192.0.2.2:8009"]])
    }
  }

  @Test("Whom another run keeps waiting is told at the device that is busy, and only once")
  func waitsForHold() throws {
    let hold = DeviceHold(
      DeviceLocking(
        take: { keys in .held(key: keys.sorted().last ?? "", by: "night.yaml", isBrief: false) }, giveBack: { _ in },
        releaseUnused: {}, patience: .seconds(1)))
    try SessionLab.run(Setting { $0.policies.hold = hold }) { lab in
      _ = await lab.session.find(besides: [])
      #expect(await DeviceSession.hold([lab.session])?.errorClass == .busy)
      #expect(lab.now == .seconds(1))
      #expect(
        lab.events.fields(.log).map { $0["text"]?.string } == ["waiting for Lobby TV, which is in use by night.yaml"])
      #expect(
        lab.events.diagnostics == [
          "\(ErrorClass.busy.code) error: Lobby TV is still in use after 1s, by night.yaml"
        ])
    }
  }
}
