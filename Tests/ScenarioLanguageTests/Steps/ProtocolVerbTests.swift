import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct ProtocolVerbTests {
  static let media = """
    media:
      film:
        url: https://cdn.example.com/film.m3u8
        tracks:
          - { id: en, kind: text, language: en, url: "https://cdn.example.com/en.vtt" }
          - { id: de, kind: audio, inband: true }
        clips: { ad: { url: "https://cdn.example.com/ad.mp4" }, vast: { vast: "https://ads.example.com/v" } }
        breaks: [{ id: pre, at: start, clips: [ad, vast] }]
      app_only: { content_id: film-1, type: video/mp4 }
      local: { url: "file:a.mp4" }
    """

  static func document(_ step: String, top: String = "device: TV") -> String {
    "scenario: Protocol\n\(top)\n\(media)\nsteps:\n  - expect: { player: idle }\n    save: { t: title }\n  - \(step)\n"
  }

  static func step(_ step: String, top: String = "device: TV") throws -> Plan.Step {
    try #require(Compiling.plan(document(step, top: top)).steps.last)
  }

  static func problems(_ step: String, top: String = "device: TV") -> [String] {
    Compiling.outcome(document(step, top: top)).diagnostics.filter { !["N402", "P613"].contains($0.code.rawValue) }
      .map { "\($0.code) \($0.message)" }
  }

  static let names: [(yaml: String, name: String)] = [
    ("send: { namespace: urn:x-cast:com.acme, message: { type: PING, n: 1 } }", "send PING"),
    ("send: { namespace: urn:x-cast:com.acme, message: { n: 1 } }", "send urn:x-cast:com.acme"),
    ("expect_message: { namespace: urn:x-cast:com.acme, message: { type: PONG } }", "expect_message PONG"),
    (
      "expect_message: { namespace: urn:x-cast:com.acme, message: { n: { min: 1 } } }",
      "expect_message urn:x-cast:com.acme"
    ),
    ("probe: film", "probe film"), ("transfer: Kitchen", "transfer Kitchen"),
    ("transfer: { to: { id: abc }, stop_source: false }", "transfer abc"),
    ("exec: { command: [curl, -sf, \"https://x.example.com/${t}\"] }", "exec curl -sf https://x.example.com/${t}"),
  ]

  @Test("A step is named after its verb and what it is about", arguments: names)
  func name(yaml: String, name: String) throws {
    #expect(try Self.step(yaml).name == name)
  }

  // MARK: send

  @Test("A raw message keeps its members in order, read by YAML 1.2")
  func send() throws {
    let step = try Self.step(
      """
      send:
              namespace: urn:x-cast:com.acme.game
              message: { type: MOVE, at: [1, 2.5], deep: { ok: true, text: "no", none: null } }
              expect_reply: { type: MOVED, score: { min: 3 } }
      """)
    guard case .send(let send) = step.action else { throw Compiling.NoPlan() }
    #expect(
      send.message.serialized()
        == #"{"type":"MOVE","at":[1,2.5],"deep":{"ok":true,"text":"no","none":null}}"#)
    #expect(send.destination == .app)
    #expect(send.reply?.text() == "type MOVED, score min 3")
    #expect(step.timeout == .seconds(5))
  }

  static let wrongSends: [(message: String, problem: String)] = [
    ("namespace: com.acme, message: { a: 1 }", "T222 `com.acme` is not a namespace"),
    ("namespace: urn:x-card:com.acme, message: { a: 1 }", "T222 `urn:x-card:com.acme` is not a namespace"),
    (
      "namespace: urn:x-cast:com.google.cast.tp.heartbeat, message: { type: PING }",
      "T222 `urn:x-cast:com.google.cast.tp.heartbeat` belongs to the connection itself"
    ),
    (
      "namespace: urn:x-cast:com.google.cast.media, message: { type: PLAY }", "T222 `PLAY` is what `play` sends"
    ),
    (
      "namespace: urn:x-cast:com.google.cast.receiver, message: { type: GET_APP_AVAILABILITY }",
      "T222 apps do not listen to the receiver namespace"
    ),
    (
      "namespace: urn:x-cast:com.google.cast.media, to: receiver, message: { type: X }",
      "T222 the receiver does not listen to the media namespace"
    ),
    (
      "namespace: urn:x-cast:com.acme, message: { on: yes }",
      "T212 `yes` means different things to different YAML tools"
    ),
    ("namespace: urn:x-cast:com.acme, message: [1]", "T210 expected a map, found a list"),
    (
      "namespace: urn:x-cast:com.acme, message: { a: 1 }, expect_reply: {}",
      "K105 a message without a member to look at"
    ),
    (
      "namespace: urn:x-cast:com.acme, message: { a: 1 }, expect_reply: { a: { min: 1, mxa: 2 } }",
      "K101 unknown matcher `mxa`"
    ),
    (
      "namespace: urn:x-cast:com.acme, message: { a: 1 }, expect_reply: { a: { changed: true } }",
      "T220 `changed` is for status fields, `a` is part of a message"
    ),
    (
      "namespace: urn:x-cast:com.acme, message: { a: 1 }, expect_reply: { position: { advances: { at_least: 1s, over: 2s } } }",
      "T220 `advances` is for positions, `position` is part of a message"
    ),
  ]

  @Test("What cannot be sent, or is another's to send, is told", arguments: wrongSends)
  func wrongSend(message: String, problem: String) {
    #expect(Self.problems("send: { \(message) }") == [problem])
  }

  @Test("The receiver namespace is for the receiver, an own one for anybody")
  func rightSend() {
    #expect(
      Self.problems(
        "send: { namespace: urn:x-cast:com.google.cast.receiver, to: receiver, message: { type: GET_APP_AVAILABILITY, appId: [CC1AD845] } }"
      ) == [])
    #expect(Self.problems("send: { namespace: urn:x-cast:com.acme, to: receiver, message: { type: X } }") == [])
  }

  @Test("A message that does not fit into a frame is refused, with its largest member")
  func largeMessage() throws {
    let text = String(repeating: "x", count: 66_000)
    let problem = try #require(
      Compiling.outcome(
        Self.document("send: { namespace: urn:x-cast:com.acme, message: { type: PUT, data: \(text) } }")
      ).diagnostics.first { $0.code == .c508 })
    #expect(problem.message == "this PUT message is 64.6 KiB; receivers accept at most 64 KiB")
    #expect(problem.footers.last == .note("largest part: message.data (64.5 KiB)"))
  }

  // MARK: What a message must be

  @Test("A message asks for what an earlier step saved, by its name")
  func savedInPattern() throws {
    let step = try Self.step(
      "expect_message: { namespace: urn:x-cast:com.acme, message: { title: \"${t}\", n: { not: 1 } } }\n    within: 3s")
    guard case .expectMessage(let action) = step.action else { throw Compiling.NoPlan() }
    #expect(action.within == .seconds(3))
    #expect(action.pattern.json() == ["title": "${t}", "n": ["not": 1]])
  }

  // MARK: probe, exec, transfer

  @Test("A probe looks at the media, then at its text tracks and clips, each URL once")
  func probe() throws {
    guard case .probe(let probe) = try Self.step("probe: film").action else { throw Compiling.NoPlan() }
    #expect(
      probe.urls == [
        "https://cdn.example.com/film.m3u8", "https://cdn.example.com/en.vtt", "https://cdn.example.com/ad.mp4",
      ])
    guard case .probe(let bare) = try Self.step("probe: { media: film, tracks: false, cors: false }").action else {
      throw Compiling.NoPlan()
    }
    #expect(bare.urls.count == 1)
    #expect(!bare.looksAtCORS && bare.asksForRange)
    guard case .probe(let local) = try Self.step("probe: local").action else { throw Compiling.NoPlan() }
    #expect(local.urls == ["file:a.mp4"])
  }

  static let wrong: [(yaml: String, problem: String)] = [
    ("probe: nothing", "N406 unknown media `nothing`"), ("probe: app_only", "K105 `app_only` has no `url` to fetch"),
    ("exec: { command: [] }", "K105 `exec` needs a program"),
    ("exec: { command: [\"\"] }", "T210 expected a text, found nothing"),
    ("exec: { command: ls }", "T210 expected a list of arguments, found one value"),
    ("exec: { command: [ls], stdin: yes }", "T205 `yes` is not an input"),
    ("transfer: TV", "K107 a transfer from a device to itself"),
    ("transfer: { to: { name: TV } }", "K107 a transfer from a device to itself"),
    ("transfer: { stop_source: true }", "K105 `transfer` needs `to`"),
    (
      "expect_message: { namespace: urn:x-cast:com.acme, message: { a: 1 } }\n    since: s9", "N406 unknown step `s9`"
    ),
    ("expect_message: { namespace: urn:x-cast:com.acme }", "K105 `expect_message` needs `message`"),
  ]

  @Test("What these verbs cannot do is refused, alone", arguments: wrong)
  func refused(yaml: String, problem: String) {
    #expect(Self.problems(yaml) == [problem])
  }

  static let roles = "roles: { left: Bar left, right: Bar right }"

  @Test("A transfer goes to a role first, then to a device of the inventory, then to a friendly name")
  func transfer() throws {
    let top = "device: TV\ninventory: { kitchen: { name: Kitchen, id: abc } }"
    guard case .transfer(let known) = try Self.step("transfer: kitchen", top: top).action,
      case .device(let selector) = known.target
    else { throw Compiling.NoPlan() }
    #expect(selector.id == "abc")
    #expect(known.stopsSource)
    guard case .transfer(let named) = try Self.step("transfer: Hall", top: top).action,
      case .device(let hall) = named.target
    else { throw Compiling.NoPlan() }
    #expect(hall.name == "Hall")
  }

  static let together: [(body: String, problem: String)] = [
    ("roles: [left], that: { player: playing }", "K105 `expect_together` needs at least two roles"),
    ("roles: [], that: { player: playing }", "K105 `expect_together` needs at least two roles"),
    ("roles: [left, left], that: { player: playing }", "T213 `left` stands twice in this list"),
    ("roles: [left, rihgt], that: { player: playing }", "N406 unknown role `rihgt`"),
    ("roles: [left, right], that: { plyer: playing }", "K101 unknown field `plyer` in the status"),
    ("roles: [left, right]", "K105 `expect_together` needs `that`"),
  ]

  @Test("Devices are compared only where there are two of them", arguments: together)
  func wrongTogether(body: String, problem: String) {
    let document =
      "scenario: Together\n\(Self.roles)\nsteps:\n  - expect_together: { \(body) }\n"
    let problems = Compiling.outcome(document).diagnostics.filter { $0.code != .p613 }
    #expect(problems.map { "\($0.code) \($0.message)" } == [problem])
  }
}
