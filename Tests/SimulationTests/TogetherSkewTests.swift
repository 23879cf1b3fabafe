import CastProtocol
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import TestSupport
import Testing

@testable import Simulation

/// How far apart devices come to what is expected of all of them, where a fault makes one of them late.
@Suite struct TogetherSkewTests {
  /// Two receivers, of which the left one stalls for two seconds as the film begins: the right one did so before.
  private static func run(skew: String) throws -> (exitCode: Int32, events: [Event]) {
    let text = """
      scenario: Two screens
      roles: { left: Bar left, right: Bar right }
      media:
        film: { url: https://cdn.example.com/film.mp4, duration: 10m, metadata: { title: Film } }
        photo: { url: https://cdn.example.com/photo.mp4, duration: 1m, metadata: { title: Photo } }
      steps:
        - { load: photo, role: right }
        - wait: 4s
        - { load: film, role: all }
        - expect_together: { roles: [left, right], that: { player: playing, title: Film }, skew: \(skew) }
          within: 5s
      """
    var simulation = ScenarioSimulation()
    simulation.faults = try FaultTests.plan(["{ at: playing, times: 1, player: stall, for: 2s }"])
    let kept = KeptEvents()
    let configuration = RunConfiguration(runID: "TEST", toolVersion: "test", wallClock: { 1_767_225_600 })
    let outcome = try simulation.run(
      ScenarioSimulationTests.compile(text), configuration: configuration, reportingTo: kept)
    return (outcome.exitCode, kept.all)
  }

  @Test("Positions that were calculated are told as such: devices that stand still may have passed by them")
  func estimated() throws {
    func judged(_ condition: String) throws -> EventKind.Expectation {
      var simulation = ScenarioSimulation()
      simulation.faults = try FaultTests.plan(["{ at: playing, player: freeze }"])
      let kept = KeptEvents()
      let text = """
        scenario: Two screens
        roles: { left: Bar left, right: Bar right }
        steps:
          - { load: https://cdn.example.com/film.mp4, role: all }
          - expect_together: { roles: [left, right], that: \(condition) }
        """
      let configuration = RunConfiguration(runID: "TEST", toolVersion: "test", wallClock: { 1_767_225_600 })
      _ = try simulation.run(
        ScenarioSimulationTests.compile(text), configuration: configuration, reportingTo: kept)
      return try #require(
        kept.all.compactMap { if case .expectPassed(let passed) = $0.kind { passed } else { nil } }.last)
    }
    #expect(try judged("{ player: playing, position: { min: 3s } }").isEstimated)
    #expect(try !judged("{ player: playing }").isEstimated)
  }

  @Test("What was measured is in the event and in every report, also where it was allowed")
  func measured() throws {
    let (exitCode, events) = try Self.run(skew: "3s")
    #expect(exitCode == 0)
    let passed = events.compactMap { if case .expectPassed(let passed) = $0.kind { passed } else { nil } }
    let skew = try #require(passed.last?.skew)
    #expect(skew >= 1.9 && skew < 2.2, "\(skew)")
    let text = skew.decimals(3)
    let marks = [
      "console": "\(text)s apart", "json": "\"skew\":\(text)", "junit": "the devices were \(text)s apart",
      "html": "the devices were \(text)s apart", "tap": "skew_ms: ", "ctrf": "\"skewMs\":",
      "markdown": "\(text) s apart",
      "trace": "\"skew\":", "otlp": "showcaller.skew",
    ]
    for kind in ReportKind.all {
      // A workflow is told of what failed only.
      guard let mark = marks[kind.name] else {
        #expect(kind.name == "github")
        continue
      }
      let report = ReportText.text(kind, events)
      #expect(report.contains(mark), "\(kind.name): \(report)")
    }
  }

  @Test("One that is too late fails, and the failure says which and by how much")
  func tooLate() throws {
    let (exitCode, events) = try Self.run(skew: "300ms")
    #expect(exitCode == 1)
    let report = ReportText.console(events)
    #expect(report.contains("at most 300ms is allowed: left +2"), "\(report)")
    #expect(report.contains("right +0s"), "\(report)")
    #expect(ReportText.text(.github, events).contains("apart, at most 300ms is allowed"))
  }
}
