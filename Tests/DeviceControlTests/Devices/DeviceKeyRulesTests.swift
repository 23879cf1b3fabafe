import CastClient
import CastProtocol
import CastReceiver
import CastTransport
import Foundation
import RunReporting
import TestSupport
import Testing

@testable import DeviceControl

@Suite("On each connection of a run a device shows the key that it showed first", .timeLimit(.minutes(1)))
struct DeviceKeyRulesTests {
  private static let times = TimeSources(show: TimeSource(ContinuousClock()))

  /// Two receivers with a key each, both of which are believed.
  private static func pair(
    _ body: (ClientConfiguration, [HostAndPort]) async throws -> Void
  ) async throws {
    var roots: [[UInt8]] = []
    var servers: [(VirtualReceiver, TLSServer)] = []
    for name in ["One", "Other"] {
      // Receivers of one authority share a key.
      let authority = LazyDeviceAuthAuthority { Int(Date().timeIntervalSince1970) }
      roots.append(try authority.get().rootPEM)
      var configuration = ReceiverConfiguration(id: "a")
      configuration.credentials = DeviceCredentials(name: name, authority: authority)
      let receiver = VirtualReceiver(configuration: configuration, times: times)
      servers.append((receiver, try await TLSServer.listen(host: "127.0.0.1", port: 0) { receiver.accept($0) }))
    }
    var client = ClientConfiguration()
    client.authentication = AuthenticationRules(
      verifier: try DeviceAuthVerifier.forDevices(extraRoots: roots),
      makeNonce: { (0..<16).map { _ in UInt8.random(in: 0...255) } }, wallClock: { Int(Date().timeIntervalSince1970) })
    try await body(client, servers.map { HostAndPort(host: "127.0.0.1", port: $0.1.port) })
    for (receiver, server) in servers {
      receiver.stop()
      await server.close()
    }
  }

  private static func device(
    at address: HostAndPort, _ mode: AuthenticationMode, id: String? = "a", model: String? = nil
  ) -> FoundDevice {
    var device = FoundDevice(name: "TV", id: id, model: model, address: address, via: .mdns)
    device.authentication = mode
    return device
  }

  /// What is known of the proof of `device` when it has come.
  private static func facts(_ device: FoundDevice, _ client: ClientConfiguration) async throws -> AuthenticationFacts {
    let opened = try await LiveDevices.connect(to: device, times: times, configuration: client)
    var facts = opened.authentication
    if facts.isPending { facts = AuthenticationFacts(await opened.connection.proof()) }
    await opened.connection.disconnect()
    return facts
  }

  @Test("Another key is class auth where proof is required, and a warning where it is reported")
  func reconnected() async throws {
    try await Self.pair { client, addresses in
      for mode in [AuthenticationMode.require, .pin, .report] {
        var client = client
        client.authentication?.keys = DeviceKeys()
        #expect(try await Self.facts(Self.device(at: addresses[0], mode), client).isVerified)
        #expect(try await Self.facts(Self.device(at: addresses[0], mode), client).isVerified)
        let other = Self.device(at: addresses[1], mode)
        if mode == .report {
          let facts = try await Self.facts(other, client)
          #expect(facts.verdict == .otherKey && facts.doubt?.contains("auth.key.changed") == true)
        } else {
          let error = await #expect(throws: ClientError.self) { try await Self.facts(other, client) }
          #expect(error?.class == .auth && error?.message.contains("auth.key.changed") == true)
        }
        // Another id is another device; without an id each address is one.
        #expect(try await Self.facts(Self.device(at: addresses[1], mode, id: "b"), client).isVerified)
        for address in addresses {
          #expect(try await Self.facts(Self.device(at: address, mode, id: nil), client).isVerified)
        }
      }
    }
  }

  @Test("Of two processes that see a device first at the same time, the one that comes second takes the other's key")
  func race() async throws {
    try await Self.pair { client, addresses in
      var client = client
      let stored = KnownKey(hash: String(repeating: "0", count: 64), since: 86_400, isKept: true)
      client.authentication?.keyStore = DeviceKeyStore(
        read: { _ throws(DeviceKeyStore.Problem) in nil }, keep: { _, _, _ throws(DeviceKeyStore.Problem) in stored })
      let device = Self.device(at: addresses[0], .pin)
      let error = await #expect(throws: ClientError.self) { try await Self.facts(device, client) }
      #expect(error?.class == .auth && error?.message.contains("is kept since 1970-01-02") == true)
      #expect(error?.help?.contains("`showcaller auth -d a --forget`") == true)
    }
  }

  @Test("Where keys cannot be read or kept that is told, and proof is required all the same")
  func trouble() async throws {
    try await Self.pair { client, addresses in
      var client = client
      let device = Self.device(at: addresses[0], .pin)
      client.authentication?.keyStore.read = { _ throws(DeviceKeyStore.Problem) in throw .init(message: "it is damaged")
      }
      client.authentication?.keyStore.keep = { _, _, _ throws(DeviceKeyStore.Problem) in
        Issue.record("what cannot be read is written over")
        throw .init(message: "")
      }
      let unread = try await Self.facts(device, client)
      #expect(
        unread.isVerified
          && unread.keyNotes.map(\.text) == [
            "the key of TV is compared within this run only: it is damaged"
          ])
      client.authentication?.keyStore = .none
      client.authentication?.keyStore.keep = { _, _, _ throws(DeviceKeyStore.Problem) in throw .init(message: "full") }
      let unkept = try await Self.facts(device, client)
      #expect(unkept.isVerified && unkept.keyNotes.map(\.text) == ["the key of TV is not kept: full"])
      client.authentication?.verifier = try DeviceAuthVerifier.forDevices(extraRoots: [])
      let error = await #expect(throws: ClientError.self) { try await Self.facts(device, client) }
      #expect(error?.message.contains("auth.chain.untrusted") == true)
    }
  }

  @Test("A group has no key of its own: pin says so, and asks for the proof alone")
  func groups() async throws {
    try await Self.pair { client, addresses in
      for address in addresses {
        let group = Self.device(at: address, .pin, model: "Google Cast Group")
        let facts = try await Self.facts(group, client)
        #expect(facts.isVerified && facts.keyNotes.first?.text.hasPrefix("TV is a group") == true)
      }
    }
  }
}
