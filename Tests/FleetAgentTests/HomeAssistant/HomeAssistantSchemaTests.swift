import CastProtocol
import FleetAgent
import FleetMessages
import Testing

/// What Home Assistant's documentation asks of each message, where its own code is not at hand to judge
/// (home-assistant.io/integrations/mqtt: "Device discovery payload", and the page of each platform).
@Suite struct HomeAssistantSchemaTests {
  /// The members that a component may have, by its platform, in the short names; the second list must be there.
  static let platforms: [String: (allowed: Set<String>, required: Set<String>)] = [
    "sensor": (["dev_cla", "ops", "stat_cla", "unit_of_meas", "stat_t", "val_tpl", "exp_aft"], []),
    "binary_sensor": (["dev_cla", "pl_on", "pl_off", "stat_t", "val_tpl", "off_dly", "exp_aft"], []),
    "button": (["cmd_t", "cmd_tpl", "dev_cla", "pl_prs", "ret"], ["pl_prs"]),
    "switch": (["cmd_t", "cmd_tpl", "dev_cla", "pl_on", "pl_off", "stat_on", "stat_off", "stat_t", "val_tpl"], []),
    "select": (["cmd_t", "cmd_tpl", "ops", "stat_t", "val_tpl"], ["ops"]),
    "image": (["url_t", "url_tpl"], ["url_t"]),
    "event": (["dev_cla", "evt_typ", "stat_t", "val_tpl"], ["evt_typ"]),
  ]
  static let common: Set<String> = [
    "p", "unique_id", "name", "ic", "ent_cat", "avty", "avty_mode", "json_attr_t", "json_attr_tpl",
  ]
  static let deviceClasses: [String: Set<String>] = [
    "sensor": ["enum"], "binary_sensor": ["problem", "connectivity"],
  ]

  @Test("Each message has what Home Assistant asks for, and no member that it does not name")
  func documented() throws {
    let yaml =
      HomeAssistantViews.cafe
        + """

        triggers: { alarm: { webhook: true } }
        interrupts: [{ on: alarm, play: [menu], until: cleared, at_most: 1h }]
        """
    let messages = try HomeAssistantViews.messages([(yaml, ["window", "bar länge"])])
    var seen: Set<String> = []
    for message in messages {
      let document = try #require(try JSONValue(parsing: message.payload).object)
      #expect(Set(document.members.map(\.name)).isSubset(of: ["dev", "o", "avty", "stat_t", "cmd_t", "cmps"]))
      let device = try #require(document["dev"]?.object)
      #expect(Set(device.members.map(\.name)).isSubset(of: ["ids", "name", "mf", "mdl", "sw", "via_device"]))
      #expect(device["ids"]?.array?.isEmpty == false)
      #expect(document["o"]?["name"]?.string != nil)
      for (key, component) in try #require(document["cmps"]?.object).members.map({ ($0.name, $0.value) }) {
        let platform = try #require(component["p"]?.string)
        let schema = try #require(Self.platforms[platform])
        let members = Set(try #require(component.object).members.map(\.name))
        #expect(members.isSubset(of: schema.allowed.union(Self.common)), "\(key): \(members)")
        #expect(members.isSuperset(of: schema.required.union(["unique_id", "name"])), "\(key)")
        if let deviceClass = component["dev_cla"]?.string {
          #expect(Self.deviceClasses[platform]?.contains(deviceClass) == true, "\(key)")
        }
        // Options are for sensors of one class only.
        #expect(platform != "sensor" || (component["ops"] == nil) == (component["dev_cla"] != "enum"))
        seen.insert(platform)
      }
    }
    #expect(seen == Set(Self.platforms.keys))
  }
}
