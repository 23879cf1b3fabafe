import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

@Suite struct RunnerTests {
  static let hello = """
    scenario: Hello
    device: Living Room TV
    steps:
      - load: https://media.example.com/welcome.mp4
      - expect: { player: playing }
    """

  @Test("A scenario runs from finding the device to run.finished, in the order of the page on runs")
  func hello() throws {
    let play = try Play(Self.hello)
    #expect(play.outcome == Runner.Outcome(result: .passed, exitCode: 0))
    #expect(play.results == ["s1 passed", "s2 passed"])
    let types = play.events.map(\.type.rawValue).filter { $0 != "status" }
    #expect(
      types == [
        "run.started", "plan", "device.found", "device.connected", "scenario.started", "step.started", "step.finished",
        "step.started", "expect.passed", "step.finished", "scenario.finished", "run.finished",
      ])
    #expect(play.events.map(\.number) == Array(1...play.events.count))
    #expect(play.events.last?.fields["events"] == .int(play.events.count))
    let ofRun: [EventType] = [.runStarted, .plan, .runFinished]
    #expect(play.events.allSatisfy { ofRun.contains($0.type) || $0.device == "living-room-tv" })
  }

  @Test("The same seed gives the same events") func determinism() throws {
    for seed in 0..<5 {
      let latency = Duration.milliseconds(1)...Duration.milliseconds(80)
      let first = try Play(Self.hello, seed: UInt64(seed), latency: latency)
      let second = try Play(Self.hello, seed: UInt64(seed), latency: latency)
      #expect(first.lines == second.lines)
      #expect(first.outcome.exitCode == 0)
    }
  }
}

/// A short form of examples/ads.yaml against the virtual receiver.
@Suite struct AdsTests {
  static let ads = """
    scenario: Ad breaks
    device: QA Chromecast
    timeout: 2m
    vars:
      cdn: https://cdn.example.com/qa
      speed: { type: number, default: 1.5, min: 0.5, max: 2 }
    media:
      film:
        url: ${cdn}/film.m3u8
        duration: 10m
        metadata: { kind: movie, title: Sintel }
        tracks:
          - { id: en, kind: text, subtype: subtitles, language: en, url: "${cdn}/en.vtt" }
          - { id: no, kind: text, subtype: subtitles, language: no, url: "${cdn}/no.vtt" }
        clips:
          car:  { url: "${cdn}/car.mp4",  duration: 15s, skippable_after: 5s }
          soap: { url: "${cdn}/soap.mp4", duration: 6s }
        breaks:
          - { id: pre, at: start, clips: [soap] }
          - { id: mid, at: 10s, clips: [car, soap] }
    text_styles:
      big_yellow: { size: 150%, color: yellow, background: black/75%, edge: outline, edge_color: "#000000FF" }
    watch:
      - name: The receiver never reports a playback error
        never: { idle_reason: error }
      - name: No stall longer than 5 s
        never: { player: buffering }
        for: 5s
    steps:
      - launch: A1B2C3D4
        retry: 3
      - load: { media: film, tracks: [no], text_style: big_yellow }
      - name: Pre-roll first, then the film
        expect_sequence:
          - { break: { id: pre, clip: soap } }
          - { player: playing, break: none, position: { below: 2s } }
        within: 20s
      - expect:
          active_tracks: { only: [no] }
          text_style: { size: 150% }
      - name: The car ad cannot be skipped at once
        expect: { break: { id: mid, clip: car, skippable: false } }
        within: 15s
      - name: ... but can after 5 s
        expect: { break: { clip: car, skippable: true, clip_time: { min: 5s } } }
        within: 8s
      - skip_ad
      - expect: { break: { clip: soap } }
      - expect: { break: none, position: { about: 10s, tolerance: 1s } }
        within: 12s
      - name: Change language without losing the style
        tracks: [en]
        if_fails: continue
      - rate: ${speed}
        save: { p0: position }
      - wait: 10s
      - name: 10 s of wall clock at 1.5x is 15 s of film
        expect: { position: { about: "${p0}", plus: 15s, tolerance: 1s } }
        within: 0s
      - name: The speed holds
        always: { rate: "${speed}" }
        during: 5s
    finally:
      - rate: 1
        if_fails: ignore
      - stop_app
    """

  @Test("The ad scenario passes, each step at its moment") func passes() throws {
    let play = try Play(Self.ads)
    #expect(play.outcome == Runner.Outcome(result: .passed, exitCode: 0))
    let ends = play.events(.stepFinished).prefix(14).map(\.elapsed)
    #expect(ends == [0, 0, 6, 6, 16, 21, 21, 21, 27, 27, 27, 37, 37, 42])
    #expect(play.events(.stepFinished).first { $0.step == "s11" }?.fields["saved"] == ["p0": 10])
    #expect(play.events(.expectPassed, step: "s6").first?.elapsed == 21)
    #expect(play.events(.expectPassed, step: "s13").first?.fields["estimated"] == true)
  }

  @Test("It passes whatever the link's delays, the same way for the same seed") func seeds() throws {
    let latency = Duration.milliseconds(1)...Duration.milliseconds(60)
    for seed in UInt64(0)..<40 {
      let play = try Play(Self.ads, seed: seed, latency: latency)
      #expect(play.outcome == Runner.Outcome(result: .passed, exitCode: 0), "seed \(seed)")
      if seed < 3 { #expect(try Play(Self.ads, seed: seed, latency: latency).lines == play.lines) }
    }
  }

  @Test("Reports of a whole run are the same live and from its stored lines") func reports() throws {
    let play = try Play(Self.ads.replacing("about: 10s", with: "about: 20s"))
    #expect(play.outcome.exitCode == 1)
    let stored = try play.lines.compactMap { EventRecord(json: try JSONValue(parsing: $0))?.event }
    #expect(stored == play.events)
    let junit = ReportText.junit(play.events)
    #expect(ReportText.junit(stored) == junit)
    try SurefireRules.check(junit)
    #expect(ReportText.console(stored) == ReportText.console(play.events))
    #expect(ReportText.console(play.events).contains("observed  position 16.0s, break none"))
  }
}
