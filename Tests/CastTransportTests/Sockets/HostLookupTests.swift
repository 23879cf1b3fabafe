import Testing

@testable import CastTransport

@Suite struct HostLookupTests {
  @Test(
    "An address has one spelling, however it is written",
    arguments: [
      ("127.0.0.1", ["127.0.0.1"]), ("127.1", ["127.0.0.1"]), ("0x7f.1", ["127.0.0.1"]),
      ("::ffff:127.0.0.1", ["127.0.0.1"]), ("2001:DB8:0:0::7", ["2001:db8::7"]), ("::1", ["::1"]),
    ])
  func literals(host: String, addresses: [String]) async {
    #expect(await HostLookup.addresses(of: host, within: .zero) == addresses)
  }

  @Test("A name has the addresses that the system knows, and none where nobody knows it or has no time to say")
  func names() async {
    #expect(await HostLookup.addresses(of: "localhost", within: .seconds(10)).contains("127.0.0.1"))
    #expect(await HostLookup.addresses(of: "nowhere.invalid", within: .seconds(10)) == [])
    #expect(await HostLookup.addresses(of: "", within: .seconds(10)) == [])
    let begin = ContinuousClock.now
    _ = await HostLookup.addresses(of: "slow.nowhere.invalid", within: .milliseconds(1))
    #expect(ContinuousClock.now - begin < .seconds(4))
  }
}
