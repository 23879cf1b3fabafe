import TestSupport
import Testing

@testable import RunReporting

/// What a log holds of whole runs, from their events alone (docs/runs.md "The console").
@Suite struct ConsoleScenesTests {
  private static func text(_ lines: [String], _ level: ConsoleReport.Level = .normal) throws -> String {
    try ReportText.console(RunScene.events(lines)) {
      ($0.level, $0.sources) = (level, ["qa/ads.yaml": RunScene.source])
    }
  }

  private static let connected = "09:00:00.200 tv    connected 192.0.2.14 Chromecast fw 1.68 auth verified\n"

  static let normal: [(lines: [String], text: String)] = [
    (RunScene.empty, ""),
    (
      RunScene.noDevice,
      """
      error[R701]: no device called `TV`
         --> qa/ads.yaml:2:5
           |
         2 |   - line2: with some words in it
           |     ^^^^^ asked for here
           |
           = note: 2 others are there
           = help: look with `showcaller discover`
      09:00:00.300 - s1 not run
      ERROR ads [no device] 1 not run (no device called `TV`) in 0.1s · exit 4

      """
    ),
    (
      RunScene.flow,
      connected + """
        09:00:01.500 tv    LOST   the connection broke
        09:00:03.000 tv    back   after 1.5s
        09:00:04.000 tv s1 passed load film (3.0s)
        09:00:04.100 tv s2 mark   half time
        09:00:04.200 tv s3 log    a <b> & "c"
        09:00:04.300 tv s4 skipped pause (0.0s): if: lang is `en`
        09:00:06.100 tv s5 ERROR  seek to 1m (1.1s): nothing plays, ignored
           --> qa/ads.yaml:6:5
             |
           6 |   - line6: with some words in it
             |     ^
        09:00:08.000 tv s6 retry  rate 2: timeout, try 2 in 0.5s
        09:00:09.100 tv s6 ERROR  rate 2 (2.1s, 2 tries): INVALID_PARAMS
           --> qa/ads.yaml:7:5
             |
           7 |   - line7: with some words in it
             |     ^
           rerun     showcaller run qa/ads.yaml --seed 7
        09:00:09.200 tv s7 not run
        09:00:09.800 tv    finally FAILED (1 step)
        ERROR ads [Living Room TV] 1 passed, 1 in error, 1 skipped, 1 not run, 1 ignored, cleanup failed in 9.7s · exit 5

        """
    ),
    (
      RunScene.nested,
      connected + """
        09:00:01.300 tv s1.1 passed expect player (0.2s, pass 1)
        09:00:03.100 tv s1.1 FAILED expect player (1.1s, pass 2)
           --> qa/ads.yaml:4:12
             |
           4 |   - line4: with some words in it
             |            ^^^^
           expected  player playing
           observed  player paused (polled)
           statuses  +2.5 paused 3.0 no break   (1 in window, 1 polled)
           remark    it was paused for 0.5s
           because   films go on by themselves
           rerun     showcaller run qa/ads.yaml --seed 7
        09:00:03.200 tv s1 FAILED repeat 3 times (2.2s)
        FAILED ads [Living Room TV] 1 failed in 3.2s · exit 1

        """
    ),
    (
      RunScene.monitors,
      connected + """
        09:00:02.000 tv    FAILED watch: quiet, ignored
           --> qa/ads.yaml:10:5
              |
           10 |   - line10: with some words in it
              |     ^^^^^
           expected  never (volume.level above 50%)
           observed  volume.level 60%
        09:00:03.000 tv    FAILED watch: no pause
           --> qa/ads.yaml:11:5
              |
           11 |   - line11: with some words in it
              |     ^^^^^^
           expected  never (player paused)
           observed  player paused
           remark    paused for 0.5s
           rerun     showcaller run qa/ads.yaml --seed 7
        09:00:03.100 tv s1 stopped wait 10s (2.1s): watch: no pause
        FAILED ads [Living Room TV] no steps in 3.2s · exit 1

        """
    ),
    (
      RunScene.matrix,
      connected + """
        09:00:00.300 tv    row    lang=no speed=2
        09:00:01.600 tv s1 ERROR  load film [lang=no speed=2] (0.6s): LOAD_FAILED 104
           --> qa/ads.yaml:3:5
             |
           3 |   - line3: with some words in it
             |     ^
           rerun     showcaller run qa/ads.yaml --row lang=no --row speed=2 --seed 7
        09:00:02.000 tv    row    lang=no speed=2
        09:00:02.000 tv    again  ads: try 2
        09:00:02.500 tv s1 passed load film [lang=no speed=2] (0.4s)
        09:00:03.000 tv    row    lang=it's speed=1.5
        09:00:03.200 tv s1 retry  load film [lang=it's speed=1.5]: timeout, try 2 in 1.0s
        09:00:04.500 tv s1 flaky  load film [lang=it's speed=1.5] (1.4s, 2 tries)
        FLAKY ads [Living Room TV] lang=no speed=2 1 passed, try 2 in 0.6s
        FLAKY ads [Living Room TV] lang=it's speed=1.5 1 flaky in 2.0s
        FLAKY all 2: 2 flaky in 5.5s · exit 7

        """
    ),
    (
      RunScene.choices,
      connected + """
        09:00:00.250 hub    connected 192.0.2.15
        09:00:02.000 tv s1 passed load film (1.0s)
        09:00:02.500 hub s1 ERROR  load film (1.5s): the app ended
           --> qa/ads.yaml:3:5
             |
           3 |   - line3: with some words in it
             |     ^
           rerun     showcaller run qa/ads.yaml --virtual --device 'Kitchen Hub' --seed 7
        PASSED ads [Living Room TV] 1 passed in 2.7s
        ERROR ads [Kitchen Hub] 1 in error in 2.7s
        ERROR all 2: 1 passed, 1 in error in 3.5s · exit 5

        """
    ),
  ]

