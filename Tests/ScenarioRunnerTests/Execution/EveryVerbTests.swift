import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// Every verb, modifier and matcher of the language once, against the real client and virtual receiver.
@Suite struct EveryVerbTests {
  private static let film = """
    media:
      film:
        url: https://cdn.example.com/film.mp4
        duration: 10m
        metadata: { kind: movie, title: Sintel }
        tracks:
          - { id: en, kind: text, language: en, url: https://cdn.example.com/en.vtt }
          - { id: de, kind: text, language: de, url: https://cdn.example.com/de.vtt }
        clips: { car: { url: https://cdn.example.com/car.mp4, duration: 15s, skippable_after: 5s } }
        breaks: [{ id: mid, at: 5m, clips: [car] }]
    """

  static let passing: [(title: String, steps: [String])] = [
    (
      "lengths, changes since the last action, and facts about the device",
      [
        "load: film", "expect: { tracks: { count: 2 }, commands: { count: { min: 3 } } }", "rate: 1.5",
        "expect: { rate: { changed: true }, title: { changed: false } }", "pause",
        "expect: { rate: { changed: false }, player: { changed: true } }",
        "expect: { device: { name: { exists: true }, id: { not: nobody } } }",
      ]
    ),
    ("discover finds the device", ["discover", "discover: { for: 2s, at_least: 1 }", "expect: { app: none }"]),
    (
      "connect again after disconnect", ["connect", "disconnect", "connect", "expect: { connection: open }"]
    ),
    ("an abrupt disconnect is one, too", ["disconnect: { abrupt: true }", "connect", "expect: { connection: open }"]),
    (
      "launch and stop_app",
      ["launch: default", "expect: { app: { id: CC1AD845 } }", "stop_app", "expect: { app: none }"]
    ),
    (
      "a running app is joined, or launched anew",
      [
        "launch: default", "launch: { app: default, join: never }", "launch: { app: default, join: only }",
        "expect: { app: { id: CC1AD845, idle: false } }",
      ]
    ),
    (
      "volume at once and as a ramp",
      [
        "volume: 40%", "expect: { volume: { level: 40% } }", "volume: { to: 80%, over: 4s }",
        "expect: { volume: { level: { about: 80%, tolerance: 1% } } }", "mute: true",
        "expect: { volume: { muted: true, level: { above: 0% } } }", "mute: false",
        "expect: { volume: { muted: false } }",
      ]
    ),
    (
      "play, pause, stop",
      [
        "load: film", "pause", "expect: { player: paused }", "play",
        "expect: { player: { one_of: [playing, buffering] } }",
        "stop", "expect: { player: idle }",
      ]
    ),
    (
      "seek to a place, from here, to the start, and pausing there",
      [
        "load: film", "seek: 1m30s", "expect: { position: { about: 90s } }", "seek: { by: -30s }",
        "expect: { position: { about: 1m, tolerance: 1s } }", "seek: start", "expect: { position: { below: 1s } }",
        "seek: { to: 2m, then: pause }", "expect: { player: paused, position: { about: 2m } }",
      ]
    ),
    (
      "rate, absolute and relative",
      ["load: film", "rate: 1.5", "expect: { rate: 1.5 }", "rate: { by: 0.5x }", "expect: { rate: { max: 0.75 } }"]
    ),
    (
      "tracks by id and by language, and none",
      [
        "load: { media: film, tracks: [en] }", "expect: { active_tracks: { only: [en] }, tracks: { exists: true } }",
        "tracks: [de]", "expect: { active_tracks: { has: [de] } }", "tracks: []",
        "expect: { active_tracks: { only: [] } }",
      ]
    ),
    (
      "a text style, whole and by parts",
      [
        "load: film", "text_style: { size: 150%, color: yellow, edge: outline }",
        "expect: { text_style: { size: 150%, color: yellow, edge: outline } }",
      ]
    ),
    (
      "skip_ad waits until it may, and ends the clip",
      [
        "load: { media: film, start: 4m58s }", "expect: { break: { id: mid, skippable: false } }",
        "expect: { break: { clip: car, skippable: true, clip_time: { min: 5s } } }", "skip_ad",
        "expect: { break: none, position: { about: 5m, tolerance: 1s } }",
      ]
    ),
    (
      "load in all its forms",
      [
        "load: https://cdn.example.com/a.mp3", "load: { media: film, autoplay: false }",
        "expect: { player: paused, title: Sintel, metadata: { title: { starts_with: Sin } } }",
        "load: { media: { url: https://cdn.example.com/x.jpg }, until: accepted }",
        "expect: { content: { ends_with: x.jpg } }",
        "load: { media: film, start: 1m, rate: 2, custom: { id: 7 } }",
        "expect: { rate: 2, position: { min: 1m, max: 61s }, stream: buffered, duration: 10m }",
      ]
    ),
    (
      "refresh, wait, wait_until, mark, log",
      [
        "load: film", "refresh", "refresh: { what: receiver }", "wait: 2s", "mark: half way",
        "log: playing on ${device.name}",
        "wait_until: { position: { min: 5s } }", "expect: { position: { about: 5s } }",
      ]
    ),
    (
      "the windows hold, and positions advance",
      [
        "load: film", "always: { player: playing }\n    during: 10s", "never: { player: idle }\n    during: 10s",
        "never: { player: buffering }\n    for: 2s\n    during: 10s", "expect: { player: playing }\n    for: 5s",
        "expect: { position: { advances: { at_least: 4s, over: 5s } } }",
      ]
    ),
    (
      "a sequence looks back to its action",
      ["load: film", "expect_sequence: [{ player: loading }, { player: buffering }, { player: playing }]"]
    ),
    (
      "matchers of text and their negation",
      [
        "load: film",
        "expect: { title: { contains: int, matches: \"^S\" }, content: { not: { contains: car } }, player: { not: idle } }",
        "expect: { any: [{ player: paused }, { player: playing }], not: { player: idle }, idle_reason: { exists: false } }",
        "expect: { commands: { has: [pause, seek] }, content_type: video/mp4 }",
      ]
    ),
    (
      "what was saved is compared with, and said",
      [
        "load: film", "wait: 3s\n    save: { p0: position }", "wait: 10s",
        "expect: { position: { about: \"${p0}\", plus: 10s } }\n    within: 0s", "log: from ${p0}", "seek: ${p0}",
        "expect: { position: { about: \"${p0}\" } }",
      ]
    ),
  ]

