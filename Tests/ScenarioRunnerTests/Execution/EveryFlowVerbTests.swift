import CastProtocol
import ScenarioLanguage
import Simulation
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// Every verb and modifier of flow once, from the document to the last event.
@Suite struct EveryFlowVerbTests {
  private static func scenario(_ steps: String, more: String = "") -> String {
    """
    scenario: Every verb of flow
    device: Living Room TV
    timeout: 20m
    media: { film: { url: https://cdn.example.com/film.mp4, duration: 10m } }
    \(more)
    steps:
      - load: film
      - expect: { player: playing }

    """ + steps.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()
  }

  static let passing: [(title: String, more: String, steps: String, logs: [String])] = [
    (
      "group with finally and a name", "",
      "- group: { steps: [{ log: a }, { seek: 10s }], finally: [{ log: b }] }\n  name: Film starts", ["a", "b"]
    ),
    (
      "a group that is tried again, expectations included", "",
      "- group: { steps: [{ log: try }, { expect: { position: { min: 3s } }, within: 2s }] }\n"
        + "  retry: { attempts: 3, errors: [expectation, transient] }", ["try", "try"]
    ),
    (
      "use with arguments",
      "blocks: { greet: { params: { who: { type: text }, tries: { type: int, default: 2 } }, "
        + "steps: [{ log: \"hello ${who}\" }, { pause: {}, retry: { attempts: \"${tries}\" } }] } }",
      "- use: { block: greet, with: { who: you } }\n- expect: { player: paused }", ["hello you"]
    ),
    (
      "for_each over a list", "",
      "- for_each: { item: [0.5, 1.5], steps: [{ rate: \"${item}\" }, { expect: { rate: \"${item}\" } }, "
        + "{ log: \"${index}: ${item}\" }] }", ["1: 0.5", "2: 1.5"]
    ),
    ("repeat so many times", "", "- repeat: { times: 3, steps: [{ log: a }] }", ["a", "a", "a"]),
    (
      "repeat until", "",
      "- repeat: { until: { position: { min: 9s } }, at_most: 9, steps: [{ wait: 5s }, { log: a }] }", ["a", "a"]
    ),
    (
      "choose the first that holds, else otherwise", "",
      "- choose: [{ if: { player: paused }, steps: [{ log: a }] }, { if: { player: playing }, steps: [{ log: b }] }]\n"
        + "- choose: [{ if: { player: paused }, steps: [{ log: c }] }, { otherwise: [{ log: d }] }]", ["b", "d"]
    ),
    (
      "if and skip", "",
      "- log: a\n  if: { player: paused }\n- log: b\n  if: { player: playing }\n- log: c\n  skip: not today", ["b"]
    ),
    (
      "set and save", "vars: { n: 1 }",
      "- set: { n: 2 }\n- log: n is ${n}\n- wait: 3s\n- save: { p0: position }\n- wait: 2s\n"
        + "- expect: { position: { about: \"${p0}\", plus: 2s } }\n  within: 0s", ["n is 2"]
    ),
    (
      "a part of a value wherever a value can stand", "vars: { n: 1, m: { type: map, default: { n: 0 } } }",
      "- set: { m: { at: 30, low: 25, n: 2, list: [a, b] } }\n- seek: \"${m.at}\"\n"
        + "- expect: { position: { min: \"${m.low}\" } }\n- set: { n: \"${m.n}\" }\n"
        + "- expect: { vars: { n: 2, m.n: 2 } }\n- for_each: { item: \"${m.list}\", steps: [{ log: \"${item}\" }] }\n"
        + "- log: late\n  if: { position: { min: \"${m.low}\" } }", ["a", "b", "late"]
    ),
    ("tags say what a step is for", "", "- log: a\n  tags: [smoke]", ["a"]),
    (
      "loops in groups in branches", "",
      "- choose:\n    - if: { player: playing }\n      steps:\n"
        + "        - group: { steps: [{ repeat: { times: 2, steps: [{ for_each: { item: [x, y], "
        + "steps: [{ log: \"${item}\" }] } }] } }] }", ["x", "y", "x", "y"]
    ),
  ]

  @Test("Every verb of flow does what it says", arguments: passing)
  func passes(title: String, more: String, steps: String, logs: [String]) throws {
    for (seed, latency) in [(0, nil), (3, .zero ... .milliseconds(60))] as [(UInt64, ClosedRange<Duration>?)] {
      let play = try Play(Self.scenario(steps, more: more), seed: seed, latency: latency)
      #expect(play.outcome.exitCode == 0, "\(title): \(play.results)")
      #expect(play.events(.log).compactMap { $0.fields["text"]?.string } == logs, "\(title)")
      // Every step begins and ends inside the one that holds it.
      var open: [String] = []
      for event in play.events {
        let id = event.step ?? ""
        if event.type == .stepStarted {
          #expect(event.fields["parent"]?.string == open.last, "\(title): \(id)")
          open.append(id)
        } else if event.type == .stepFinished, event.fields["result"] != "skipped" {
          #expect(open.popLast() == id, "\(title)")
          #expect(event.fields["parent"]?.string == open.last, "\(title): \(id)")
        }
      }
      #expect(open.isEmpty)
    }
  }

  @Test("The timeline shows nested steps below what holds them, skipped ones with their reason, and passes")
  func timeline() throws {
    let text = Self.scenario(
      "- repeat: { times: 5, steps: [{ wait: 1s }] }\n- log: a\n  if: { player: paused }\n"
        + "- group: { steps: [{ expect: { player: paused }, within: 1s }] }")
    let plan = try Play.plan(text)
    let timeline = Timeline(of: plan, events: try Play(plan).events).text
    #expect(timeline.contains("s3  repeat 5 times") || timeline.contains("s3    repeat 5 times"), "\(timeline)")
    #expect(timeline.contains("  wait 1s") && timeline.contains("pass 3") && !timeline.contains("pass 4"))
    #expect(timeline.contains("skipped: player: expected paused, observed playing"))
    #expect(timeline.contains("FAILED   player: expected paused, observed playing"))
    #expect(timeline.contains("first at s5.1"))
  }

  @Test("finally and on_failure hold flow, too, and a group's own timeout ends it")
  func cleanup() throws {
    let text = Self.scenario(
      "- group: { steps: [{ wait_until: { player: paused } }] }\n  timeout: 5s",
      more: "on_failure: [{ repeat: { times: 2, steps: [{ log: f }] } }]\n"
        + "finally: [{ group: { steps: [{ log: c }] } }, { choose: [{ otherwise: [{ log: d }] }] }]")
    let play = try Play(text)
    #expect(play.outcome.exitCode == 6)
    #expect(play.events(.log).compactMap { $0.fields["text"]?.string } == ["f", "f", "c", "d"])
    #expect(play.events(.scenarioFinished).first?.fields["duration"]?.number ?? 99 < 10)
  }

  @Test("What is right is never said to be impossible", arguments: EveryVerbTests.passing.map(\.steps))
  func noClaims(steps: [String]) throws {
    let plan = try Play.plan(EveryVerbTests.scenario(steps))
    #expect(PlanProof.diagnostics(for: plan).filter { $0.code == .p602 }.isEmpty)
  }
}
