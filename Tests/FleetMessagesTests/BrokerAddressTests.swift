import FleetMessages
import Testing

@Suite struct BrokerAddressTests {
  @Test(
    "A broker's address is read, and written as it is read",
    arguments: [
      ("mqtts://broker.example.com", "mqtts://broker.example.com:8883"),
      ("mqtts://broker.example.com:18883/", "mqtts://broker.example.com:18883"),
      ("mqtts://site-1@192.0.2.4", "mqtts://site-1@192.0.2.4:8883"),
      ("ssl://[2001:db8::1]:9", "mqtts://[2001:db8::1]:9"),
    ])
  func read(text: String, written: String) throws {
    let address = try BrokerAddress(text)
    #expect(address.description == written)
    #expect(try BrokerAddress(written) == address)
  }

  @Test(
    "What is no address is refused, and so is one without TLS or with a password",
    arguments: [
      ("mqtt://broker", BrokerAddress.Problem.notEncrypted), ("tcp://broker", .notEncrypted),
      ("ws://broker", .notEncrypted),
      ("mqtts://u:p@broker", .hasPassword), ("broker", .malformed), ("mqtts://", .malformed),
      ("mqtts://broker:0", .malformed), ("mqtts://broker:65536", .malformed), ("mqtts://bro ker", .malformed),
      ("mqtts://[::1", .malformed), ("mqtts://[x]", .malformed), ("mqtts://@broker", .malformed),
      ("http://b", .malformed),
      ("mqtts://a/b", .malformed), ("mqtts://[::1]x", .malformed),
    ])
  func refused(text: String, problem: BrokerAddress.Problem) {
    #expect(throws: problem) { try BrokerAddress(text) }
  }
}