  static func scenario(_ steps: [String], more: String = "") -> String {
    "scenario: Every verb\ndevice: Living Room TV\ntimeout: 20m\n\(Self.film)\n\(more)steps:\n"
      + steps.map { "  - \($0)\n" }.joined()
  }

  @Test("Every verb and matcher does what it says", arguments: passing)
  func passes(title: String, steps: [String]) throws {
    for (seed, latency) in [(0, nil), (3, .zero ... .milliseconds(60))] as [(UInt64, ClosedRange<Duration>?)] {
      let play = try Play(Self.scenario(steps), seed: seed, latency: latency)
      let wrong = play.events.filter { [.attemptFailed, .expectFailed, .diagnostic].contains($0.type) }
      #expect(play.outcome.result == .passed, "\(title): \(play.results) \(wrong.map { EventRecord($0).jsonLine })")
    }
  }

  static let failing: [(steps: [String], exitCode: Int32, errorClass: String?)] = [
    (["fail: on purpose"], 1, nil),
    (["disconnect", "play"], 5, "invalid_state"),
    (["play"], 5, nil),
    (["load: film", "skip_ad"], 5, "invalid_state"),
    (["load: { media: film, start: 4m58s }", "wait: 3s", "skip_ad"], 5, "refused_locally"),
    (["load: { media: film, start: 4m58s }", "wait: 3s", "skip_ad: { force: true }"], 5, "invalid_request"),
    (["load: film", "wait_until: { player: idle }\n    timeout: 3s"], 6, "timeout"),
    (["load: { media: { url: https://a.example/a.pdf, type: application/pdf } }"], 5, "load_failed"),
    (
      [
        "load: film", "expect: { position: { advances: { at_least: 4s, over: 5s } } }\n    within: 8s", "pause",
        "expect: { position: { advances: { at_least: 4s, over: 5s } } }\n    within: 8s",
      ], 1, nil
    ),
    (["load: film", "always: { player: paused }\n    during: 5s"], 1, nil),
    (["load: film", "never: { player: playing }\n    during: 5s"], 1, nil),
  ]

