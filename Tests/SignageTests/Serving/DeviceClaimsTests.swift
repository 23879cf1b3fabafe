import CastProtocol
import DeviceControl
import RunReporting
import Testing

@testable import Signage

@Suite struct DeviceClaimsTests {
  private static func device(_ name: String) -> FoundDevice {
    FoundDevice(
      name: name, id: name, model: nil, address: HostAndPort(host: "192.0.2.\(name.utf8.count)", port: 8009), via: .host
    )
  }

  private static func loans() -> ScreenLoans { ScreenLoans(ScreenSignals()) }

  @Test("A device has one screen, and a screen one device: with another one it frees the first")
  func oneEach() {
    let claims = DeviceClaims()
    let (first, second) = (Self.device("a"), Self.device("bb"))
    #expect(claims.claim(first, for: "window", lending: Self.loans()) == nil)
    #expect(claims.claim(first, for: "window", lending: Self.loans()) == nil)
    #expect(claims.claim(first, for: "bar", lending: Self.loans()) == .screen("window"))
    #expect(claims.claim(second, for: "window", lending: Self.loans()) == nil)
    #expect(claims.claim(first, for: "bar", lending: Self.loans()) == nil)
    #expect(claims.claim(second, for: "bar", lending: Self.loans()) == .screen("window"))
    #expect(claims.claim(first, for: "hall", lending: Self.loans()) == .screen("bar"), "who is refused keeps its own")
    claims.release("window")
    #expect(claims.claim(second, for: "hall", lending: Self.loans()) == nil)
  }
}
