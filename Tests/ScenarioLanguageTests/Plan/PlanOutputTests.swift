import CastProtocol
import Testing

@testable import ScenarioLanguage

/// The plan of the golden ads.yaml.
@Suite struct PlanOutputTests {
  /// Its secret is not asked for.
  static func ads() throws -> Plan {
    var inputs = PlanCompiler.Inputs()
    inputs.needsSecrets = false
    let source = SourceFile(name: "lobby.yaml", bytes: try Golden.bytes("documents/ads.yaml"))
    return try Compiling.plan(source, inputs: inputs)
  }

  @Test("ads.yaml names its steps, and its expectation says what events will want")
  func names() throws {
    let plan = try Self.ads()
    #expect(plan.id == "lobby")
    #expect(plan.tags == ["smoke", "ads"])
    #expect(
      plan.steps.map(\.name) == [
        "launch A1B2C3D4", "load film", "Pre-roll first, then the film", "expect active_tracks, text_style",
        "The car ad cannot be skipped at once", "... but can after 5 s", "skip_ad", "expect break",
        "expect break, position", "Change language without losing the style", "rate 1.5", "wait 10s",
        "10 s of wall clock at 1.5x is 15 s of film", "The speed holds",
      ])
    guard case .expect(let expect) = plan.steps[8].action else { throw Compiling.NoPlan() }
    #expect(expect.condition.text() == "break none, position 10.0s ± 1s")
    let want: JSONValue = ["position": ["about": 10.0, "tolerance": 1.0], "break": .null]
    #expect(expect.condition.json() == want)
    // Where a failure points: from the key `position` to the end of its value (docs/runs.md "Kinds of events").
    let span = try #require(expect.condition.leaves.last?.span)
    #expect((span.column, span.endColumn - span.column) == (28, 39))
    #expect(plan.watch.map(\.name) == ["The receiver never reports a playback error", "No stall longer than 5 s"])
    #expect(plan.watch.map(\.forAtLeast) == [nil, .seconds(5)])
  }

  @Test("Every step of ads.yaml has JSON, and the same document gives the same text")
  func stable() throws {
    let text = try Self.ads().json.serialized()
    #expect(try Self.ads().json.serialized() == text)
    #expect(try Self.ads().json["steps"]?.array?.count == 14)
  }
}
