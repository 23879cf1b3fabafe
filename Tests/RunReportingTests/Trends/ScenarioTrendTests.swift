import CastProtocol
import ScenarioLanguage
import Testing

@testable import RunReporting

/// Scenarios over their runs, and how they are told.
@Suite struct ScenarioTrendTests {
  private static let key = RunSummary.Key(document: "ads", device: "TV")

  /// A run with one scenario of two steps, the second of which has 10 s.
  private static func run(
    _ number: Int, _ result: RunVerdict = .passed, seconds: Double = 4, step: ReportCase.Outcome.Word = .passed,
    key: RunSummary.Key = key
  ) -> RunSummary {
    let time = 1_795_251_600 + Double(number) * 3600
    let steps = [
      RunSummary.Step(name: "s1 load film", result: .passed, duration: 1),
      RunSummary.Step(
        name: "s2 expect position", result: step, duration: seconds, limit: 10, attempts: step == .flaky ? 2 : 1),
    ]
    return RunSummary(
      run: "r\(number)", startedAt: time, exitCode: result == .passed ? 0 : 1,
      scenarios: [
        RunSummary.Scenario(
          key: key, file: "qa/ads.yaml", result: result, startedAt: time, duration: seconds + 1,
          steps: steps)
      ])
  }

  @Test("A limit that comes closer from run to run is told, and in how many runs it is reached")
  func drift() throws {
    let trend = try #require(ScenarioTrend.all(of: (0..<20).map { Self.run($0, seconds: 5 + Double($0) * 0.2) }).first)
    #expect(trend.warnings.map(\.text) == ["takes longer each time: at its limit in about 6 runs"])
    let step = try #require(trend.steps.last)
    #expect(abs(try #require(step.margin) - 0.12) < 1e-9)
    #expect(step.slowDuration.map { $0 > 8.5 && $0 < 8.8 } == true)
  }

  @Test("A step that does not pass at once, or not always, is flaky; one that never passes is not")
  func flaky() throws {
    var runs = (0..<10).map { Self.run($0) }
    runs[3] = Self.run(3, .flaky, step: .flaky)
    runs[7] = Self.run(7, .failed, step: .failed)
    let trend = try #require(ScenarioTrend.all(of: runs).first)
    #expect(trend.warnings.map(\.text) == ["did not pass at once in 2 of 10 runs"])
    let never = try #require(ScenarioTrend.all(of: (0..<10).map { Self.run($0, .failed, step: .failed) }).first)
    #expect(never.warnings.isEmpty && never.usualDuration == nil)
    // What was skipped or not run is no try.
    runs[7] = Self.run(7, step: .skipped)
    #expect(ScenarioTrend.all(of: runs).first?.warnings.map(\.text) == ["did not pass at once in 1 of 9 runs"])
  }

  /// Twenty runs, one after the other, each with what `edit` makes of its second step.
  private static func trend(_ edit: (Int, inout RunSummary.Scenario) -> Void) throws -> ScenarioTrend {
    let runs = (0..<20).map { number in
      var summary = run(number)
      edit(number, &summary.scenarios[0])
      return summary
    }
    return try #require(ScenarioTrend.all(of: runs).first)
  }

