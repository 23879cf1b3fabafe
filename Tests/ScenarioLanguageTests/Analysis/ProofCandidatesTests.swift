import CastProtocol
import Testing

@testable import ScenarioLanguage

/// What the document alone says of its steps, before anything is simulated.
@Suite struct ProofCandidatesTests {
  /// A film of 10 minutes with a break at 2 minutes.
  private static func plan(_ steps: String, watch: String = "") throws -> Plan {
    try Compiling.plan(
      """
      scenario: Candidates
      device: TV
      timeout: 1h
      \(watch)
      media:
        film:
          url: https://cdn.example.com/film.mp4
          duration: 10m
          clips: { soap: { url: https://cdn.example.com/soap.mp4, duration: 6s } }
          breaks: [{ id: mid, at: 2m, clips: [soap] }]
      steps:

      """ + steps.split(separator: "\n").map { "  \($0)\n" }.joined())
  }

  private static func found(_ steps: String, watch: String = "") throws -> [String] {
    let candidates = ProofCandidates(in: try plan(steps, watch: watch)) { condition, facts in
      condition.leaves.allSatisfy { path, matcher, _ in
        if case .equals(let operand) = matcher { operand.value { _ in nil } == facts[path.text] } else { false }
      }
    }
    return candidates.neverPassing.map { "\($0.step.id) never passes" }
      + candidates.alreadyTrue.map { "\($0.step.id) is already true" }
      + candidates.neverFailing.map { "\($0.stepID ?? $0.name) never fails" }
  }

  static let table: [(steps: String, found: [String])] = [
    ("- load: film\n- expect: { break: { id: mid } }\n  within: 30s", ["s2 never passes"]),
    ("- load: film\n- expect: { break: { id: mid } }\n  within: 3m", []),
    ("- load: film\n- expect: { break: { id: middle } }\n  within: 3m", ["s2 never passes"]),
    ("- load: film\n- expect: { position: { min: 11m } }\n  within: 20m", ["s2 never passes"]),
    ("- load: film\n- expect: { break: { id: mid } }\n  within: 30s\n  if_fails: ignore", []),
    ("- play\n- expect: { break: { id: mid } }\n  within: 30s", []),
    ("- load: film\n- rate: 1.5\n- rate: 1.5\n- expect: { rate: 1.5 }", ["s4 is already true"]),
    ("- load: film\n- rate: 1.5\n- expect: { rate: 1.5 }", []),
    ("- load: film\n- never: { break: { id: middle } }\n  during: 30s", ["s2 never fails"]),
    ("- load: film\n- always: { break: none }\n  during: 5m", ["s2 never passes"]),
    (
      "- parallel:\n  - steps:\n    - load: film\n    - expect: { break: { id: mid } }\n      within: 30s",
      ["s1.1.2 never passes"]
    ),
    ("- group:\n    steps:\n    - load: film\n- expect: { break: { id: mid } }\n  within: 30s", ["s2 never passes"]),
    (
      "- load: film\n- choose: [{ if: { player: idle }, steps: [{ seek: 1m }] }]\n- expect: { break: { id: mid } }\n  within: 30s",
      []
    ),
  ]

  @Test("A step is a candidate only when the document itself rules out one of its ends", arguments: table)
  func steps(steps: String, found: [String]) throws {
    #expect(try Self.found(steps) == found, "\(steps)")
  }

  @Test("A monitor is a candidate when no media of the document can break it")
  func monitors() throws {
    let rule = "watch: [{ name: Rule, never: { break: { id: middle } } }]"
    #expect(try Self.found("- load: film", watch: rule) == ["Rule never fails"])
    #expect(try Self.found("- load: film\n- probe: film", watch: rule) == [])
    #expect(try Self.found("- queue: [film]", watch: rule) == [])
  }

  @Test("Whatever steps do, the film position that cannot have been passed grows by all the time they may take")
  func furthest() throws {
    var state = StaticDeviceState()
    let plan = try Self.plan("- load: film\n- wait: 10s\n- volume: 40%\n- pause\n- wait: 1m\n- play")
    var seen: [Double] = []
    state.follow(plan.steps, plan.timeouts) { _, before in seen.append(before.furthest) }
    let bounds = plan.steps.map(\.bound.seconds)
    #expect(seen == [.infinity, 0, 10, 10 + bounds[2], 10 + bounds[2] + bounds[3], 10 + bounds[2] + bounds[3]])
  }
}
