import Testing

@testable import CastTransport

@Suite struct DNSServiceLibraryTests {
  @Test(
    "A library that is missing, or is another one, is an error that says what to install",
    arguments: ["libshowcaller-nowhere.so.1", "libc.so.6", ""])
  func missing(fileName: String) {
    let error = #expect(throws: TransportError.self) { try DNSServiceLibrary(loading: fileName) }
    #expect(error?.code == .discoveryUnavailable)
    #expect(error?.message == "the mDNS library \(fileName) cannot be loaded")
    #expect(error?.help?.contains("apt-get install libavahi-compat-libdnssd1") == true)
  }

  @Test("The library of this computer has all that is asked of it, and is loaded once")
  func present() throws {
    let library = try DNSServiceLibrary.shared()
    let again = try DNSServiceLibrary.shared()
    let addresses = [library, again].map { unsafeBitCast($0.browse, to: Int.self) }
    #expect(addresses[0] == addresses[1])
  }
}
