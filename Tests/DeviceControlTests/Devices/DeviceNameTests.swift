import CastProtocol
import RunReporting
import ScenarioLanguage
import Testing

@testable import DeviceControl

/// How events call a device.
@Suite struct DeviceNameTests {
  @Test(
    "A device is called by its name in lower-case ASCII",
    arguments: [
      ("QA Chromecast", "qa-chromecast"), ("  Living  Room TV! ", "living-room-tv"), ("Café Écran", "cafe-ecran"),
      ("Straße 7", "strasse-7"), ("リビング", ""), ("a__b", "a-b"),
    ])
  func names(name: String, folded: String) { #expect(DeviceName.folded(name) == folded) }

  @Test("Without such letters it is called by its address, and the inventory's id goes before both") func fallbacks() {
    let device = FoundDevice(name: "リビング", address: HostAndPort(host: "192.0.2.1"), via: .mdns)
    var selector = Plan.DeviceSelector(span: Make.span)
    #expect(DeviceName.name(of: device, selector: selector) == "192.0.2.1:8009")
    selector.inventoryID = "lobby"
    #expect(DeviceName.name(of: device, selector: selector) == "lobby")
  }
}
