@testable import RunReporting

/// Runs that reports are made of, each with one thing that reports tell apart.
extension RunScene {
  /// A scenario that has begun on its device.
  private static let scenario = joined([begin], device, [#"0.3 scenario.started {"row":{},"attempt":1}"#])

  private static func joined(_ parts: [String]...) -> [String] { parts.flatMap(\.self) }

  /// There was nothing to run.
  static let empty = [begin, end(0.1, .passed, exit: 0)]

  /// No device was found.
  static let noDevice = [
    begin,
    #"0.1 diagnostic @ {"severity":"error","code":"R701","message":"no device called `TV`","file":"qa/ads.yaml","#
      + #""line":2,"column":5,"endLine":2,"endColumn":10,"label":"asked for here","notes":["2 others are there"],"#
      + #""help":["look with `showcaller discover`"]}"#,
    #"0.2 scenario.started @ {"row":{},"attempt":1}"#,
    #"0.3 step.finished s1 @ {"result":"not_run","reason":"there is no device","verb":"load","name":"load film","#
      + #""file":"qa/ads.yaml","line":3,"column":5}"#,
    finished(
      0.4, .error, #""passed":0,"flaky":0,"failed":0,"errors":0,"skipped":0,"notRun":1"#, duration: 0.1,
      more: #","error":{"class":"not_found","message":"no device called `TV`"}"#
    ).replacing("scenario.finished", with: "scenario.finished @"),
    end(0.5, .error, exit: 4),
  ]

  /// The device goes and comes, steps talk, are skipped, ignored and in error.
  static let flow = joined(
    scenario,
    [
      step(1, "s1", "load", "load film", line: 3),
      #"1.5 device.lost {"reason":"the connection broke"}"#, #"3 device.back {"after":1.5}"#,
      #"4 step.finished s1 {"result":"passed","attempts":1,"duration":3}"#,
      #"4.1 mark s2 {"text":"half time"}"#, #"4.2 log s3 {"text":"a <b> & \"c\""}"#,
      #"4.3 step.finished s4 {"result":"skipped","reason":"if: lang is `en`","verb":"pause","name":"pause","#
        + #""file":"qa/ads.yaml","line":5,"column":5}"#,
      step(5, "s5", "seek", "seek to 1m", line: 6),
      #"6 attempt.failed s5 {"attempt":1,"error":{"class":"invalid_state","message":"nothing plays"}}"#,
      #"6.1 step.finished s5 {"result":"error","reason":"nothing plays","attempts":1,"duration":1.1,"ignored":true}"#,
      step(7, "s6", "rate", "rate 2", line: 7),
      #"8 attempt.failed s6 {"attempt":1,"error":{"class":"timeout","message":"no answer"},"nextTryIn":0.5}"#,
      #"9 attempt.failed s6 {"attempt":2,"error":{"class":"invalid_request","message":"INVALID_PARAMS"}}"#,
      #"9.1 step.finished s6 {"result":"error","reason":"INVALID_PARAMS","attempts":2,"duration":2.1}"#,
      #"9.2 step.finished s7 {"result":"not_run","reason":"s6 failed","verb":"stop","name":"stop","#
        + #""file":"qa/ads.yaml","line":8,"column":5}"#,
      #"9.3 finally.started {"steps":1}"#, #"9.8 finally.finished {"result":"failed","steps":1}"#,
      finished(
        10, .error, #""passed":1,"flaky":0,"failed":0,"errors":1,"skipped":1,"notRun":1,"ignored":1"#, duration: 9.7,
        more: #","firstFailure":"s6","cleanup":"failed""#),
      end(10, .error, exit: 5),
    ])

  /// A condition fails inside a loop, inside a group; another is ignored there.
  static let nested = joined(
    scenario,
    [
      step(1, "s1", "repeat", "repeat 3 times", line: 3),
      step(1.1, "s1.1", "expect", "expect player", line: 4, more: #","parent":"s1","pass":1"#),
      #"1.2 expect.passed s1.1 {"want":{"player":"playing"},"got":{"player":"playing"},"mismatches":[],"#
        + #""estimated":false,"because":null}"#,
      #"1.3 step.finished s1.1 {"result":"passed","parent":"s1","pass":1,"attempts":1,"duration":0.2}"#,
      step(2, "s1.1", "expect", "expect player", line: 4, more: #","parent":"s1","pass":2"#),
      #"2.5 status {"source":"polled","scope":"media","session":1,"set":{"player":"paused","position":3},"unset":[]}"#,
      #"3 expect.failed s1.1 {"file":"qa/ads.yaml","line":4,"column":12,"endLine":4,"endColumn":16,"#
        + #""want":{"player":"playing"},"got":{"player":"paused"},"mismatches":["player"],"estimated":false,"#
        + #""polled":true,"remark":"it was paused for 0.5s","because":"films go on by themselves"}"#,
      #"3.1 step.finished s1.1 {"result":"failed","parent":"s1","pass":2,"attempts":1,"duration":1.1}"#,
      #"3.2 step.finished s1 {"result":"failed","reason":"s1.1 failed","attempts":1,"duration":2.2}"#,
      finished(
        3.5, .failed, #""passed":0,"flaky":0,"failed":1,"errors":0,"skipped":0,"notRun":0"#, duration: 3.2,
        more: #","firstFailure":"s1""#),
      end(4, .failed, exit: 1),
    ])

  /// One rule of `watch` is broken and ignored, another ends the step that runs.
  static let monitors = joined(
    scenario,
    [
      step(1, "s1", "wait", "wait 10s", line: 3),
      #"2 monitor.failed {"name":"quiet","want":{"never":{"volume":{"level":{"above":50}}}},"#
        + #""got":{"volume":{"level":60}},"since":1.5,"file":"qa/ads.yaml","line":10,"column":5,"endLine":10,"#
        + #""endColumn":10,"ignored":true}"#,
      #"3 monitor.failed {"name":"no pause","want":{"never":{"player":"paused"}},"got":{"player":"paused"},"#
        + #""since":2.5,"file":"qa/ads.yaml","line":11,"column":5,"endLine":11,"endColumn":11,"#
        + #""remark":"paused for 0.5s"}"#,
      #"3.1 step.finished s1 {"result":"failed","reason":"watch: no pause","attempts":1,"duration":2.1,"#
        + #""stoppedBy":"monitor"}"#,
      finished(
        3.5, .failed, #""passed":0,"flaky":0,"failed":0,"errors":0,"skipped":0,"notRun":0"#, duration: 3.2),
      end(4, .failed, exit: 1),
    ])

  /// Two rows of a matrix: one fails and passes when it is tried again, one has a step that passes at its second try.
  static let matrix = joined(
    [begin], device,
    [
      #"0.3 scenario.started {"row":{"lang":"no","speed":2},"attempt":1}"#,
      step(1, "s1", "load", "load film", line: 3),
      #"1.5 attempt.failed s1 {"attempt":1,"error":{"class":"load_failed","message":"LOAD_FAILED 104"}}"#,
      #"1.6 step.finished s1 {"result":"error","reason":"LOAD_FAILED 104","attempts":1,"duration":0.6}"#,
      finished(
        1.7, .error, #""passed":0,"flaky":0,"failed":0,"errors":1,"skipped":0,"notRun":0"#, duration: 1.4,
        more: #","firstFailure":"s1""#),
      #"2 scenario.started {"row":{"lang":"no","speed":2},"attempt":2}"#,
      step(2.1, "s1", "load", "load film", line: 3),
      #"2.5 step.finished s1 {"result":"passed","attempts":1,"duration":0.4}"#,
      finished(
        2.6, .flaky, #""passed":1,"flaky":0,"failed":0,"errors":0,"skipped":0,"notRun":0"#, duration: 0.6),
      #"3 scenario.started {"row":{"lang":"it's","speed":1.5},"attempt":1}"#,
      step(3.1, "s1", "load", "load film", line: 3),
      #"3.2 attempt.failed s1 {"attempt":1,"error":{"class":"timeout","message":"no answer"},"nextTryIn":1}"#,
      #"4.5 step.finished s1 {"result":"flaky","attempts":2,"duration":1.4}"#,
      finished(
        5, .flaky, #""passed":0,"flaky":1,"failed":0,"errors":0,"skipped":0,"notRun":0"#, duration: 2),
      end(5.5, .flaky, exit: 7, counts: #"{"passed":0,"flaky":2,"failed":0,"error":0,"skipped":0}"#),
    ])

  /// The document runs on two devices at once, as `--device` asked for.
  static let choices = joined(
    [
      begin.replacing(#""docs""#, with: #""rerun":["run","--virtual","--device","tv","--device","hub"],"docs""#)
    ], device,
    [
      #"0.2 device.found @hub {"name":"Kitchen Hub","ip":"192.0.2.15","port":8009,"via":"host"}"#,
      #"0.25 device.connected @hub {"latencyMs":1}"#,
      #"0.3 scenario.started {"row":{},"attempt":1,"choice":"tv"}"#,
      #"0.3 scenario.started @hub {"row":{},"attempt":1,"choice":"Kitchen Hub"}"#,
      step(1, "s1", "load", "load film", line: 3),
      step(1, "s1", "load", "load film", line: 3).replacing("s1 ", with: "s1 @hub "),
      #"2 step.finished s1 {"result":"passed","attempts":1,"duration":1}"#,
      #"2.5 attempt.failed s1 @hub {"attempt":1,"error":{"class":"app_gone","message":"the app ended"}}"#,
      #"2.5 step.finished s1 @hub {"result":"error","reason":"the app ended","attempts":1,"duration":1.5}"#,
      finished(
        3, .passed, #""passed":1,"flaky":0,"failed":0,"errors":0,"skipped":0,"notRun":0"#, duration: 2.7),
      finished(
        3, .error, #""passed":0,"flaky":0,"failed":0,"errors":1,"skipped":0,"notRun":0"#, duration: 2.7,
        more: #","firstFailure":"s1""#
      ).replacing("scenario.finished", with: "scenario.finished @hub"),
      end(3.5, .error, exit: 5, counts: #"{"passed":1,"flaky":0,"failed":0,"error":1,"skipped":0}"#),
    ])

  /// All of them, by name.
  static let all: [(name: String, lines: [String])] = [
    ("empty", empty), ("noDevice", noDevice), ("flow", flow), ("nested", nested), ("monitors", monitors),
    ("matrix", matrix), ("choices", choices),
  ]
}
