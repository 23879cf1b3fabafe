import CastProtocol
import FleetAgent
import FleetMessages
import Foundation
import ScenarioLanguage
import Signage
import TestSupport
import Testing

/// What a site retains for Home Assistant, judged by Home Assistant's own code; only where `make judges` has installed it.
@Suite(.serialized) struct HomeAssistantTests {
  /// The Python environment that has it.
  static let folder: String? = {
    let folder = ProcessInfo.processInfo.environment["SHOWCALLER_HOME_ASSISTANT"].flatMap { $0.isEmpty ? nil : $0 }
    if folder == nil { print("SKIPPED: no Home Assistant") }
    return folder
  }()

  /// One thing that `home_assistant.py` does.
  private enum Step {
    case setup(String, yaml: String)
    case publish(BrokerMessage)
    case until([String: JSONValue])
    case call(String, String, JSONObject)
    /// Waits for so many orders.
    case orders(Int)
    case look

    var json: JSONValue {
      switch self {
      case .setup(let integration, let yaml): ["setup": [.string(integration), .string(yaml)]]
      case .publish(let message):
        [
          "publish": [
            "topic": .string(message.topic), "payload": .string(String(decoding: message.payload, as: UTF8.self)),
            "retain": .bool(message.isRetained),
          ]
        ]
      case .until(let states):
        ["until": .object(JSONObject(states.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }))]
      case .call(let domain, let service, let data): ["call": [.string(domain), .string(service), .object(data)]]
      case .orders(let count): ["orders": .int(count)]
      case .look: ["look": true]
      }
    }
  }

  private struct NoPlaylist: Error { var text: String }

  private static let site = SiteName("berlin-1")
  /// Items: an id, and addresses with all that means something in JSON, in templates and in their texts.
  private static let odd = [
    "menu", #"https://example.com/it's"x"\{{1}}%}größe😀.mp4"#,
    "https://example.com/" + String(repeating: "a", count: 231) + ".mp4",
  ]

  /// A site with two playlists, of a few odd items and of a thousand.
  private static func view(_ site: SiteName) throws -> SiteView {
    func playlist(_ id: String, _ names: [String], _ screens: [String]) throws -> SiteView.Playlist {
      let items = names.map { JSONValue.string($0).serialized() }.joined(separator: ", ")
      let yaml = """
        playlist: Café
        id: \(id)
        timezone: UTC
        device: TV
        media: { menu: { url: https://example.com/menu.mp4 } }
        program: [{ play: [\(items)] }]
        triggers: { alarm: { webhook: true } }
        interrupts: [{ on: alarm, play: [menu], until: cleared, at_most: 1h }]
        """
      let outcome = PlanCompiler.compile(SourceFile(name: "\(id).yaml", bytes: Array(yaml.utf8)))
      guard case .playlist(let plan)? = outcome.document else { throw NoPlaylist(text: "\(outcome.diagnostics)") }
      return SiteView.Playlist(
        program: Program(plan, in: .utc), screens: screens.map { ScreenState($0, at: 0) }, fired: [:])
    }
    return SiteView(
      playlists: [
        try playlist("cafe", odd, ["window", "bar länge"]),
        try playlist("hall", (0..<1_000).map { "https://example.com/\($0).mp4" }, ["window"]),
      ], time: 1_795_600_800, version: "9.9.9")
  }

  private static func report(
    _ site: SiteName, _ level: String, _ change: (inout ScreenReport) -> Void
  ) -> BrokerMessage {
    var report = ScreenReport(
      site: site.text, playlist: "cafe", screen: level, state: "playing", phase: "showing", since: 1_795_600_000)
    change(&report)
    return BrokerMessage(FleetTopic.screenState(site, screen: level).text, report.payload, isRetained: true)
  }

  /// Plays steps.
  /// - Returns: What it saw at each `look`.
  private static func play(_ steps: [Step]) async throws -> [JSONValue] {
    let folder = try TemporaryFolder()
    let script = folder.url.appending(path: "steps.json")
    try Data(JSONValue.array(steps.map(\.json)).serialized().utf8).write(to: script)
    let peers = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers")
    let running = try Running(
      URL(filePath: try #require(Self.folder)).appending(path: "bin/python"),
      [peers.appending(path: "home_assistant.py").path, folder.url.path, script.path], in: folder.url, limit: 110)
    let finished = try await running.finish()
    try #require(finished.exitCode == 0, "\(finished.output.suffix(2_000))\(finished.errors.suffix(4_000))")
    return try finished.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  @Test(
    "Home Assistant makes each entity, shows what a screen reports, and sends orders that a site reads",
    .enabled(if: folder != nil))
  func life() async throws {
    let site = try #require(Self.site)
    let view = try Self.view(site)
    let names = ScreenNames(view)
    let level = try #require(names.level(of: .init(playlist: "cafe", screen: "bar länge")))
    let discovery = HomeAssistant.messages(for: view, site: site, names: names)
    func tell(_ change: (inout ScreenReport) -> Void) -> Step { .publish(Self.report(site, level, change)) }
    func entity(_ domain: String, _ name: String) -> String { "\(domain).berlin_1_bar_lange_\(name)" }
    let availability = FleetTopic.availability(site).text

    var steps = [Step.publish(BrokerMessage(availability, Array("online".utf8), isRetained: true))]
    let health = SiteHealth(
      site: site.text, status: .dark, version: "9.9.9", started: 1, time: 2, screens: 3, dark: 1, alerts: 2,
      playlists: [], refused: 0)
    steps.append(.publish(BrokerMessage(FleetTopic.health(site).text, health.payload, isRetained: true)))
    steps.append(
      tell {
        ($0.title, $0.item, $0.picture) = (String(repeating: "ü", count: 300), "menu", "https://example.com/a.jpg")
        ($0.isDark, $0.isUp, $0.isPaused) = (true, false, true)
      })
    steps += discovery.map(Step.publish)
    steps.append(
      .until([
        entity("sensor", "on_screen"): .string(String(repeating: "ü", count: 255)),
        entity("binary_sensor", "dark"): "on", entity("binary_sensor", "reachable"): "off",
        entity("switch", "pause"): "on", entity("select", "program"): "menu", "sensor.berlin_1_status": "dark",
        "sensor.berlin_1_alerts": "2", entity("button", "skip"): "unknown",
      ]))
    steps.append(.look)
    for name in Self.odd.reversed() {
      steps.append(tell { ($0.item, $0.isUp) = (name, true) })
      steps.append(
        .until([
          entity("select", "program"): .string(name), entity("sensor", "on_screen"): .string(name),
          entity("binary_sensor", "dark"): "off", entity("binary_sensor", "reachable"): "on",
          entity("switch", "pause"): "off", entity("image", "picture"): "unavailable",
        ]))
    }
    steps.append(tell { $0.item = "something else" })
    steps.append(
      .until([entity("select", "program"): "unknown", entity("sensor", "on_screen"): "something else"]))
    steps.append(tell { ($0.phase, $0.state) = ("resting", "standby") })
    steps.append(.until([entity("sensor", "on_screen"): "resting"]))
    for kind in ScreenNews.Kind.allCases {
      let news = ScreenNews(kind, "somebody", at: 7)
      steps.append(.publish(BrokerMessage(FleetTopic.screenEvent(site, screen: level).text, news.payload)))
      steps.append(.until([entity("event", "event"): ["event_type": .string(kind.rawValue), "detail": "somebody"]]))
    }
    steps.append(.call("button", "press", ["entity_id": .string(entity("button", "skip"))]))
    for service in ["turn_on", "turn_off"] {
      steps.append(.call("switch", service, ["entity_id": .string(entity("switch", "pause"))]))
    }
    for name in Self.odd {
      let data: JSONObject = ["entity_id": .string(entity("select", "program")), "option": .string(name)]
      steps.append(.call("select", "select_option", data))
    }
    for verb in ["fire", "clear"] {
      steps.append(.call("button", "press", ["entity_id": .string("button.berlin_1_cafe_\(verb)_alarm")]))
    }
    steps += [.orders(5 + Self.odd.count), .look]
    // As it is when the connection of the site is lost, and when it is back.
    steps.append(.publish(BrokerMessage(availability, Array("offline".utf8), isRetained: true)))
    steps.append(.until([entity("sensor", "on_screen"): "unavailable", entity("switch", "pause"): "unavailable"]))
    steps.append(.publish(BrokerMessage(availability, Array("online".utf8), isRetained: true)))
    steps.append(.until([entity("sensor", "on_screen"): "resting"]))
    // Told again, as after a birth message; then the screen is gone.
    steps += discovery.map(Step.publish)
    steps.append(.publish(.removal(of: FleetTopic.screenState(site, screen: level).text)))
    steps.append(.until([entity("sensor", "on_screen"): "unknown", entity("select", "program"): "unknown"]))
    let topic = try #require(discovery.first { $0.topic.contains("l_xC3_xA4nge") }?.topic)
    steps.append(.publish(.removal(of: topic)))
    steps.append(.until([entity("sensor", "on_screen"): .null, entity("event", "event"): .null]))
    steps.append(.look)

    let looks = try await Self.play(steps)
    try #require(looks.count == 3)
    for look in looks { #expect(look["complaints"]?.array == []) }
    let unique = try discovery.flatMap { message in
      try #require(try JSONValue(parsing: message.payload)["cmps"]?.object).members.map {
        try #require($0.value["unique_id"]?.string)
      }
    }
    #expect(Set(try #require(looks[0]["entities"]?.object).members.compactMap(\.value.string)) == Set(unique))
    let devices = try #require(looks[0]["devices"]?.array)
    #expect(
      Set(devices.compactMap { $0["name"]?.string }) == [
        "berlin-1", "berlin-1 cafe window", "berlin-1 bar länge", "berlin-1 hall window",
      ])
    #expect(devices.count { $0["via"] == true } == 3)
    #expect(devices.allSatisfy { $0["version"] == "9.9.9" })
    let states = try #require(looks[0]["states"])
    #expect(states[entity("sensor", "on_screen")]?["attributes"]?["item"] == "menu")
    #expect(states["select.berlin_1_hall_window_program"]?["attributes"]?["options"]?.array?.count == 200)
    #expect(states[entity("image", "picture")]?["state"]?.string?.hasPrefix("20") == true)
    let set = FleetTopic.screenSet(site, screen: level).text
    let orders = try #require(looks[1]["orders"]?.array).filter { $0.array?.first != "homeassistant/status" }
    let read = orders.map { order in
      order.array?.last?.string.flatMap { HomeAssistant.order(Array($0.utf8)) }
    }
    #expect(
      read == [PlainOrder(.skip), PlainOrder(.pause), PlainOrder(.resume)]
        + Self.odd.map { PlainOrder(.play, item: $0) }
        + [PlainOrder(.fire, trigger: "alarm"), PlainOrder(.clear, trigger: "alarm")])
    #expect(orders.prefix(3 + Self.odd.count).allSatisfy { $0.array?.first?.string == set })
    // Only the removed screen's are gone.
    let left = try #require(looks[2]["entities"]?.object).members.count
    #expect(left == unique.count - 8)
  }

  @Test("The automation of the docs pauses the screen, and lets it go on", .enabled(if: folder != nil))
  func automation() async throws {
    let block = try #require(DocumentedBlock.all(of: "docs/fleet.md").first { $0.file == "automation.yaml" })
    let site = try #require(SiteName("cafe"))
    let view = try Self.view(site)
    let window = SiteView(playlists: [view.playlists[0]], time: view.time, version: view.version)
    let report = Self.report(site, "window") { $0.item = "menu" }
    var steps = [
      Step.publish(BrokerMessage(FleetTopic.availability(site).text, Array("online".utf8), isRetained: true))
    ]
    steps += HomeAssistant.messages(for: window, site: site, names: ScreenNames(window)).map(Step.publish)
    steps += [.publish(report), .until(["switch.cafe_window_pause": "off"])]
    steps += [.setup("input_boolean", yaml: "cleaning:"), .setup("automation", yaml: block.text)]
    for (state, count) in [("on", 2), ("off", 3)] {
      steps.append(.call("input_boolean", "turn_\(state)", ["entity_id": "input_boolean.cleaning"]))
      steps.append(.orders(count))
    }
    let look = try #require(try await Self.play(steps + [.look]).first)
    #expect(look["complaints"]?.array == [])
    let set = FleetTopic.screenSet(site, screen: "window").text
    let orders = try #require(look["orders"]?.array).filter { $0.array?.first?.string == set }
    let read = orders.map { order in order.array?.last?.string.flatMap { HomeAssistant.order(Array($0.utf8)) } }
    #expect(read == [PlainOrder(.pause), PlainOrder(.resume)])
  }
}