  @Test("What cannot work fails with its class and exit code", arguments: failing)
  func fails(steps: [String], exitCode: Int32, errorClass: String?) throws {
    let play = try Play(Self.scenario(steps))
    if let errorClass {
      let classes = play.events(.attemptFailed).compactMap { $0.fields["error"]?["class"]?.string }
      #expect(classes == [errorClass], "\(play.results)")
    }
    #expect(play.outcome.exitCode == exitCode, "\(play.results)")
  }

  @Test("Volume, mute and app are as they were when the run has left")
  func restores() throws {
    let steps = ["volume: 20%", "mute: true", "load: film", "expect: { player: playing }"]
    let play = try Play(Self.scenario(steps), configure: { $0.includesWire = true })
    #expect(play.outcome.exitCode == 0, "\(play.results)")
    let levels = play.events(.status).compactMap { $0.fields["set"]?["volume"]?["level"]?.number }
    let muted = play.events(.status).compactMap { $0.fields["set"]?["volume"]?["muted"]?.bool }
    #expect(levels.first == levels.last && levels.contains(20), "\(levels)")
    #expect(muted.first == false && muted.contains(true) && muted.last == false, "\(muted)")
    #expect(play.events(.request).contains { $0.fields["msg"]?["type"] == "STOP" })
  }

  @Test("if_fails: continue goes on and fails the run, ignore goes on and does not")
  func ifFails() throws {
    let continued = try Play(
      Self.scenario([
        "load: film", "expect: { player: paused }\n    within: 1s\n    if_fails: continue",
        "expect: { player: playing }",
      ]))
    #expect(continued.results == ["s1 passed", "s2 failed", "s3 passed"])
    #expect(continued.outcome.exitCode == 1)
    let ignored = try Play(
      Self.scenario([
        "load: film", "expect: { player: paused }\n    within: 1s\n    if_fails: ignore", "expect: { player: playing }",
      ]))
    #expect(ignored.results == ["s1 passed", "s2 failed", "s3 passed"])
    #expect(ignored.outcome.exitCode == 0)
  }

  @Test("setup runs first, on_failure only after a failure, finally always")
  func sections() throws {
    let more = "setup: [launch: default]\non_failure: [log: failed]\nfinally: [log: over]\n"
    let good = try Play(Self.scenario(["load: film", "expect: { player: playing }"], more: more))
    #expect(good.events(.log).map { $0.fields["text"] } == ["over"])
    #expect(good.results.first == "setup1 passed")
    let bad = try Play(Self.scenario(["load: film", "fail: no"], more: more))
    #expect(bad.events(.log).map { $0.fields["text"] } == ["failed", "over"])
    #expect(bad.outcome.exitCode == 1)
  }

  @Test("Between two tries the app is launched anew or the connection made anew, as the policy says")
  func resets() throws {
    func play(_ reset: String) throws -> Play {
      let pdf = "{ media: { url: https://a.example/a.pdf, type: application/pdf } }"
      let policy = "{ attempts: 2, wait: 1s, errors: [load_failed], before: \(reset) }"
      return try Play(
        Self.scenario(["load: \(pdf)\n    retry: \(policy)", "expect: { player: idle }"]),
        configure: { $0.includesWire = true })
    }
    func launches(_ play: Play) -> Int { play.events(.request).count { $0.fields["msg"]?["type"] == "LAUNCH" } }
    let (nothing, relaunched, reconnected) = (try play("nothing"), try play("relaunch"), try play("reconnect"))
    for play in [nothing, relaunched, reconnected] {
      #expect(play.errorClass(of: "s1") == "load_failed")
      #expect(play.events(.attemptFailed).count == 2)
      #expect(play.outcome.exitCode == 5)
    }
    #expect(launches(nothing) == 1 && launches(relaunched) == 2)
    #expect(nothing.events(.deviceConnected).count == 1 && reconnected.events(.deviceConnected).count == 2)
    let words = try Play(
      Self.scenario([
        "launch: { app: default, language: de, params: { shelf: news } }",
        "load: { media: { url: https://a.example/a.pdf, type: application/pdf } }\n"
          + "    retry: { attempts: 2, wait: 1s, errors: [load_failed], before: relaunch }",
      ]), configure: { $0.includesWire = true })
    let told = words.events(.request).compactMap { $0.fields["msg"] }.filter { $0["type"] == "LAUNCH" }
    #expect(
      told.count == 2 && told.allSatisfy { $0["language"] == "de" && $0["appParams"]?["shelf"] == "news" }, "\(told)")
  }
}
