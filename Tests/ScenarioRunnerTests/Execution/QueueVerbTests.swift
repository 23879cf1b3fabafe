import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// The verbs of the queue against the virtual receiver.
@Suite struct QueueVerbTests {
  private static let media = """
    media:
      a: { url: https://cdn.example.com/a.mp4, duration: 1m, metadata: { title: A } }
      b: { url: https://cdn.example.com/b.mp4, duration: 1m, metadata: { title: B } }
      c: { url: https://cdn.example.com/c.mp4, duration: 1m, metadata: { title: C } }
      d: { url: https://cdn.example.com/d.mp4, duration: 1m, metadata: { title: D } }
      subtitled:
        url: https://cdn.example.com/s.mp4
        duration: 1m
        tracks: [{ id: en, kind: text, language: en, url: https://cdn.example.com/en.vtt }]
    """

  static func scenario(_ steps: [String]) -> String {
    "scenario: Queues\ndevice: Living Room TV\ntimeout: 30m\n\(media)\nsteps:\n" + steps.map { "  - \($0)\n" }.joined()
  }

  static let passing: [(title: String, steps: [String])] = [
    (
      "a queue plays its items one after the other",
      [
        "queue: [a, b, c]", "expect: { title: A, queue: { current: { exists: true } } }",
        "expect: { title: B }\n    within: 70s", "expect: { title: C }\n    within: 70s",
        "expect: { player: idle, idle_reason: finished }\n    within: 70s",
      ]
    ),
    (
      "a queue begins where it is told, and repeats",
      [
        "queue: { items: [a, b], start_at: 2, repeat: all }", "expect: { title: B, repeat: all }",
        "expect: { title: A }\n    within: 70s",
      ]
    ),
    (
      "queue_jump goes on, back, and to an item by its media, its number or a saved one",
      [
        "queue: [a, b, c]\n    save: { first: queue.current }", "queue_jump: next", "expect: { title: B }",
        "queue_jump: previous", "expect: { title: A }", "queue_jump: c", "expect: { title: C }",
        "queue_jump: ${first}", "expect: { title: A }", "queue_jump: https://cdn.example.com/b.mp4",
        "expect: { title: B }",
      ]
    ),
    (
      "queue_insert puts items at the end or before another",
      [
        "queue: [a, b]", "queue_insert: { items: [c] }", "queue_insert: { items: [d], before: b }",
        "queue_jump: next", "expect: { title: D }", "queue_jump: next", "expect: { title: B }", "queue_jump: next",
        "expect: { title: C }",
      ]
    ),
    (
      "queue_remove takes items out; the one that plays makes way for the next",
      [
        "queue: [a, b, c]", "queue_remove: { items: [b] }", "queue_jump: next", "expect: { title: C }",
        "queue_remove: { items: [c] }", "wait: 2s",
      ]
    ),
    (
      "queue_reorder gives a new order",
      [
        "queue: [a, b, c, d]", "queue_reorder: { items: [d, c], before: b }", "queue_jump: next",
        "expect: { title: D }",
        "queue_jump: next", "expect: { title: C }", "queue_jump: next", "expect: { title: B }",
      ]
    ),
    (
      "queue_update changes the repeat mode, goes on, and replaces items",
      [
        "queue: [a, b, c]", "queue_update: { repeat: all }", "expect: { repeat: all }",
        "queue_update: { items: [{ item: b, media: d }] }", "queue_jump: next", "expect: { title: D }",
        "queue_update: { jump: 2 }", "expect: { title: A }", "queue_update: { shuffle: true }",
        "queue_update: { repeat: one, jump: 1 }", "expect: { repeat: one, title: { not: A } }",
      ]
    ),
    (
      "each item has its own tracks",
      ["queue: [a, subtitled]", "queue_jump: next", "tracks: [en]", "expect: { active_tracks: { only: [en] } }"]
    ),
  ]

  @Test("Every verb of the queue does what it says", arguments: passing)
  func passes(title: String, steps: [String]) throws {
    for (seed, latency) in [
      (0, nil), (3, .zero ... .milliseconds(60)), (9, .milliseconds(10) ... .milliseconds(400)),
    ] as [(UInt64, ClosedRange<Duration>?)] {
      let play = try Play(Self.scenario(steps), seed: seed, latency: latency)
      let wrong = play.events.filter { [.attemptFailed, .expectFailed, .diagnostic].contains($0.type) }
      #expect(
        play.outcome.result == .passed,
        "\(title), seed \(seed): \(play.results) \(wrong.map { EventRecord($0).jsonLine })")
    }
  }

  static let failing: [(steps: [String], errorClass: String, text: String)] = [
    (["queue_jump: next"], "invalid_state", "no app was launched or joined"),
    (["launch: default", "queue_jump: next"], "invalid_state", "nothing is loaded"),
    (["queue: [a, b]", "queue_jump: next", "queue_jump: next"], "invalid_state", "the last item of the queue plays"),
    (["queue: [a, b]", "queue_jump: c"], "invalid_request", "`c` is not in the queue"),
    (["queue: [a, b]", "queue_jump: 77"], "invalid_request", "the queue has no item 77"),
    (["queue: [a, b]", "queue_remove: { items: [c] }"], "invalid_request", "`c` is not in the queue"),
    (["queue: [a, b]", "queue_reorder: { items: [a], before: c }"], "invalid_request", "`c` is not in the queue"),
    (
      ["queue: { items: [{ url: https://a.example/a.pdf, type: application/pdf }] }"], "load_failed",
      "104 MEDIA_SRC_NOT_SUPPORTED"
    ),
  ]

  @Test("What cannot work fails with its class and says why", arguments: failing)
  func fails(steps: [String], errorClass: String, text: String) throws {
    let play = try Play(Self.scenario(steps))
    let failed = try #require(play.events(.attemptFailed).first, "\(play.results)")
    #expect(failed.fields["error"]?["class"]?.string == errorClass)
    #expect(failed.fields["error"]?["message"]?.string?.contains(text) == true, "\(failed.fields)")
    #expect(play.outcome.exitCode == 5)
  }

  @Test("Secrets in a queue are told nowhere")
  func secrets() throws {
    let text = """
      scenario: Queues
      device: Living Room TV
      secrets: { key: { env: K } }
      media:
        a: { url: "https://cdn.example.com/a.mp4?key=${secret.key}", duration: 1m, metadata: { title: A } }
        b: { url: "https://cdn.example.com/b.mp4?key=${secret.key}", duration: 1m, metadata: { title: B } }
      steps:
        - queue: [a]
        - queue_insert: { items: [b] }
        - queue_jump: b
        - expect: { content: "https://cdn.example.com/b.mp4?key=${secret.key}" }
      """
    let play = try Play(
      text,
      configure: {
        $0.secrets = Secrets(["key": "hunter2-hunter2"])
        $0.includesWire = true
      })
    #expect(play.outcome.exitCode == 0, "\(play.lines)")
    #expect(!play.lines.contains { $0.contains("hunter2") })
  }
}
