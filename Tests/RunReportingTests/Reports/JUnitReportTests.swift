import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

@Suite struct JUnitReportTests {
  @Test("A run becomes Surefire's elements, attributes and order") func document() {
    #expect(
      ReportText.junit(SampleRun.events) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="showcaller" tests="4" failures="1" errors="0" skipped="2" time="38.000">
          <testsuite name="ads [QA Chromecast]" id="ads@qa-chromecast" hostname="ci-12" \
        timestamp="2026-11-21T09:00:00.500Z" file="qa/ads.yaml" tests="4" failures="1" errors="0" skipped="2" \
        time="37.450">
            <properties>
              <property name="run" value="01JD6Y3ZT8Q4W9N2K5R7M1XGBC"/>
              <property name="device.id" value="8e2d1c0a"/>
              <property name="device.model" value="Chromecast"/>
              <property name="device.firmware" value="1.68.412"/>
              <property name="seed" value="7"/>
              <property name="language" value="1"/>
              <property name="document.sha256" value="9f2c41"/>
            </properties>
            <testcase classname="ads.steps" name="s1 launch A1B2C3D4" file="qa/ads.yaml" line="40" time="1.899">
              <flakyError message="LAUNCH_ERROR CANCELLED" type="launch_cancelled">
                <stackTrace>qa/ads.yaml:40:5 attempt 1 of 2</stackTrace>
              </flakyError>
            </testcase>
            <testcase classname="ads.steps" name="s9 expect break, position" file="qa/ads.yaml" line="65" time="12.000">
              <failure message="position: expected 10.0s ± 1s, observed 18.0s, nearest 12.1s" \
        type="expect.position">qa/ads.yaml:65:28
        expected  position 10.0s ± 1s, break none
        observed  position 18.0s, break none, nearest position 12.1s at +31.3s
        statuses  +31.3 playing 12.1 no break · +36.1 playing 16.9 no break   (9 in window, none polled)
        rerun     showcaller run qa/ads.yaml --seed 7</failure>
            </testcase>
            <testcase classname="ads.steps" name="s10 Change language" file="qa/ads.yaml" line="68" time="0.000">
              <skipped message="not run: s9 failed"/>
            </testcase>
            <testcase classname="ads.steps" name="s11 rate 1.5" file="qa/ads.yaml" line="71" time="0.000">
              <skipped message="not run: s9 failed"/>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test("A document made from the stored stream equals the one made live") func fromEvents() throws {
    #expect(try ReportText.junit(SampleRun.stored()) == ReportText.junit(SampleRun.events))
  }

  @Test("A step that failed all its tries is an error, then reruns") func rerun() throws {
    var events = SampleRun.events.filter { $0.step != "s9" }
    let index = try #require(events.firstIndex { $0.type == .stepFinished && $0.step == "s1" })
    events[index].fields["result"] = "error"
    var second = events[index - 1]
    second.fields["attempt"] = 2
    second.fields["nextTryIn"] = nil
    events.insert(second, at: index)
    let text = ReportText.junit(events)
    #expect(text.contains(#"<error message="LAUNCH_ERROR CANCELLED" type="launch_cancelled">"#))
    #expect(text.contains("<stackTrace>qa/ads.yaml:40:5 attempt 2 of 2</stackTrace>"))
    try SurefireRules.check(text)
  }

  @Test("A run that never reached its device has one error and its steps skipped") func noDevice() throws {
    var events = SampleRun.events.filter { $0.step == nil && $0.type != .status && $0.type != .deviceConnected }
    let index = try #require(events.firstIndex { $0.type == .scenarioFinished })
    events[index].fields["error"] = ["class": "not_found", "message": "no device called `TV`"]
    let text = ReportText.junit(events)
    #expect(text.contains(#"<error message="no device called `TV`" type="not_found">"#))
    try SurefireRules.check(text)
  }

  @Test(
    "Any text is safe in XML", arguments: ["<&>\"'", "a\u{1B}[31mb", "\u{0}", "\u{FFFE}", "]]>", "\u{202E}x", "\r\n\t"])
  func hostile(text: String) throws {
    let events = SampleRun.events.map { event in
      var event = event
      if event.type == .stepStarted { event.fields["name"] = .string(text) }
      if event.type == .deviceFound { event.fields["name"] = .string(text) }
      if event.type == .attemptFailed { event.fields["error"] = ["class": .string(text), "message": .string(text)] }
      return event
    }
    try SurefireRules.check(ReportText.junit(events))
  }

  @Test("The sample obeys Surefire's schema") func rules() throws {
    try SurefireRules.check(ReportText.junit(SampleRun.events))
  }
}
