import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

/// What a JUnit document holds of whole runs, from their events alone (docs/runs.md "JUnit").
@Suite struct JUnitScenesTests {
  /// The document without its prolog, properties and times of day, which other tests have.
  private static func text(_ lines: [String]) throws -> String {
    let text = ReportText.junit(try RunScene.events(lines))
    try SurefireRules.check(text)
    return text.replacing("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", with: "")
      .replacing(#/ *<properties>(?:.|\n)*?</properties>\n/#, with: "")
      .replacing(#/ hostname="ci-12" timestamp="[^"]*" file="qa/ads.yaml"/#, with: "")
      .replacing(" file=\"qa/ads.yaml\"", with: "")
  }

  static let documents: [(lines: [String], text: String)] = [
    (
      RunScene.empty,
      """
      <testsuites name="showcaller" tests="0" failures="0" errors="0" skipped="0" time="0.100"/>

      """
    ),
    (
      RunScene.noDevice,
      """
      <testsuites name="showcaller" tests="2" failures="0" errors="1" skipped="1" time="0.500">
        <testsuite name="ads [no device]" id="ads" tests="2" failures="0" errors="1" skipped="1" time="0.100">
          <testcase classname="ads.scenario" name="ads" line="1" time="0.000">
            <error message="no device called `TV`" type="not_found">no device called `TV`
      rerun     showcaller run qa/ads.yaml --seed 7</error>
          </testcase>
          <testcase classname="ads.steps" name="s1 load film" line="3" time="0.000">
            <skipped message="not run: there is no device"/>
          </testcase>
        </testsuite>
      </testsuites>

      """
    ),
    (
      RunScene.flow,
      """
      <testsuites name="showcaller" tests="5" failures="0" errors="1" skipped="3" time="10.000">
        <testsuite name="ads [Living Room TV]" id="ads@tv" tests="5" failures="0" errors="1" skipped="3" time="9.700">
          <testcase classname="ads.steps" name="s1 load film" line="3" time="3.000"/>
          <testcase classname="ads.steps" name="s4 pause" line="5" time="0.000">
            <skipped message="if: lang is `en`"/>
          </testcase>
          <testcase classname="ads.steps" name="s5 seek to 1m" line="6" time="1.100">
            <skipped message="failed, ignored: nothing plays"/>
          </testcase>
          <testcase classname="ads.steps" name="s6 rate 2" line="7" time="2.100">
            <error message="no answer" type="timeout">qa/ads.yaml:7:5
      no answer
      rerun     showcaller run qa/ads.yaml --seed 7</error>
            <rerunError message="INVALID_PARAMS" type="invalid_request">
              <stackTrace>qa/ads.yaml:7:5 attempt 2 of 2</stackTrace>
            </rerunError>
          </testcase>
          <testcase classname="ads.steps" name="s7 stop" line="8" time="0.000">
            <skipped message="not run: s6 failed"/>
          </testcase>
        </testsuite>
      </testsuites>

      """
    ),
    (
      RunScene.nested,
      """
      <testsuites name="showcaller" tests="1" failures="1" errors="0" skipped="0" time="4.000">
        <testsuite name="ads [Living Room TV]" id="ads@tv" tests="1" failures="1" errors="0" skipped="0" time="3.200">
          <testcase classname="ads.steps" name="s1 repeat 3 times" line="3" time="2.200">
            <failure message="s1.1: player: expected playing, observed paused" type="expect.player">qa/ads.yaml:4:12
      expected  player playing
      observed  player paused (polled)
      statuses  +2.5 paused 3.0 no break   (1 in window, 1 polled)
      remark    it was paused for 0.5s
      because   films go on by themselves
      rerun     showcaller run qa/ads.yaml --seed 7</failure>
          </testcase>
        </testsuite>
      </testsuites>

      """
    ),
    (
      RunScene.monitors,
      """
      <testsuites name="showcaller" tests="3" failures="1" errors="0" skipped="2" time="4.000">
        <testsuite name="ads [Living Room TV]" id="ads@tv" tests="3" failures="1" errors="0" skipped="2" time="3.200">
          <testcase classname="ads.steps" name="s1 wait 10s" line="3" time="2.100">
            <skipped message="stopped: watch: no pause"/>
          </testcase>
          <testcase classname="ads.watch" name="quiet" line="10" time="0.000">
            <skipped message="failed, ignored: observed volume.level 60%"/>
          </testcase>
          <testcase classname="ads.watch" name="no pause" line="11" time="0.000">
            <failure message="observed player paused" type="monitor">qa/ads.yaml:11:5
      expected  never (player paused)
      observed  player paused
      rerun     showcaller run qa/ads.yaml --seed 7</failure>
          </testcase>
        </testsuite>
      </testsuites>

      """
    ),
    (
      RunScene.matrix,
      """
      <testsuites name="showcaller" tests="2" failures="0" errors="0" skipped="0" time="5.500">
        <testsuite name="ads [Living Room TV] lang=no speed=2" id="ads@tv lang=no speed=2" tests="1" failures="0" \
      errors="0" skipped="0" time="0.600">
          <testcase classname="ads.steps" name="s1 load film [lang=no speed=2]" line="3" time="0.400"/>
        </testsuite>
        <testsuite name="ads [Living Room TV] lang=it's speed=1.5" id="ads@tv lang=it's speed=1.5" tests="1" \
      failures="0" errors="0" skipped="0" time="2.000">
          <testcase classname="ads.steps" name="s1 load film [lang=it's speed=1.5]" line="3" time="1.400">
            <flakyError message="no answer" type="timeout">
              <stackTrace>qa/ads.yaml:3:5 attempt 1 of 2</stackTrace>
            </flakyError>
          </testcase>
        </testsuite>
      </testsuites>

      """
    ),
    (
      RunScene.choices,
      """
      <testsuites name="showcaller" tests="2" failures="0" errors="1" skipped="0" time="3.500">
        <testsuite name="ads [Living Room TV]" id="ads@tv" tests="1" failures="0" errors="0" skipped="0" time="2.700">
          <testcase classname="ads.steps" name="s1 load film [tv]" line="3" time="1.000"/>
        </testsuite>
        <testsuite name="ads [Kitchen Hub]" id="ads@hub" tests="1" failures="0" errors="1" skipped="0" time="2.700">
          <testcase classname="ads.steps" name="s1 load film [hub]" line="3" time="1.500">
            <error message="the app ended" type="app_gone">qa/ads.yaml:3:5
      the app ended
      rerun     showcaller run qa/ads.yaml --virtual --device 'Kitchen Hub' --seed 7</error>
          </testcase>
        </testsuite>
      </testsuites>

      """
    ),
  ]

  @Test(
    "Each of the document's own steps is a test case, and what it came to is told by Surefire's elements",
    arguments: documents)
  func document(lines: [String], text: String) throws { #expect(try Self.text(lines) == text) }

  @Test("A rule of `watch` that is broken again and again is one test case", arguments: [1, 2, 40])
  func monitors(times: Int) throws {
    let broken = try #require(RunScene.monitors.first { $0.contains("no pause") })
    var lines = RunScene.monitors
    lines.insert(contentsOf: Array(repeating: broken, count: times - 1), at: 6)
    #expect(try Self.text(lines).ranges(of: #"name="no pause""#).count == 1)
  }

  static let failures: [(reason: String?, name: String, message: String)] = [
    ("the price is wrong", "fail", "the price is wrong"), (nil, "the name says it", "the name says it"),
  ]

  @Test("A step that fails without a condition says why by its reason, else by its name", arguments: failures)
  func fail(reason: String?, name: String, message: String) throws {
    let told = reason.map { #","reason":"\#($0)""# } ?? ""
    let text = try Self.text(
      [RunScene.begin] + RunScene.device + [
        #"0.3 scenario.started {"row":{}}"#, RunScene.step(1, "s1", "fail", name, line: 3),
        #"2 step.finished s1 {"result":"failed"\#(told),"attempts":1,"duration":1}"#, RunScene.end(3, .failed, exit: 1),
      ])
    #expect(
      text.contains(#"<failure message="\#(message)" type="expectation">qa/ads.yaml:3:5"# + "\n\(message)\nrerun"))
  }

  static let sections: [(section: String, classname: String)] = [
    (#","section":"setup""#, "ads.setup"), ("", "ads.steps"), (#","section":"on_failure""#, "ads.on_failure"),
    (#","section":"finally""#, "ads.finally"), (#","section":"epilogue""#, "ads.steps"),
  ]

  @Test("The class of a test case says where its step stands", arguments: sections)
  func section(section: String, classname: String) throws {
    let text = try Self.text([
      RunScene.begin, #"0.3 scenario.started {"row":{}}"#, RunScene.step(1, "s1", "log", "say", line: 3, more: section),
      RunScene.end(3, .passed, exit: 0),
    ])
    #expect(text.contains(#"<testcase classname="\#(classname)" name="s1 say" line="3" time="0.000">"#))
    // It never ended.
    #expect(text.contains(#"<error message="the run ended while it ran" type="not_finished">"#))
  }
}
