import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

/// What reports say of faults of virtual receivers that came before something failed (docs/runs.md "JUnit").
@Suite struct FaultLinesTests {
  private static func fault(
    _ seconds: Double, _ number: Int, _ text: String, of receiver: String = "Living Room TV", count: Int = 1
  ) -> String {
    #"\#(seconds) fault @ {"receiver":"\#(receiver)","number":\#(number),"fault":"{ \#(text) }","count":\#(count),"#
      + #""file":"lab.yaml","line":\#(number + 2),"column":5,"endLine":\#(number + 2),"endColumn":30}"#
  }

  /// A load that fails behind these faults, and what is done then.
  private static func run(_ faults: [String], then more: [String] = []) throws -> [Event] {
    try RunScene.events(
      [RunScene.begin] + RunScene.device + [#"0.3 scenario.started {"row":{},"attempt":1}"#]
        + [RunScene.step(0.4, "s1", "load", "load film", line: 3)] + faults
        + [
          #"2.0 step.finished s1 {"verb":"load","result":"error","reason":"LOAD_FAILED 311","attempts":1,"duration":1.6}"#
        ] + more
        + [
          RunScene.finished(2.1, .error, #""passed":0,"errors":1"#, duration: 1.8),
          RunScene.end(2.2, .error, exit: 5),
        ])
  }

  private static let line = "fault     lab.yaml:4: { at: load, answer: load_failed } at +0.5s"

  @Test("A step that fails names the faults that came before, with their files: in JUnit, on the console, and quietly")
  func reports() throws {
    let events = try Self.run([Self.fault(0.5, 2, "at: load, answer: load_failed")])
    let junit = ReportText.junit(events)
    try SurefireRules.check(junit)
    #expect(junit.contains("LOAD_FAILED 311\n\(Self.line)\nrerun     showcaller run"), "\(junit)")
    for level in [ConsoleReport.Level.quiet, .normal] {
      let text = ReportText.console(events) { $0.level = level }
      #expect(text.contains("\n   \(Self.line)\n"), "\(text)")
    }
  }

  @Test("A fault is told once, with how often it came; of many the newest four; of another device none")
  func many() throws {
    var faults = (1...6).map { Self.fault(0.5, $0, "at: message, delay: \($0)s") }
    faults += [
      Self.fault(1.2, 3, "at: message, delay: 3s", count: 2), Self.fault(1.3, 9, "silence: true", of: "Bar TV"),
    ]
    let text = ReportText.junit(try Self.run(faults))
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("fault ") }
    #expect(lines.first == "fault     2 others before these" && lines.count == 5, "\(text)")
    #expect(lines.last == "fault     lab.yaml:5: { at: message, delay: 3s }, 2 times, last at +1.2s")
  }

  @Test("What passes names none, and a try that failed before does")
  func flaky() throws {
    let fault = Self.fault(0.5, 2, "at: load, answer: load_failed")
    let events = try RunScene.events(
      [RunScene.begin] + RunScene.device + [#"0.3 scenario.started {"row":{},"attempt":1}"#]
        + [
          RunScene.step(0.4, "s1", "load", "load film", line: 3), fault,
          #"0.6 attempt.failed s1 {"attempt":1,"error":{"class":"load_failed","message":"LOAD_FAILED"},"nextTryIn":1}"#,
          #"2.0 step.finished s1 {"verb":"load","result":"flaky","attempts":2,"duration":1.6}"#,
          RunScene.step(2.0, "s2", "pause", "pause", line: 4),
          #"2.1 step.finished s2 {"verb":"pause","result":"passed","attempts":1,"duration":0.1}"#,
          RunScene.finished(2.1, .flaky, #""passed":1,"flaky":1"#, duration: 1.8),
          RunScene.end(2.2, .flaky, exit: 0),
        ])
    let text = ReportText.junit(events)
    try SurefireRules.check(text)
    #expect(text.contains("attempt 1 of 2\n\(Self.line)</stackTrace>"), "\(text)")
    #expect(text.ranges(of: "fault     ").count == 1)
    #expect(!ReportText.console(events) { $0.level = .quiet }.contains("fault"))
  }

  @Test("A monitor and a device that is not reached name them, too")
  func others() throws {
    let fault = Self.fault(0.3, 1, "auth: error")
    let begin = [RunScene.begin] + RunScene.device + [#"0.3 scenario.started {"row":{},"attempt":1}"#, fault]
    let monitor =
      begin + [
        #"1.0 monitor.failed {"name":"sound","want":{"muted":false},"got":{"muted":true},"file":"qa/ads.yaml","line":2,"column":3}"#,
        RunScene.finished(2.1, .failed, #""failed":1"#, duration: 1.8), RunScene.end(2.2, .failed, exit: 1),
      ]
    let auth =
      begin + [
        RunScene.finished(
          2.1, .error, #""notRun":1"#, duration: 1.8, more: #","error":{"class":"auth","message":"it has no proof"}"#),
        RunScene.end(2.2, .error, exit: 4),
      ]
    for lines in [monitor, auth] {
      let events = try RunScene.events(lines)
      let told = "fault     lab.yaml:3: { auth: error } at +0.3s\n"
      #expect(ReportText.junit(events).contains(told), "\(ReportText.junit(events))")
      #expect(ReportText.console(events) { $0.level = .quiet }.contains("   \(told)"))
    }
  }
}
