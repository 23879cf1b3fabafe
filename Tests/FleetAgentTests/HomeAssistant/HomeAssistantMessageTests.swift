import CastProtocol
import FleetMessages
import ScenarioLanguage
import Signage
import Testing

@testable import FleetAgent

/// What a site retains for Home Assistant.
@Suite struct HomeAssistantMessageTests {
  private typealias Views = HomeAssistantViews

  private static func json(_ message: BrokerMessage) throws -> JSONValue { try JSONValue(parsing: message.payload) }

  @Test("A screen is one device whose message has each of its entities, and nothing of what it shows now")
  func wholeScreen() throws {
    let messages = try Views.messages([(Views.cafe, ["window"])])
    #expect(
      messages.map(\.topic) == [
        "homeassistant/device/berlin-1/showcaller-all/config",
        "homeassistant/device/berlin-1/showcaller-screen_-window/config",
      ])
    #expect(messages.allSatisfy { $0.isRetained && $0.quality == .atLeastOnce && $0.expiry == nil })
    let expected = #"""
      {"dev":{"ids":["showcaller-berlin-1_-screen_-window"],"name":"berlin-1 window","mf":"Showcaller",
      "mdl":"Cast screen","sw":"9.9.9","via_device":"showcaller-berlin-1"},
      "o":{"name":"Showcaller","sw":"9.9.9"},
      "avty":[{"t":"showcaller/berlin-1/availability"}],
      "stat_t":"showcaller/berlin-1/window/state","cmd_t":"showcaller/berlin-1/window/set",
      "cmps":{
      "on_screen":{"p":"sensor","name":"On screen","ic":"mdi:television-play",
      "val_tpl":"{% set s = value_json | default({}) %}{{ (s.get('title') or s.get('item') or s.get('phase') or 'None')[:255] }}",
      "json_attr_t":"showcaller/berlin-1/window/state","json_attr_tpl":"{{ value_json | default({}) | tojson }}",
      "unique_id":"showcaller-berlin-1_-screen_-window_-on_screen"},
      "dark":{"p":"binary_sensor","name":"Dark","dev_cla":"problem",
      "val_tpl":"{{ ('ON' if value_json.dark else 'OFF') if value_json is defined else 'None' }}",
      "unique_id":"showcaller-berlin-1_-screen_-window_-dark"},
      "up":{"p":"binary_sensor","name":"Reachable","dev_cla":"connectivity","ent_cat":"diagnostic",
      "val_tpl":"{{ ('ON' if value_json.up else 'OFF') if value_json is defined else 'None' }}",
      "unique_id":"showcaller-berlin-1_-screen_-window_-up"},
      "skip":{"p":"button","name":"Skip","ic":"mdi:skip-next","pl_prs":"{\"verb\":\"skip\"}",
      "unique_id":"showcaller-berlin-1_-screen_-window_-skip"},
      "pause":{"p":"switch","name":"Pause","ic":"mdi:pause","pl_on":"{\"verb\":\"pause\"}",
      "pl_off":"{\"verb\":\"resume\"}","stat_on":"ON","stat_off":"OFF",
      "val_tpl":"{{ ('ON' if value_json.paused else 'OFF') if value_json is defined else 'None' }}",
      "unique_id":"showcaller-berlin-1_-screen_-window_-pause"},
      "picture":{"p":"image","name":"Picture","url_t":"showcaller/berlin-1/window/state",
      "url_tpl":"{{ (value_json | default({})).get('picture') or 'https://none.invalid/' }}",
      "avty":[{"t":"showcaller/berlin-1/availability"},{"t":"showcaller/berlin-1/window/state",
      "val_tpl":"{{ 'online' if (value_json | default({})).get('picture') else 'offline' }}"}],"avty_mode":"all",
      "unique_id":"showcaller-berlin-1_-screen_-window_-picture"},
      "event":{"p":"event","name":"Event","evt_typ":["takeover","returned","dark","recovered","stuck"],
      "stat_t":"showcaller/berlin-1/window/event","unique_id":"showcaller-berlin-1_-screen_-window_-event"},
      "program":{"p":"select","name":"Program","ic":"mdi:playlist-play","ops":["menu","film","https://e.com/a.mp4"],
      "cmd_tpl":"{\"verb\":\"play\",\"item\":{{ value | tojson }}}",
      "val_tpl":"{% set item = (value_json | default({})).get('item') %}{{ item if item in ['menu','film','https://e.com/a.mp4'] else 'none' }}",
      "unique_id":"showcaller-berlin-1_-screen_-window_-program"}}}
      """#
    #expect(String(decoding: messages[1].payload, as: UTF8.self) == expected.split(separator: "\n").joined())
  }

  @Test(
    "A site is a device with its status, its alerts and two buttons for each trigger that may be fired from outside")
  func wholeSite() throws {
    let yaml =
      Views.cafe
        + """

