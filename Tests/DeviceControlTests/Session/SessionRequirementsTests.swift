import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("What is asked of a device: by the command line, a step, its entries in the inventory")
struct SessionRequirementsTests {
  typealias Setting = SessionLab.Setting

  static func entry(
    _ name: String, _ authentication: Plan.DeviceRequirements.Authentication = .report, legacy: Bool = false
  ) -> Plan.DeviceSelector {
    var entry = SessionFindingTests.named(name)
    entry.requirements.authentication = authentication
    entry.requirements.allowsLegacyTLS = legacy
    return entry
  }

  @Test(
    "Of several entries of the inventory the strictest counts; the command line and a step come before all",
    arguments: [
      ([], nil, nil, .report), ([.none], nil, nil, .none), ([.none, .require], nil, nil, .require),
      ([.report, .none], nil, nil, .none), ([.require], nil, .report, .report),
      ([.require], AuthenticationMode.none, nil, .none),
      ([.none], .require, .report, .require), ([.require, .pin, .none], nil, nil, .pin),
    ]
      as [(
        [Plan.DeviceRequirements.Authentication], AuthenticationMode?, Plan.DeviceRequirements.Authentication?,
        AuthenticationMode
      )])
  func authentication(
    entries: [Plan.DeviceRequirements.Authentication], flag: AuthenticationMode?,
    step: Plan.DeviceRequirements.Authentication?, mode: AuthenticationMode
  ) throws {
    let setting = Setting {
      for (number, asked) in entries.enumerated() {
        $0.policies.inventory["e\(number)"] = Self.entry("Lobby TV", asked)
      }
      $0.policies.inventory["other"] = Self.entry("Kitchen", .require)
      $0.policies.authentication = flag
    }
    try SessionLab.run(setting) { lab in
      #expect(await lab.session.authenticationMode(step, of: SessionLab.device) == mode)
    }
  }

  @Test("The document's limits go with the device, and so does what its entry allows")
  func limits() throws {
    let setting = Setting {
      $0.policies.timeouts.connect = .seconds(1)
      $0.policies.timeouts.reply = .seconds(2)
      $0.policies.inventory = ["e": Self.entry("Lobby TV", .require)]
    }
    try SessionLab.connected(setting) { lab in
      let asked = try #require(lab.asked.devices.first)
      #expect(asked.connectTimeout == .seconds(1) && asked.replyTimeout == .seconds(2))
      #expect(asked.authentication == .require && !asked.allowsLegacyTLS)
    }
  }

  @Test(
    "Old TLS is allowed by the selector or by any entry that fits, and warned of once",
    arguments: [
      (false, ["Kitchen": true, "Lobby TV": false], false), (true, [:], true), (false, ["Lobby TV": true], true),
    ] as [(Bool, [String: Bool], Bool)])
  func legacy(selector: Bool, inventory: [String: Bool], isAllowed: Bool) throws {
    let setting = Setting {
      $0.selector.requirements.allowsLegacyTLS = selector
      $0.policies.inventory = inventory.reduce(into: [:]) { $0[$1.key] = Self.entry($1.key, legacy: $1.value) }
    }
    try SessionLab.run(setting) { lab in
      #expect(await lab.session.find(besides: []) == nil)
      #expect(await lab.session.find(besides: []) == nil)
      #expect(lab.session.device?.allowsLegacyTLS == isAllowed)
      let text =
        "R713 warning: Lobby TV may use TLS 1.0, short keys and SHA-1, as `tls: legacy` says: others may listen and meddle"
      #expect(lab.events.diagnostics == (isAllowed ? [text] : []))
    }
  }
}