  @Test("A limit that comes closer is told with the field that is at it, or that is waited for")
  func matchers() throws {
    let closer = try Self.trend { number, scenario in
      scenario.steps[1].margins = [
        .init(.init("volume.level"), left: 0.51 - Double(number) * 0.02, of: 0.6), .init(.init("position"), left: 3),
      ]
    }
    #expect(closer.warnings.map(\.text) == ["has less left of `volume.level` each time: at its limit in about 7 runs"])
    #expect(closer.warnings.first?.step.title == "s2 expect position")
    let waits = try Self.trend { number, scenario in
      (scenario.steps[1].duration, scenario.steps[1].waitedFor) = (5 + Double(number) * 0.2, ["player"])
    }
    #expect(
      waits.warnings.map(\.text) == ["takes longer each time (it waits for `player`): at its limit in about 6 runs"])
    let rule = try Self.trend { number, scenario in
      scenario.steps[1] = RunSummary.Step(
        section: "watch", name: "no stall", result: .passed, duration: 1.95 + Double(number) * 0.1, limit: 5)
    }
    #expect(rule.warnings.map(\.text) == ["is broken longer each time: at its limit in about 12 runs"])
    let steady = try Self.trend { number, scenario in
      scenario.steps[1].margins = [.init(.init("position"), left: number.isMultiple(of: 2) ? 3 : 2.5)]
    }
    #expect(steady.warnings.isEmpty)
    // Runs that failed say nothing of it.
    let failed = try Self.trend { number, scenario in
      scenario.steps[1].margins = [.init(.init("position"), left: 3)]
      if number == 19 { (scenario.steps[1].result, scenario.steps[1].margins) = (.failed, []) }
    }
    #expect(failed.steps[1].matchers.map { $0.margins.count { $0 != nil } } == [19])
  }

  @Test("Runs with another limit, tolerance or time are not compared: an edited document is no drift")
  func editedLimits() throws {
    func warnings(_ edit: (Bool, inout RunSummary.Step) -> Void) throws -> [String] {
      try Self.trend { edit($0 >= 10, &$1.steps[1]) }.warnings.map(\.text)
    }
    #expect(try warnings { $1.margins = [.init(.init("volume.level"), left: $0 ? 10 : 30, limit: $0 ? 30 : 10)] } == [])
    #expect(try warnings { $1.margins = [.init(.init("volume.level"), left: $0 ? 2 : 5, of: $0 ? 2 : 5)] } == [])
    #expect(try warnings { $1.limit = $0 ? 8 : 16 } == [])
    // What is closer each time since then is told.
    let since = try Self.trend { number, scenario in
      let isNew = number >= 10
      scenario.steps[1].margins = [
        .init(.init("volume.level"), left: isNew ? 40 - 2 * Double(number) : 90, limit: isNew ? 30 : 10)
      ]
    }
    #expect(since.warnings.map(\.text) == ["has less left of `volume.level` each time: at its limit in about 1 run"])
    #expect(since.json["steps"]?.array?.last?["margins"]?.array?.first?["limit"] == 30)
  }

  @Test("Runs of before an edit neither lengthen what is told ahead, nor count again when the edit is taken back")
  func editedTwice() throws {
    // Ten runs since the edit say nothing of the eleventh from now.
    let short = try Self.trend { number, scenario in
      let isNew = number >= 10
      scenario.steps[1].margins = [
        .init(.init("volume.level"), left: isNew ? 60 - 2 * Double(number) : 90, limit: isNew ? 30 : 10)
      ]
    }
    #expect(short.warnings.map(\.text) == [])
    // It took longer each time until the first edit, and has taken as long each time since the second.
    let back = try Self.trend { number, scenario in
      scenario.steps[1].duration = min(Double(number) + 1, 9)
      scenario.steps[1].limit = (8..<12).contains(number) ? 20 : 10
    }
    #expect(back.warnings.map(\.text) == [])
  }

  @Test(
    "A newest run that is not good takes no rules out of the history, nor the limit of a step that it did not reach")
  func newestIsBad() throws {
    let trend = try Self.trend { number, scenario in
      guard number < 19 else {
        scenario.result = .failed
        scenario.steps[1] = RunSummary.Step(name: "s2 expect position", result: .notRun, duration: 0)
        scenario.steps.append(RunSummary.Step(section: "watch", name: "loud", result: .failed, duration: 0))
        return
      }
      scenario.steps += ["loud", "stays"].map { name in
        RunSummary.Step(
          section: "watch", name: name, result: .passed, duration: 0,
          margins: [.init(.init("volume.level"), left: 40 - 2 * Double(number), limit: 10)])
      }
    }
    #expect(trend.steps.map(\.title) == ["s1 load film", "s2 expect position", "loud", "stays"])
    #expect(trend.steps[1].limit == 10)
    #expect(
      trend.warnings.map { "\($0.step.title) \($0.text)" } == [
        "loud has less left of `volume.level` each time: at its limit in about 2 runs",
        "stays has less left of `volume.level` each time: at its limit in about 2 runs",
        "loud was broken in 1 of 20 runs",
      ])
    // A rule that the newest good run does not have was taken out of the document.
    let removed = try Self.trend { number, scenario in
      if number < 5 {
        scenario.steps.append(RunSummary.Step(section: "watch", name: "old", result: .passed, duration: 0))
      }
      if number == 19 { scenario.result = .failed }
    }
    #expect(!removed.steps.contains { $0.title == "old" })
  }

  @Test("A rule without `for` has no chart of durations")
  func ruleWithoutDurations() throws {
    let trend = try Self.trend { _, scenario in
      scenario.steps.append(RunSummary.Step(section: "watch", name: "no error", result: .passed, duration: 0))
    }
    let page = TrendMarkup([trend]).html.text
    let row = try #require(page.split(separator: "<tr>").last { $0.contains("no error") })
    #expect(!row.contains("<svg"), "\(row)")
  }

  @Test("One flaky run, which tells no margins, hides neither those of the others nor what is waited for")
  func flakyNewest() throws {
    let trend = try Self.trend { number, scenario in
      scenario.steps[1].margins = [.init(.init("volume.level"), left: 0.51 - Double(number) * 0.02, of: 0.6)]
      scenario.steps[1].waitedFor = ["player"]
      scenario.steps[1].duration = 5 + Double(number) * 0.2
      if number == 19 {
        (scenario.steps[1].result, scenario.steps[1].margins, scenario.steps[1].waitedFor) = (.flaky, [], [])
      }
    }
    let warnings = trend.warnings.map(\.text)
    #expect(warnings.contains { $0.hasPrefix("has less left of `volume.level` each time") }, "\(warnings)")
    #expect(warnings.contains { $0.hasPrefix("takes longer each time (it waits for `player`)") }, "\(warnings)")
    #expect(trend.json["steps"]?.array?.last?["waitedFor"] == ["player"])
  }

  @Test("Runs that tell no margin, or one of one side, are no failures: blank in text, without a bar on a page")
  func untold() throws {
    let trend = try Self.trend { number, scenario in
      switch number {
      case 0..<10: break
      case 10: scenario.steps[1].result = .failed
      case 11: scenario.steps[1].margins = [.init(.init("position"), left: 3)]
      default: scenario.steps[1].margins = [.init(.init("position"), left: 5, of: 10)]
      }
    }
    let line = TrendText(width: 80, tellsAllSteps: true).lines([trend]).last ?? ""
    #expect(line.contains("           × ▄▄▄▄▄▄▄▄     "), "\(line)")
    let page = TrendMarkup([trend]).html.text
    let row = try #require(page.split(separator: "<tr>").last { $0.hasPrefix("<td>position</td>") })
    #expect(row.ranges(of: "<rect").count == 8 && !row.contains("m-bad"), "\(row)")
  }

  @Test("A rule without a limit has no durations; where it was broken it is marked")
  func unlimitedRule() throws {
    let trend = try Self.trend { number, scenario in
      scenario.steps[1] = RunSummary.Step(
        section: "watch", name: "no idle", result: number == 3 ? .failed : .passed, duration: 0)
    }
    let line = TrendText(width: 80, tellsAllSteps: true).lines([trend]).last ?? ""
    #expect(line.split(separator: " ") == ["no", "idle", "×", "-"], "\(line)")
    #expect(trend.warnings.map(\.text) == ["was broken in 1 of 20 runs"])
    #expect(TrendMarkup([trend]).html.text.contains("<tr><th>no idle</th>"))
    #expect(trend.json["steps"]?.array?.last?["usual"] == nil)
  }

  @Test("A limit without room divides by nothing")
  func roomless() throws {
    let trend = try Self.trend { $1.steps[1].margins = [.init(.init("position"), left: 0, of: 0)] }
    let page = TrendMarkup([trend]).html.text
    #expect(page.contains("<td>position</td>") && !page.contains("nan"))
  }

  @Test("Fields stand below their step, in text, on a page and in JSON")
  func matcherText() throws {
    let trend = try Self.trend { number, scenario in
      scenario.steps[1].margins = [.init(.init("volume.level"), left: 25, of: 50), .init(.init("position"), left: 3)]
    }
    let lines = TrendText(width: 80, tellsAllSteps: true).lines([trend])
    #expect(
      lines.suffix(2).map { $0.split(separator: " ").joined(separator: " ") } == [
        "volume.level ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄ 25% left of 50%", "position 3.0s left",
      ])
    #expect(lines.allSatisfy { ConsoleText.cells($0) <= 80 })
    let html = TrendMarkup([trend]).html.text
    #expect(
      html.contains("<tr><td>volume.level</td>") && html.contains("<td>50 %</td>") && html.contains("<td>3.0s</td>"))
    let margins = trend.json["steps"]?.array?.last?["margins"]?.array
    #expect(
      margins?.first?["field"] == "volume.level" && margins?.first?["left"] == 25 && margins?.first?["of"] == 50)
    #expect(margins?.first?["runs"]?.array?.count == 20)
  }

  @Test("A change of the firmware is marked where it was seen first; runs that do not tell it are no change")
  func firmware() throws {
    let trend = try Self.trend { number, scenario in
      scenario.firmware = ScenarioFirmware(number == 7 ? [:] : ["": number < 5 ? "1.56" : "1.68"])
    }
    #expect(trend.firmwareChanges.map(\.run) == ["r5"])
    let text = "firmware 1.68 since 2026-11-21 14:00 UTC, run r5; 1.56 before"
    #expect(TrendText(width: 80, tellsAllSteps: false).lines([trend]).contains("  " + text))
    #expect(TrendMarkup([trend]).html.text.contains("<li>\(text)</li>"))
    #expect(trend.json["firmware"]?.array == [["run": "r5", "from": "1.56", "to": "1.68"]])
    #expect(try Self.trend { $1.firmware = ScenarioFirmware(["": "1.56"]) }.firmwareChanges.isEmpty)
  }

  @Test("Of several devices each is compared with itself; one that did not answer in time is no change")
  func firmwareOfRoles() throws {
    let trend = try Self.trend { number, scenario in
      scenario.firmware = ScenarioFirmware(
        number.isMultiple(of: 2) ? ["left": "1.56"] : ["left": "1.56", "right": number < 9 ? "1.60" : "1.68"])
    }
    #expect(trend.firmwareChanges.map(\.run) == ["r9"])
    #expect(trend.firmwareChanges.first?.text == "right 1.68 since 2026-11-21 18:00 UTC, run r9; 1.60 before")
    #expect(trend.json["firmware"]?.array == [["run": "r9", "role": "right", "from": "1.60", "to": "1.68"]])
  }

  @Test("Other documents, devices and rows are other scenarios; those that ran last come first")
  func keys() {
    let others = [
      RunSummary.Key(document: "ads", device: "Hub"), RunSummary.Key(document: "ads", device: "TV", row: "lang=no"),
      RunSummary.Key(document: "film", device: "TV"),
    ]
    let trends = ScenarioTrend.all(of: others.enumerated().map { Self.run($0.offset, key: $0.element) } + [Self.run(9)])
    #expect(trends.map(\.key) == [Self.key, others[2], others[1], others[0]])
  }

  @Test("Of many runs the newest count; steps that the newest run does not have are left out")
  func newest() throws {
    var runs = (0..<30).map { Self.run($0) }
    runs[29].scenarios[0].steps.removeFirst()
    let trend = try #require(ScenarioTrend.all(of: runs, last: 10).first)
    #expect(trend.points.map(\.run) == (20..<30).map { "r\($0)" })
    #expect(trend.steps.map(\.title) == ["s2 expect position"])
  }

  @Test("A step keeps its trend when another is put before it; of two that are called the same each has its own")
  func inserted() throws {
    var runs = (0..<12).map { Self.run($0, seconds: 3) }
    for number in 6..<12 {
      var steps = runs[number].scenarios[0].steps
      steps.insert(RunSummary.Step(name: "s1 expect position", result: .passed, duration: 1), at: 0)
      for index in 1..<3 { steps[index].name = "s\(index + 1)" + steps[index].name.dropFirst(2) }
      runs[number].scenarios[0].steps = steps
    }
    let trend = try #require(ScenarioTrend.all(of: runs).first)
    #expect(trend.steps.map(\.title) == ["s1 expect position", "s2 load film", "s3 expect position"])
    // Called the same, they are told apart by their order.
    #expect(trend.steps.map(\.points.count) == [12, 12, 6])
    // An id of the document's own stays part of the name.
    for number in runs.indices { runs[number].scenarios[0].steps[0].name = "start load film" }
    #expect(ScenarioTrend.all(of: runs).first?.steps.first?.title == "start load film")
  }

  @Test("A terminal shows blocks for durations, what to look at, and each step with its limit")
  func text() throws {
    var runs = (0..<8).map { Self.run($0, seconds: Double($0) + 1) }
    runs[2] = Self.run(2, .failed, seconds: 3, step: .failed)
    let lines = TrendText(width: 80, tellsAllSteps: true).lines(ScenarioTrend.all(of: runs))
    #expect(
      lines == [
        "ads on TV",
        "  ▂▃×▅▆▇██  8 runs: 7 passed, 1 failed",
        "  last 2026-11-21 16:00 UTC: passed in 9s, usually 6s",
        "  ! s2 expect position did not pass at once in 1 of 8 runs",
        "  s1 load film                   ████████                        1s",
        "  s2 expect position             ▁▂×▄▄▅▆▇                        5s of 10s",
      ])
    #expect(lines.allSatisfy { ConsoleText.cells($0) <= 80 })
    let rising = ScenarioTrend.all(of: (0..<20).map { Self.run($0, seconds: 5 + Double($0) * 0.2) })
    let warned = TrendText(width: 64, tellsAllSteps: false).lines(rising)
    #expect(warned.last == "  ! s2 ex… takes longer each time: at its limit in about 6 runs", "\(warned)")
    runs[7].scenarios[0].result = nil
    let killed = TrendText(width: 80, tellsAllSteps: false).lines(ScenarioTrend.all(of: runs))
    #expect(killed.contains("  last 2026-11-21 16:00 UTC: unfinished, usually 5.5s"), "\(killed)")
    let narrow = TrendText(width: 40, tellsAllSteps: true).lines(ScenarioTrend.all(of: runs))
    #expect(narrow.allSatisfy { ConsoleText.cells($0) <= 40 })
  }

  @Test("What a device calls itself is text, on a terminal and on a page")
  func hostile() {
    let key = RunSummary.Key(document: "<script>alert(1)</script>", device: "\u{1B}[2J\u{202E}TV")
    let trends = ScenarioTrend.all(of: [Self.run(1, key: key)])
    let text = TrendText(width: nil, tellsAllSteps: true).lines(trends).joined()
    #expect(!text.contains("\u{1B}") && !text.unicodeScalars.contains("\u{202E}"))
    let page = TrendMarkup(trends).html.text
    #expect(!page.contains("<script>") && !page.contains("\u{1B}"))
  }

  @Test("A page draws a bar for each run, in another color where it did not pass, and a line for the limit")
  func page() {
    var runs = (0..<8).map { Self.run($0) }
    runs[2] = Self.run(2, .failed, step: .failed)
    let page = TrendMarkup(ScenarioTrend.all(of: runs)).html.text
    #expect(page.ranges(of: "<rect").count == 24)
    #expect(page.ranges(of: #"class="m-bad""#).count == 2)
    #expect(page.ranges(of: #"class="cap""#).count == 1)
    #expect(page.contains("<title>r2: did not pass</title>") && page.contains("<td>60 %</td>"))
    // Four of ten seconds are 16 of 40 pixels, and the limit is their top.
    #expect(page.contains(#"y="24" width="29" height="16""#) && page.contains(#"y1="0" y2="0""#))
    #expect(page.contains("<p class=\"soft\">8 runs: 7 passed"))
    let one = TrendMarkup(ScenarioTrend.all(of: [Self.run(1, seconds: 0)])).html.text
    #expect(one.contains("<p class=\"soft\">1 run: 1 passed") && !one.contains("nan"))
  }

  @Test("Many scenarios and steps make no endless page, and it says so")
  func bounded() {
    var run = Self.run(1)
    let steps = (0..<1000).map { RunSummary.Step(name: "s\($0) x", result: .passed, duration: 1) }
    run.scenarios = (0..<100).map { number in
      RunSummary.Scenario(
        key: RunSummary.Key(document: "d\(number)", device: "TV"), file: "f", result: .passed, startedAt: 0,
        duration: 1,
        steps: steps)
    }
    let page = TrendMarkup(ScenarioTrend.all(of: [run])).html.text
    #expect(page.utf8.count < 8 << 20)
    #expect(page.contains("60 more scenarios are not drawn.") && page.contains("800 more steps are not drawn."))
  }

  @Test("A script gets runs, steps and what to look at as JSON")
  func json() throws {
    let trend = try #require(ScenarioTrend.all(of: (0..<20).map { Self.run($0, seconds: 5 + Double($0) * 0.2) }).first)
    let json = try JSONValue(parsing: trend.json.serialized())
    #expect(json["doc"]?.string == "ads" && json["runs"]?.array?.count == 20)
    #expect(json["counts"]?["passed"]?.int == 20)
    let step = try #require(json["steps"]?.array?.last)
    #expect(step["runsLeft"]?.int == 6 && step["limit"]?.number == 10 && step["runs"]?.array?.count == 20)
  }
}