        triggers: { alarm: { webhook: true }, flood: { file: /run/flood } }
        interrupts:
          - { on: alarm, play: [menu], until: cleared, at_most: 1h }
          - { on: flood, play: [menu], until: cleared, at_most: 1h }
        """
    let site = try Self.json(try Views.messages([(yaml, ["window"])])[0])
    #expect(site["dev"]?["ids"]?.array == ["showcaller-berlin-1"])
    #expect(site["stat_t"] == "showcaller/berlin-1/health")
    let components = try #require(site["cmps"]?.object)
    #expect(components.members.map(\.name) == ["status", "alerts", "fire_-cafe_-alarm", "clear_-cafe_-alarm"])
    #expect(components["status"]?["ops"]?.array == ["ok", "starting", "dark", "invalid", "unknown"])
    let fire = try #require(components["fire_-cafe_-alarm"])
    #expect(fire["name"] == "cafe: fire alarm")
    #expect(fire["cmd_t"] == "showcaller/berlin-1/window/set")
    let payload = try #require(fire["pl_prs"]?.string)
    #expect(HomeAssistant.order(Array(payload.utf8)) == PlainOrder(.fire, trigger: "alarm"))
  }

  @Test("Names that differ in odd characters alone have ids of their own, of letters, digits, _ and - only")
  func ids() throws {
    let screens = [
      "window", "Window", "win dow", "win_dow", "win-dow", "win.dow", "win%dow", "win/dow", "win+dow", "win#dow",
      "win\"dow", "win😀dow", "win%20dow", "win_x20dow", "win__dow", "win_ddow", "_-", "_", "__", "-", "", ".", "dark",
      "site", String(repeating: "ä", count: 200), String(repeating: "ä", count: 201),
    ]
    let messages = try Views.messages([(Views.cafe, screens)], site: "a_-b.c")
    #expect(messages.count == 1 + screens.count)
    let documents = try messages.map(Self.json)
    let unique = try documents.flatMap { document in
      try #require(document["cmps"]?.object).members.map { try #require($0.value["unique_id"]?.string) }
    }
    #expect(unique.count == 2 + 8 * screens.count)
    #expect(Set(unique).count == unique.count)
    #expect(Set(messages.map(\.topic)).count == messages.count)
    let devices = documents.compactMap { $0["dev"]?["ids"]?.array?.first?.string }
    #expect(Set(devices).count == messages.count)
    for message in messages {
      let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
      #expect(levels.count == 5)
      #expect(message.topic.hasPrefix("homeassistant/device/a__-b_dc/showcaller-"))
    }
    for id in unique + devices + messages.map({ $0.topic.split(separator: "/")[3] }).map(String.init) {
      let isPlain = id.utf8.allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return byte < 0x80 && (character.isLetter || character.isNumber || character == "_" || character == "-")
      }
      #expect(isPlain && !id.isEmpty, "\(id)")
    }
  }

  @Test(
    "Two names, or a name in two sites, have one id only where they are the same",
    arguments: [
      (("a", "b"), ("a_-b", "")), (("a_", "-b"), ("a", "_-b")), (("a.b", "c"), ("a", "b.c")),
      (("a_d", "c"), ("a.", "c")), (("a", "%5F"), ("a", "_")),
    ])
  func pairs(one: (String, String), other: (String, String)) throws {
    let ids = try [one, other].map { PlainID.of(try Views.site($0.0), "screen", PlainID.of($0.1)) }
    #expect(ids[0] != ids[1])
  }

  @Test("Two playlists with a screen of one name have two devices, called by both names")
  func twins() throws {
    let other = Views.cafe.replacing("id: cafe", with: "id: bar")
    let documents = try Views.messages([(Views.cafe, ["window"]), (other, ["window", "door"])]).map(Self.json)
    #expect(
      documents.compactMap { $0["dev"]?["name"]?.string } == [
        "berlin-1", "berlin-1 cafe window", "berlin-1 bar window", "berlin-1 door",
      ])
    #expect(
      documents.dropFirst().compactMap { $0["cmd_t"]?.string } == [
        "showcaller/berlin-1/cafe.window/set", "showcaller/berlin-1/bar.window/set", "showcaller/berlin-1/door/set",
      ])
  }

  @Test("A playlist without an item that can be an option has no select: Home Assistant has none without options")
  func noOptions() throws {
    let long = "https://e.com/" + String(repeating: "a", count: 300)
    let yaml = "playlist: Café\nid: cafe\ntimezone: UTC\ndevice: TV\nprogram: [{ play: [\(long).mp4] }]\n"
    let screen = try Self.json(try Views.messages([(yaml, ["window"])])[1])
    #expect(screen["cmps"]?["program"] == nil)
    #expect(screen["cmps"]?["skip"] != nil)
  }

  @Test("An item whose address holds a secret is no option, and no message has a word of it")
  func secrets() throws {
    let yaml = """
      playlist: Café
      id: cafe
      timezone: UTC
      secrets: { token: { env: TOKEN } }
      device: TV
      program: [{ play: ["https://e.com/a.mp4?t=${secret.token}", https://e.com/b.mp4] }]
      """
    let messages = try Views.messages([(yaml, ["window"])])
    let screen = try Self.json(messages[1])
    #expect(screen["cmps"]?["program"]?["ops"]?.array == ["https://e.com/b.mp4"])
    for message in messages { #expect(!String(decoding: message.payload, as: UTF8.self).contains("token")) }
  }

  @Test("A site finds all that it retained, and nothing of others, by its filter")
  func own() throws {
    let site = try Views.site("a.b")
    #expect(HomeAssistant.ownTopics(of: site) == "homeassistant/device/a_db/+/config")
    for message in try Views.messages([(Views.cafe, ["window", "bar länge"])], site: "a.b") {
      #expect(message.topic.hasPrefix("homeassistant/device/a_db/showcaller-"))
    }
  }

  @Test("Sites answer a birth message within 5 s, each always at its own time")
  func spread() throws {
    let waits = try (0..<200).map { HomeAssistant.spread(of: try Views.site("site-\($0)")) }
    #expect(waits.allSatisfy { $0 >= .zero && $0 < .seconds(5) })
    // Each fifth of the time has a fair share.
    for second in 0..<5 { #expect(waits.count { $0.components.seconds == second } > 20) }
    #expect(HomeAssistant.spread(of: try Views.site()) == HomeAssistant.spread(of: try Views.site()))
  }
}
