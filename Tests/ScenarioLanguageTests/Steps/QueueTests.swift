import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct QueueTests {
  static let top = """
    media:
      a: { url: "https://cdn.example.com/a.mp4" }
      b: { url: "https://cdn.example.com/b.mp4" }
      c: { url: "https://cdn.example.com/c.jpg" }
    """

  static func document(_ steps: String) -> String {
    "scenario: Queue\ndevice: TV\n\(top)\nsteps:\n  - expect: { player: idle }\n    save: { it: queue.current, t: title }\n"
      + "  - queue: [a, b, c]\n  - \(steps)\n"
  }

  static func step(_ step: String) throws -> Plan.Step {
    try #require(Compiling.plan(document(step)).steps.last)
  }

  /// The lines of `plan --wire` for one step after a queue.
  static func wire(_ step: String) throws -> [String] {
    let plan = try Compiling.plan(document(step))
    return PlanWire(plan).lines.split { $0.hasPrefix("# ") }.last.map(Array.init) ?? []
  }

  @Test("A queue holds ids, URLs and media written in place, in their order")
  func queue() throws {
    let step = try Self.step(
      "queue: { items: [b, \"https://cdn.example.com/x.mp3\", { url: \"https://cdn.example.com/y\", type: video/mp4 }], start_at: 2, repeat: one, app: A1B2C3D4 }"
    )
    guard case .queue(let queue) = step.action else { throw Compiling.NoPlan() }
    #expect(queue.items.map(\.mediaID) == ["b", nil, nil])
    #expect(queue.items.map(\.media.contentType) == ["video/mp4", "audio/mpeg", "video/mp4"])
    #expect(queue.startAt == 2)
    #expect(queue.repeatMode == .one)
    #expect(queue.appID == "A1B2C3D4")
    #expect(queue.until == .playing)
    #expect(step.timeout == .seconds(30))
  }

  @Test("A queue that begins with an image is done when it is loaded")
  func image() throws {
    guard case .queue(let queue) = try Self.step("queue: { items: [a, c], start_at: 2 }").action else {
      throw Compiling.NoPlan()
    }
    #expect(queue.until == .loaded)
  }

  static let names: [(yaml: String, name: String)] = [
    ("queue: [a, b]", "queue a, b"), ("queue_insert: { items: [c], before: a }", "queue_insert c"),
    ("queue_remove: [a, 7]", "queue_remove a, 7"), ("queue_jump: next", "queue_jump next"),
    ("queue_jump: { to: b }", "queue_jump b"),
    ("queue_update: { jump: -1, repeat: all }", "queue_update jump -1, repeat all"),
    ("queue_update: { items: [{ item: 3, media: b }] }", "queue_update 1 item"),
    ("queue_reorder: { items: [b, a] }", "queue_reorder b, a"),
  ]

  @Test("A step of the queue is named after what it says", arguments: names)
  func name(yaml: String, name: String) throws {
    #expect(try Self.step(yaml).name == name)
  }

  static let media =
    #""media":{"contentId":"https://cdn.example.com/b.mp4","contentType":"video/mp4","streamType":"BUFFERED","metadata":{"metadataType":0,"title":"b"}}"#

  static let messages: [(yaml: String, message: String)] = [
    (
      "queue: { items: [b], repeat: shuffle }",
      #"{"type":"QUEUE_LOAD","requestId":0,"startIndex":0,"repeatMode":"REPEAT_ALL_AND_SHUFFLE","items":[{\#(media)}]}"#
    ),
    (
      "queue_insert: { items: [b], before: a }",
      #"{"type":"QUEUE_INSERT","requestId":0,"mediaSessionId":0,"insertBefore":"‹item of a›","items":[{\#(media)}]}"#
    ),
    (
      "queue_insert: { items: [b] }", #"{"type":"QUEUE_INSERT","requestId":0,"mediaSessionId":0,"items":[{\#(media)}]}"#
    ),
    (
      "queue_remove: [a, 7, \"${it}\"]",
      #"{"type":"QUEUE_REMOVE","requestId":0,"mediaSessionId":0,"itemIds":["‹item of a›",7,"‹it›"]}"#
    ),
    ("queue_jump: next", #"{"type":"QUEUE_UPDATE","requestId":0,"mediaSessionId":0,"jump":1}"#),
    ("queue_jump: previous", #"{"type":"QUEUE_UPDATE","requestId":0,"mediaSessionId":0,"jump":-1}"#),
    ("queue_jump: 4", #"{"type":"QUEUE_UPDATE","requestId":0,"mediaSessionId":0,"currentItemId":4}"#),
    (
      "queue_update: { jump: 2, repeat: all, shuffle: true, items: [{ item: 4, media: b }] }",
      #"{"type":"QUEUE_UPDATE","requestId":0,"mediaSessionId":0,"jump":2,"repeatMode":"REPEAT_ALL","shuffle":true,"items":[{"itemId":4,\#(media)}]}"#
    ),
    (
      "queue_reorder: { items: [b, 1], before: 9 }",
      #"{"type":"QUEUE_REORDER","requestId":0,"mediaSessionId":0,"insertBefore":9,"itemIds":["‹item of b›",1]}"#
    ),
  ]

  @Test("Each verb of the queue becomes its message", arguments: messages)
  func message(yaml: String, message: String) throws {
    #expect(try Self.wire(yaml) == [message])
  }

  static let wrong: [(yaml: String, problem: String)] = [
    ("queue: []", "K105 `queue` needs at least one item"),
    ("queue: [a, film]", "N406 unknown media `film`"),
    ("queue: { items: [a, b], start_at: 3 }", "T213 `start_at: 3` is beyond the end of the queue"),
    ("queue: { items: [a], start_at: 0 }", "T213 `0` is out of range"),
    ("queue_insert: { items: [] }", "K105 `queue_insert` needs at least one item"),
    ("queue_insert: { items: [a], before: nobody }", "N406 unknown media `nobody`"),
    ("queue_remove: []", "K105 `queue_remove` needs at least one item"),
    ("queue_remove: [a, 5, a]", "T213 `a` stands twice in this list"),
    ("queue_remove: [-1]", "T213 `-1` is out of range"),
    ("queue_remove: [01]", "T206 `01` has a leading zero"),
    ("queue_remove: [\"${t}\"]", "T220 `t` is text, `a queue item` is a whole number"),
    ("queue_jump: nxt", "N406 unknown media `nxt`"),
    ("queue_update: {}", "K105 `queue_update` needs `jump` or `repeat` or `shuffle` or `items`"),
    (
      "queue_update: { repeat: shuffle, shuffle: false }",
      "K107 `repeat: shuffle` and `shuffle: false` exclude each other"
    ),
    ("queue_update: { items: [] }", "K105 `queue_update` needs at least one item"),
    (
      "queue_update: { items: [{ item: a, media: b }, { item: a, media: c }] }", "T213 `a` stands twice in this list"
    ),
    ("queue_reorder: { items: [a, a] }", "T213 `a` stands twice in this list"),
    ("queue_reorder: { items: [a, b], before: b }", "T213 `b` cannot go before itself"),
    ("queue_reorder: { items: [] }", "K105 `queue_reorder` needs at least one item"),
  ]

  @Test("What makes no sense in a queue is refused, alone", arguments: wrong)
  func refused(yaml: String, problem: String) {
    let problems = Compiling.outcome(Self.document(yaml)).diagnostics
    #expect(problems.map { "\($0.code) \($0.message)" } == [problem])
  }

  @Test("A word that is nearly `next` is told so")
  func suggestion() throws {
    let problem = try #require(Compiling.outcome(Self.document("queue_jump: nxt")).diagnostics.first)
    #expect(problem.primary.text == "did you mean `next`?")
  }

  @Test("After a queue nobody knows which tracks there are, so none is refused")
  func tracks() {
    #expect(Compiling.codes(Self.document("tracks: [en]")) == [])
  }

  @Test("A queue of a hundred thousand items is refused, and large items cost no more than small ones")
  func hostile() {
    let items = Array(repeating: "a", count: 100_000).joined(separator: ",")
    var problems: [Diagnostic] = []
    func cost(custom: String) -> Double {
      let document =
        "scenario: Queue\ndevice: TV\n"
        + "media: { a: { url: \"https://cdn.example.com/a.mp4\", custom: { a: \(custom) } } }\n"
        + "steps: [{ queue: [\(items)] }, { expect: { player: playing } }]\n"
      return Cost.of { problems = Compiling.outcome(document).diagnostics }
    }
    let small = cost(custom: "x")
    let large = cost(custom: String(repeating: "x", count: 200_000))
    #expect(problems.map(\.message) == ["this QUEUE_LOAD message is more than 16 MiB; receivers accept at most 64 KiB"])
    #expect(large < 2 * small)
  }
}