  @Test("A log of a run has each line that matters, and no other", arguments: normal)
  func log(lines: [String], text: String) throws { #expect(try Self.text(lines) == text) }

  static let failures: [(lines: [String], text: String)] = [
    (RunScene.empty, ""),
    (RunScene.noDevice, "ERROR ads [no device] 1 not run (no device called `TV`) in 0.1s · exit 4\n"),
    (
      RunScene.noDevice.map { $0.replacing("`TV`\"}", with: "`TV`\",\"help\":\"look there\"}") },
      "ERROR ads [no device] 1 not run (no device called `TV`) in 0.1s · exit 4\nhelp: look there\n"
    ),
    (
      RunScene.flow,
      """
      ERROR s6 rate 2: INVALID_PARAMS (qa/ads.yaml:7)
      ERROR ads [Living Room TV] 1 passed, 1 in error, 1 skipped, 1 not run, 1 ignored, cleanup failed in 9.7s · exit 5

      """
    ),
    (
      RunScene.nested,
      """
      FAILED s1.1 expect player: player: expected playing, observed paused (qa/ads.yaml:4)
      FAILED ads [Living Room TV] 1 failed in 3.2s · exit 1

      """
    ),
    (
      RunScene.monitors,
      """
      FAILED watch: no pause: observed player paused (qa/ads.yaml:11)
      FAILED ads [Living Room TV] no steps in 3.2s · exit 1

      """
    ),
    (
      RunScene.matrix,
      """
      ERROR lang=no speed=2 s1 load film: LOAD_FAILED 104 (qa/ads.yaml:3)
      FLAKY ads [Living Room TV] lang=no speed=2 1 passed, try 2 in 0.6s
      FLAKY ads [Living Room TV] lang=it's speed=1.5 1 flaky in 2.0s
      FLAKY all 2: 2 flaky in 5.5s · exit 7

      """
    ),
    (
      RunScene.choices,
      """
      ERROR hub s1 load film: the app ended (qa/ads.yaml:3)
      ERROR ads [Kitchen Hub] 1 in error in 2.7s
      ERROR all 2: 1 passed, 1 in error in 3.5s · exit 5

      """
    ),
  ]

  @Test("Quiet leaves the failures that count, each on a line, and the verdict", arguments: failures)
  func quiet(lines: [String], text: String) throws { #expect(try Self.text(lines, .quiet) == text) }

  @Test("More is told at each level: no line of a lower one is missing in the next", arguments: RunScene.all)
  func levels(name: String, lines: [String]) throws {
    let texts = try [ConsoleReport.Level.normal, .verbose, .wire].map {
      try Self.text(lines, $0).split(separator: "\n")
    }
    for (less, more) in zip(texts, texts.dropFirst()) {
      var rest = more[...]
      for line in less {
        guard let place = rest.firstIndex(of: line) else { return #expect(Bool(false), "\(line) is missing") }
        rest = rest[(place + 1)...]
      }
    }
  }
}
