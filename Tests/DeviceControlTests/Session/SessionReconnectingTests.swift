import CastClient
import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("connect and disconnect: when a new connection is made, and who waits for it") struct SessionReconnectingTests {
  typealias Setting = SessionLab.Setting

  @Test("A device that was let go of is connected to once; a refusal is told, not waited for")
  func letGo() throws {
    try SessionLab.connected { lab in
      try await SessionRegainingTests.begin(lab)
      #expect(await lab.perform(.disconnect(abrupt: false)) == nil)
      try await lab.wait(.milliseconds(1))
      #expect(lab.stage.peer?.isClosed == true && lab.events.fields(.deviceLost).isEmpty)
      lab.asked.refuse([SessionRegainingTests.refused])
      #expect(await SessionRegainingTests.reach(lab)?.errorClass == .unreachable)
      #expect(lab.asked.times.count == 2)
      #expect(await lab.perform(.connect(host: nil, authentication: nil)) == nil)
      #expect(lab.events.fields(.deviceBack).isEmpty && lab.events.fields(.deviceConnected).count == 2)
      #expect(await lab.session.own.loaded != nil, "the app runs on without us")
    }
  }

  struct Reconnect: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var host: String?
    var authentication: Plan.DeviceRequirements.Authentication?
    var isOpen = true
    var connects: Bool
    var mode = AuthenticationMode.report
  }

  static let reconnects: [Reconnect] = [
    Reconnect(testDescription: "open already", connects: false),
    Reconnect(testDescription: "the same address", host: "192.0.2.1", connects: false),
    Reconnect(testDescription: "another address", host: "192.0.2.5", connects: true),
    Reconnect(testDescription: "a proof is asked for", authentication: .require, connects: true, mode: .require),
    Reconnect(testDescription: "none is asked for", authentication: .some(.none), connects: false, mode: .none),
    Reconnect(testDescription: "closed", isOpen: false, connects: true),
  ]

  @Test("connect makes a new connection only where the open one is not enough", arguments: reconnects)
  func connect(row: Reconnect) throws {
    try SessionLab.connected { lab in
      if !row.isOpen { _ = await lab.perform(.disconnect(abrupt: true)) }
      let host = row.host.map { HostAndPort(host: $0, port: 8009) }
      #expect(await lab.perform(.connect(host: host, authentication: row.authentication)) == nil)
      #expect(lab.asked.devices.count == (row.connects ? 2 : 1))
      #expect(lab.session.device?.authentication == row.mode)
      #expect(lab.session.device?.address.host == row.host ?? "192.0.2.1")
      #expect(await lab.session.connectionProblem == nil)
    }
  }

  @Test("Who waits for the connection wakes when it is there, and who has waited enough does, too")
  func linkWaits() throws {
    try SessionLab.connected { lab in
      _ = await lab.perform(.disconnect(abrupt: false))
      let start = lab.now
      await lab.session.sleepUntilReconnected(or: start + .seconds(2))
      #expect(lab.now == start + .seconds(2))
      let back = lab.spawn {
        try? await lab.wait(.seconds(3))
        _ = await lab.perform(.connect(host: nil, authentication: nil))
      }
      await lab.session.sleepUntilReconnected(or: start + .seconds(60))
      #expect(lab.now == start + .seconds(5))
      await back.value
    }
  }

  @Test("Where no device was found there is none to reach")
  func nothing() throws {
    try SessionLab.run { lab in
      let failure = await SessionRegainingTests.reach(lab)
      #expect(failure?.errorClass == .invalidState && failure?.message == "there is no device to connect to")
    }
  }
}
