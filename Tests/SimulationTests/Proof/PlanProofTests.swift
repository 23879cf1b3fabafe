import CastProtocol
import Foundation
import ScenarioLanguage
import Testing

@testable import Simulation

/// Claims about what can never be: the right ones, and none about what can.
@Suite struct PlanProofTests {
  struct NoPlan: Error, CustomStringConvertible { var description: String }

  /// The diagnostics of a document as a person sees them.
  static func check(_ text: String, named name: String = "lobby.yaml") throws -> (found: [Diagnostic], text: String) {
    let source = SourceFile(name: name, bytes: Array(text.utf8))
    let outcome = PlanCompiler.compile(source)
    guard case .scenario(let plan)? = outcome.document else {
      throw NoPlan(description: DiagnosticRenderer(sources: [source]).render(outcome.diagnostics))
    }
    let found = PlanProof.diagnostics(for: plan)
    return (found, DiagnosticRenderer(sources: [source]).render(found))
  }

  static let fixtures = ScenarioSimulationTests.root.appending(path: "Tests/ScenarioLanguageTests/Fixtures")

  private static func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: fixtures.appending(path: path)), as: UTF8.self)
  }

  static let ownPairs: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: fixtures.appending(path: "own").path)) ?? []
    let codes = ["P602", "P609", "P616"]
    return names.filter { file in file.hasSuffix(".yaml") && codes.contains { name(file, has: $0) } }
      .map { "own/\($0.dropLast(5))" }.sorted()
  }()

  private static func name(_ file: String, has code: String) -> Bool {
    file.dropLast(5).split(separator: "-").dropFirst().first == Substring(code)
  }

  @Test("A golden document gives its message byte for byte", arguments: ["golden/diagnostics/36-P602"] + ownPairs)
  func golden(name: String) throws {
    let (found, text) = try Self.check(Self.read("\(name).yaml"))
    #expect(text == (try Self.read("\(name).txt")), "\(text)")
    #expect(found.count == 1)
  }

  @Test("Every code has a pair") func pairs() {
    for code in ["P602", "P609", "P616"] { #expect(Self.ownPairs.contains { $0.contains(code) }) }
  }

  /// A film of 10 minutes with a break of 21 seconds at 2 minutes and one of 6 at 5.
  static func scenario(_ steps: String, media: String = "", timeout: String = "30m") -> String {
    """
    scenario: Proof
    device: Living Room TV
    timeout: \(timeout)
    media:
      film:
        url: https://cdn.example.com/film.mp4
        duration: 10m
        tracks:
          - { id: en, kind: text, language: en, url: https://cdn.example.com/en.vtt }
          - { id: "no", kind: text, language: "no", url: https://cdn.example.com/no.vtt }
        clips:
          car: { url: https://cdn.example.com/car.mp4, duration: 15s, skippable_after: 5s }
          soap: { url: https://cdn.example.com/soap.mp4, duration: 6s }
          spare: { url: https://cdn.example.com/spare.mp4, duration: 6s }
        breaks:
          - { id: mid, at: 2m, clips: [car, soap] }
          - { id: late, at: 5m, clips: [soap] }
      plain: { url: https://cdn.example.com/plain.mp4 }
      radio: { url: https://cdn.example.com/radio.m3u8, stream: live }
    \(media)
    steps:

    """ + steps.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()
  }

  /// Steps, the line the claim is about, and its help.
  static let impossible: [(steps: String, label: String, help: String?)] = [
    (
      "- load: film\n- expect: { break: { id: mid } }\n  within: 30s", "ends at film position 30s",
      "`within: 2m10s`, or `load: { media: film, start: 1m50s }`"
    ),
    (
      "- load: film\n- expect: { break: { id: mid } }", "waits for 10s, until film position 10s",
      "`within: 2m10s`, or `load: { media: film, start: 1m55s }`"
    ),
    (
      "- load: film\n- expect: { break: { clip: soap, clip_time: { min: 2s } } }\n  within: 1m",
      "ends at film position 1m", "`within: 2m27s`, or `load: { media: film, start: 1m50s }`"
    ),
    (
      "- load: { media: film, rate: 2 }\n- wait: 10s\n- expect: { break: { id: late } }\n  within: 1m",
      "ends at film position 2m", "`within: 2m51s`, or `start: 4m30s` in the `load`"
    ),
    (
      "- load: film\n- wait: 1m\n- expect: { position: { min: 3m } }\n  within: 30s", "ends at film position 1m30s",
      "`within: 2m31s`"
    ),
    (
      "- load: film\n- seek: 20s\n- expect: { position: { about: 5m, tolerance: 2s } }\n  within: 1m",
      "ends at film position 1m20s", "`within: 5m9s`"
    ),
    ("- load: film\n- expect: { position: { min: 11m } }\n  within: 20m", "beyond the end", nil),
    (
      "- load: film\n- pause\n- expect: { position: { min: 1m } }\n  within: 5m",
      "the film is paused at film position 0s", "`play` before it"
    ),
    (
      "- load: film\n- expect: { break: { id: middle } }\n  within: 5m", "`film` has no such break",
      "did you mean `mid`?"
    ),
    (
      "- load: film\n- expect: { break: { clip: spare } }\n  within: 5m", "no break of `film` plays it",
      "clips in the breaks: car, soap"
    ),
    (
      "- load: film\n- expect: { break: { id: late, clip: car } }\n  within: 9m", "break `late` does not play it",
      "clips in break `late`: soap"
    ),
    (
      "- load: film\n- expect: { break: { clip: car, clip_time: { min: 20s } } }\n  within: 5m", "never reached",
      "ask for less, such as `clip_time: { min: 10s }`"
    ),
    (
      "- load: film\n- expect: { break: { clip: soap, skippable: true } }\n  within: 9m",
      "this clip can never be skipped", "give clip `soap` a `skippable_after`, such as `skippable_after: 5s`"
    ),
    (
      "- load: film\n- always: { break: none }\n  during: 5m", "the break comes within it",
      "`during: 1m50s` ends before it"
    ),
    (
      "- load: film\n- never: { break: { id: mid } }\n  during: 5m", "the break comes within it",
      "`during: 1m50s` ends before it"
    ),
    ("- load: film\n- always: { break: { id: mid } }\n  during: 30s", "ends at film position 0s", nil),
    (
      "- load: film\n- tracks: [en]\n- expect: { active_tracks: { has: [\"no\"] } }", "`no` is not active",
      "switch it on first: `tracks: [no]`"
    ),
    (
      "- load: { media: film, tracks: [en] }\n- wait: 3s\n- expect: { active_tracks: { only: [\"no\"] } }",
      "`no` is not active", "switch it on first: `tracks: [no]`"
    ),
    ("- load: film\n- rate: 1.5\n- expect: { rate: 2 }", "the rate is 1.5", nil),
    ("- load: film\n- expect: { duration: { min: 20m } }", "not what `film` declares", nil),
    (
      "- load: film\n- expect_sequence: [{ break: { id: late } }, { break: { id: mid } }]\n  within: 10m",
      "plays before `late`", "expect `mid` before `late`"
    ),
    (
      "- load: film\n- expect_sequence: [{ player: playing }, { break: { id: mid } }]\n  within: 20s",
      "ends at film position 20s", "`within: 2m10s`, or `load: { media: film, start: 1m50s }`"
    ),
    (
      "- load: plain\n- expect: { position: { min: 5m } }\n  within: 1m", "ends at film position 1m",
      "`within: 5m10s`, or `load: { media: plain, start: 4m50s }`"
    ),
    (
      "- load: film\n- expect: { any: [{ break: { id: mid } }, { break: { id: late } }] }\n  within: 1m",
      "ends at film position 1m", "`within: 2m10s`, or `load: { media: film, start: 1m50s }`"
    ),
    (
      "- load: { media: film, tracks: [en] }\n- expect: { break: { id: mid } }\n  within: 30s",
      "ends at film position 30s", "`within: 2m10s`, or `start: 1m50s` in the `load`"
    ),
  ]

  @Test("What the document itself rules out is an error with the number that would work", arguments: impossible)
  func claims(steps: String, label: String, help: String?) throws {
    let (found, text) = try Self.check(Self.scenario(steps))
    #expect(found.map(\.code) == [.p602], "\(steps)\n\(text)")
    guard let diagnostic = found.first else { return }
    #expect(diagnostic.primary.text == label, "\(steps)\n\(text)")
    let helps = diagnostic.footers.compactMap { if case .help(let text) = $0 { text } else { nil } }
    #expect(helps == (help.map { [$0] } ?? []), "\(steps)\n\(text)")
  }

  /// What a slow, a fast or an odd receiver could make come true, and what is right anyway.
  static let possible: [String] = [
    "- load: film\n- expect: { break: { id: mid } }\n  within: 2m10s",
    "- load: film\n- expect: { break: { id: mid } }\n  within: 1m59s",
    "- load: { media: film, start: 1m50s }\n- expect: { break: { id: mid } }\n  within: 30s",
    // Whatever comes before may take its time while the film plays.
    "- load: film\n- expect: { volume: { level: 40% } }\n  within: 2m\n  if_fails: continue\n- expect: { break: { id: mid } }\n  within: 30s",
    "- load: film\n- wait_until: { volume: { muted: true } }\n  timeout: 3m\n- expect: { break: { id: mid } }",
    "- load: film\n- volume: 40%\n  timeout: 2m\n- expect: { break: { id: mid } }",
    "- load: film\n- text_style: { size: 150% }\n- rate: 2\n- wait: 1m\n- expect: { break: { id: mid } }",
    // Not said: how long the film is, where it is, what an app does by itself.
    "- load: plain\n- expect: { break: { id: mid } }",
    "- load: plain\n- expect: { duration: { min: 5m } }",
    "- load: plain\n- wait: 2m\n- expect: { player: playing }",
    "- load: radio\n- expect: { position: { min: 10h } }",
    "- load: film\n- expect: { title: Other, content: { contains: else } }\n  within: 1s",
    "- load: film\n- expect: { text_style: { size: 200% } }\n  within: 1s",
    "- load: film\n- expect: { volume: { level: 10% } }\n  within: 1s",
    "- load: film\n- expect: { player: paused }\n  within: 1m",
    "- play\n- expect: { position: { min: 10h } }",
    "- load: film\n- stop_app\n- launch: default\n- expect: { break: { id: mid } }",
    "- load: film\n  if_fails: continue\n- expect: { break: { id: mid } }",
    "- load: film\n- expect: { active_tracks: { has: [\"no\"] } }",
    "- load: film\n- rate: 1.5\n- expect: { rate: 1 }",
    "- load: film\n- rate: 1.5\n- expect: { rate: { one_of: [1.5, 2] } }",
    "- load: film\n- rate: 1.5\n  if_fails: continue\n- expect: { rate: 2 }",
    "- load: film\n- seek: 1m55s\n- expect: { break: { id: mid } }",
    "- load: film\n- seek: { by: +2m }\n- expect: { position: { min: 1m58s } }",
    "- load: film\n- seek: end\n- expect: { position: { min: 9m } }",
    "- load: film\n- expect: { position: { min: 10m } }\n  within: 20m",
    "- load: film\n- expect: { duration: { about: 10m, tolerance: 100ms } }",
    "- load: film\n- wait: 1s\n  save: { p0: position }\n- expect: { position: { about: \"${p0}\", plus: 9m } }",
    "- load: film\n- expect: { any: [{ break: { id: mid } }, { player: playing }] }\n  within: 1m",
    "- load: film\n- expect: { not: { break: { id: mid } } }\n  within: 1m",
    "- load: film\n- expect: { break: { id: { not: mid } } }\n  within: 3m",
    "- load: film\n- always: { break: none }\n  during: 1m",
    "- load: film\n- always: { break: none }\n  during: 2m10s",
    "- load: { media: film, credentials: premium }\n- always: { break: none }\n  during: 5m",
    "- load: { media: film, custom: { ads: none } }\n- never: { break: { id: mid } }\n  during: 5m",
    "- load: film\n- pause\n- always: { break: none }\n  during: 5m",
    "- load: film\n- expect: { player: paused }\n  within: 4m\n  if_fails: continue\n- always: { break: none }\n  during: 5m",
    "- load: film\n- never: { idle_reason: error }\n  during: 30s",
    "- load: film\n- never: { break: { id: mid } }\n  during: 30s",
    "- load: film\n- expect_sequence: [{ break: { id: mid } }, { break: { id: late } }]\n  within: 10m",
    "- load: film\n- wait: 1s\n- seek: 1m\n- expect_sequence: [{ break: { id: late } }, { break: { id: mid } }]\n  within: 10m",
    "- load: film\n- expect: { break: { id: mid } }\n  within: 30s\n  if_fails: ignore",
    // Said once more on purpose, or of another field.
    "- load: film\n- rate: 1.5\n- rate: 1\n- expect: { rate: 1 }",
    "- load: film\n- pause\n- play\n- pause\n- expect: { player: paused }",
    "- load: film\n- pause\n- wait: 2s\n- seek: 10s\n- expect: { player: paused }",
    "- load: film\n- tracks: [en]\n- tracks: [\"no\"]\n- expect: { active_tracks: { only: [\"no\"] } }",
    "- load: film\n- load: film\n- expect: { player: playing }",
    "- load: film\n- rate: 1.5\n- expect: { rate: 1.5, player: playing }",
  ]

  @Test("Nothing is claimed of what some receiver may do", arguments: possible)
  func noClaims(steps: String) throws {
    let (found, text) = try Self.check(Self.scenario(steps))
    #expect(found.isEmpty, "\(steps)\n\(text)")
  }

  @Test("Nothing is claimed of the examples", arguments: ScenarioSimulationTests.examples)
  func examples(name: String) throws {
    #expect(PlanProof.diagnostics(for: try ScenarioSimulationTests.plan(name)).isEmpty)
  }

  @Test("Each cause is told once: what follows from a window that is too short is not told again")
  func cascades() throws {
    let (found, text) = try Self.check(
      Self.scenario(
        """
        - load: film
        - expect: { break: { id: mid } }
          within: 30s
        - expect: { break: { clip: car, clip_time: { min: 5s } } }
        - expect: { break: none }
          within: 30s
        - expect: { break: { id: late } }
          within: 1m
        """))
    #expect(found.map(\.primary.span.line) == [24, 29], "\(text)")
    #expect(text.contains("`within: 3m10s`"), "\(text)")
  }

  @Test("A number that needs more time than the scenario has says so")
  func timeout() throws {
    let (_, text) = try Self.check(
      Self.scenario("- load: film\n- wait: 10s\n- expect: { break: { id: late } }\n  within: 1m", timeout: "3m"))
    #expect(text.contains("`within: 5m21s` and a scenario `timeout` of at least 5m36s, or"), "\(text)")
  }

  @Test(
    "A claim inside a branch of parallel has its help, too, also where the document says no length of the film",
    arguments: [
      ("film", "break: { id: mid }", "`within: 2m10s`"), ("plain", "position: { min: 5m }", "`within: 5m10s`"),
    ])
  func claimsInBranches(media: String, condition: String, help: String) throws {
    let steps =
      "- parallel:\n  - name: a\n    steps:\n    - load: \(media)\n    - expect: { \(condition) }\n      within: 30s"
    let (found, text) = try Self.check(Self.scenario(steps))
    #expect(found.map(\.code) == [.p602] && text.contains(help), "\(text)")
  }

  @Test("Help that is pasted works: neither the compiler nor the proof has more to say", arguments: impossible)
  func helpWorks(steps: String, label: String, help: String?) throws {
    guard let help, help.hasPrefix("`within") || help.hasPrefix("`during") else { return }
    let parts = help.split(separator: "`").map(String.init)
    let value = try #require(parts.first)
    let key = try #require(value.split(separator: ":").first.map(String.init))
    var lines = steps.split(separator: "\n").map(String.init)
    if let index = lines.lastIndex(where: { $0.contains("\(key):") }) {
      lines[index] = "  \(value)"
    } else {
      lines.append("  \(value)")
    }
    #expect(try Self.check(Self.scenario(lines.joined(separator: "\n"))).found.isEmpty, "\(lines)")
    guard let load = parts.first(where: { $0.hasPrefix("load:") }) else { return }
    var other = steps.split(separator: "\n").map(String.init)
    other[0] = "- \(load)"
    #expect(try Self.check(Self.scenario(other.joined(separator: "\n"))).found.isEmpty, "\(other)")
  }

  /// Useless expectations (P609) and vacuous ones (P616): the steps, and where the warning stands.
  static let warnings: [(steps: String, code: String, label: String)] = [
    ("- load: film\n- rate: 1.5\n- rate: 1.5\n- expect: { rate: 1.5 }", "P609", "shows nothing about `rate`"),
    (
      "- load: film\n- tracks: [en]\n- wait: 2s\n- tracks: [en]\n- expect: { active_tracks: { has: [en] } }", "P609",
      "shows nothing about `tracks`"
    ),
    (
      "- load: film\n- mute: true\n- mute: true\n- log: quiet now\n- expect: { volume: { muted: true } }", "P609",
      "shows nothing about `mute`"
    ),
    ("- load: film\n- pause\n- wait: 2s\n- pause\n- expect: { player: paused }", "P609", "shows nothing about `pause`"),
    (
      "- load: film\n- expect: { player: playing }\n- never: { break: { id: middle } }\n  during: 30s", "P616",
      "`film` has no such break"
    ),
    (
      "- load: plain\n- expect: { player: playing }\n- never: { break: { clip: car } }\n  during: 30s", "P616",
      "no break of `plain` plays it"
    ),
  ]

  @Test("What shows nothing is a warning", arguments: warnings)
  func warns(steps: String, code: String, label: String) throws {
    let (found, text) = try Self.check(Self.scenario(steps))
    #expect(found.map(\.code.rawValue) == [code], "\(text)")
    #expect(found.first?.primary.text == label, "\(text)")
    #expect(found.first?.severity == .warning)
  }

  @Test("A monitor is vacuous only when no media of the document can break it")
  func monitors() throws {
    func check(_ rule: String, _ steps: String) throws -> [String] {
      try Self.check(Self.scenario(steps, media: "watch: [{ name: Rule, \(rule) }]")).found.map(\.code.rawValue)
    }
    #expect(try check("never: { break: { id: middle } }", "- load: film") == ["P616"])
    #expect(try check("never: { break: { id: mid } }", "- load: film") == [])
    #expect(try check("never: { break: { id: mid } }", "- load: film\n- load: plain") == [])
    #expect(try check("never: { break: { id: mid } }", "- load: plain") == ["P616"])
    #expect(try check("never: { break: { id: mid } }", "- load: radio") == [])
    #expect(try check("never: { break: { id: mid } }", "- play") == [])
    #expect(try check("never: { idle_reason: error }", "- load: film") == [])
    #expect(try check("always: { break: { id: { not: middle } } }", "- load: film") == [])
  }

  @Test("A plan that runs too many steps is not proven, and one with nothing suspicious costs nothing")
  func bounds() throws {
    let loads = String(repeating: "- load: film\n", count: PlanProof.stepLimit)
    let last = "- expect: { break: { id: mid } }\n  within: 30s"
    #expect(try Self.check(Self.scenario(loads + last)).found.isEmpty)
    // A wait of a year is not simulated.
    let wait = "- load: plain\n- wait: 365d\n- load: film\n\(last)"
    #expect(try Self.check(Self.scenario(wait, timeout: "366d")).found.isEmpty)
  }
}
