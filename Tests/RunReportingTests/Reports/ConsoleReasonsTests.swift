import TestSupport
import Testing

@testable import RunReporting

/// What the console says of why a step was not done, or failed (docs/runs.md "The console").
@Suite struct ConsoleReasonsTests {
  private static let begin =
    [RunScene.begin] + RunScene.device + [
      #"0.3 scenario.started {"row":{},"attempt":1}"#, RunScene.step(1, "s1", "load", "load film", line: 3),
    ]

  private static func console(_ lines: [String], _ level: ConsoleReport.Level) throws -> String {
    var style = ConsoleReport.Style()
    style.level = level
    let written = WrittenText()
    let report = ConsoleReport(style) { written.write($0) }
    for event in try RunScene.events(Self.begin + lines) { report.record(event) }
    return written.text
  }

  @Test("Why a step was not done again is told once")
  func notDoneAgain() throws {
    let reason = "the run before ended while it was under way, and `on_resume: skip` forbids to do it again"
    let text = try Self.console(
      [#"2 step.finished s1 {"result":"skipped","reason":"\#(reason)","resumed":"skipped"}"#], .normal)
    #expect(text.hasSuffix("s1 skipped load film (0.0s): \(reason)\n"), "\(text)")
    #expect(text.ranges(of: "the run before ended").count == 1)
  }

  @Test("Quiet has the last error of the receiver page of a step that failed, and none of one that passed")
  func page() throws {
    func lines(_ result: String) -> [String] {
      ["net::ERR_A", "net::ERR_CONNECTION_REFUSED"].map {
        #"1.5 page s1 {"receiver":"tv","kind":"request","level":"error","text":"\#($0)"}"#
      } + [
        #"2 attempt.failed s1 {"attempt":1,"error":{"class":"launch_failed","message":"LAUNCH_ERROR SYSTEM_ERROR"}}"#,
        #"2 step.finished s1 {"result":"\#(result)","attempts":1,"duration":1}"#,
      ]
    }
    let failed = try Self.console(lines("error"), .quiet)
    #expect(
      failed.hasPrefix("ERROR s1 load film: LAUNCH_ERROR SYSTEM_ERROR (qa/ads.yaml:3)\n   page      "), "\(failed)")
    #expect(failed.contains("net::ERR_CONNECTION_REFUSED") && !failed.contains("net::ERR_A"), "\(failed)")
    #expect(try Self.console(lines("passed"), .quiet).isEmpty)
  }
}
