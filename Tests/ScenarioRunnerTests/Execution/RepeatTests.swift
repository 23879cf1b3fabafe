import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import RunReporting
@testable import ScenarioRunner

/// `--repeat`: rows that are run several times.
@Suite struct RepeatTests {
  private static let launches = """
    scenario: Launches
    device: TV
    steps: [{ launch: CC1AD845 }]
    """

  private static func play(_ text: String, _ repeats: RowRepeats, device: FaultyDevice? = nil) throws -> Play {
    guard let device else { return try Play(text, configure: { $0.repeats = repeats }) }
    return try Play(text, accept: { device.serve($0, $1) }, configure: { $0.repeats = repeats })
  }

  @Test("Each repeat is a scenario of its own that says which it is; one that fails keeps no other from being run")
  func repeats() throws {
    let device = FaultyDevice(.launchError("NOT_FOUND", times: 1))
    let play = try Self.play(Self.launches, RowRepeats(count: 3), device: device)
    let starts = play.events(.scenarioStarted)
    #expect(starts.map { $0.fields["repeat"] } == [1, 2, 3] && starts.allSatisfy { $0.fields["repeats"] == 3 })
    #expect(play.events(.scenarioFinished).map { $0.fields["result"] } == ["error", "passed", "passed"])
    // It is no success that it passed later: the exit code is the worst repeat's.
    #expect(play.outcome.exitCode == 5 && play.outcome.result == .error)
    #expect(play.events(.runFinished).first?.fields["scenarios"]?["passed"] == 2)
  }

  @Test(
    "The console tells repeats that did not pass, and in a line of how many all passed; some and not others is flaky")
  func console() throws {
    let device = FaultyDevice(.launchError("NOT_FOUND", times: 1))
    let play = try Self.play(Self.launches, RowRepeats(count: 3), device: device)
    let text = ReportText.console(play.events).replacing(#/ in [0-9.]+s/#, with: "")
    let last = text.split(separator: "\n").suffix(3)
    #expect(last.first?.hasPrefix("ERROR a [TV] repeat 1/3 1 in error") == true, "\(text)")
    #expect(
      last.dropFirst() == [
        "FLAKY a [TV] 2 of 3 repeats passed, 1 in error", "ERROR all 3: 2 passed, 1 in error · exit 5",
      ], "\(text)")
    let good = try Self.play(Self.launches, RowRepeats(count: 2))
    let told = ReportText.console(good.events).split(separator: "\n").suffix(2).map {
      String($0).replacing(#/ in [0-9.]+s/#, with: "")
    }
    #expect(told == ["PASSED a [TV] 2 of 2 repeats passed", "PASSED all 2: 2 passed · exit 0"])
  }

  @Test("Every report names the repeat")
  func reports() throws {
    let play = try Self.play(Self.launches, RowRepeats(count: 2))
    for kind in ReportKind.all {
      let text = ReportText.text(kind, play.events)
      let isNamed = text.contains("repeat 2/2") || text.contains("\"repeat\":2") || text.contains("showcaller.repeat")
      // Nothing of what passed is marked in a workflow.
      #expect(isNamed || kind.name == "github", "\(kind.name): \(text)")
    }
  }

  @Test("A run without repeats says nothing of them")
  func once() throws {
    let play = try Self.play(Self.launches, RowRepeats())
    #expect(!play.lines.contains { $0.contains("repeat") })
  }

  @Test("The repeats of a row follow each other, and of each row those that are chosen are run")
  func rows() throws {
    let text = """
      scenario: Rows
      device: TV
      matrix: { n: [1, 2] }
      steps: [{ log: "${matrix.n}" }, { expect: { app: none } }]
      """
    let document = try #require(RunnableDocument(Self.rows(of: text)))
    func told(_ repeats: RowRepeats) throws -> [String] {
      let play = try Play(document, configure: { $0.repeats = repeats })
      return play.events(.scenarioStarted).map {
        "\($0.fields["row"]?["n"]?.int ?? 0).\($0.fields["repeat"]?.int ?? 0)"
      }
    }
    #expect(try told(RowRepeats(count: 2)) == ["1.1", "1.2", "2.1", "2.2"])
    #expect(try told(RowRepeats(count: 3, chosen: [[2], [1, 3]])) == ["1.2", "2.1", "2.3"])
  }

  private static func rows(of text: String) -> [Plan] {
    PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(text.utf8))).plans
  }
}
