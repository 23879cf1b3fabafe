import ScenarioLanguage

/// Trends as lines for a terminal or a log.
package struct TrendText: Sendable {
  /// The cells of a line; `nil` in a pipe, where nothing is cut.
  package var width: Int?
  /// Whether every step is told, or only what somebody should look at.
  package var tellsAllSteps: Bool

  private static let lineWidth = 24
  /// How many changes of the firmware are told.
  private static let changeLimit = 3
  /// In a pipe.
  private static let usualWidth = 100

  package init(width: Int?, tellsAllSteps: Bool) { (self.width, self.tellsAllSteps) = (width, tellsAllSteps) }

  /// What is told of several scenarios, with an empty line between two.
  package func lines(_ trends: [ScenarioTrend]) -> [String] {
    trends.enumerated().flatMap { number, trend in (number > 0 ? [""] : []) + lines(trend) }
  }

  private func lines(_ trend: ScenarioTrend) -> [String] {
    var lines = [TerminalText.escaped(trend.key.title)]
    let sparkline = Sparkline(trend.points.map { Sparkline.Cell($0.result?.isGood == true ? $0.duration : nil) })
    lines.append("  \(sparkline.text(width: Self.lineWidth))  \(Self.counts(trend))")
    if let last = trend.points.last {
      let usual = trend.usualDuration.map { ", usually \(Self.seconds($0))" } ?? ""
      let result = last.result.map { "\($0.rawValue) in \(Self.seconds(last.duration))" } ?? "unfinished"
      lines.append("  last \(Self.minute(last.startedAt)) UTC: \(result)\(usual)")
    }
    lines += trend.firmwareChanges.suffix(Self.changeLimit).map { TerminalText.escaped("  firmware \($0.text)") }
    lines += trend.warnings.map { warning in
      // What is to be known is never cut off: the step's name is.
      let room = width.map { max(4, $0 - 1 - ConsoleText.cells(warning.text) - 5) }
      let name = TerminalText.escaped(warning.step.title)
      return "  ! \(room.map { ConsoleText.cut(name, to: $0) } ?? name) \(warning.text)"
    }
    if tellsAllSteps { lines += trend.steps.flatMap(stepLines) }
    return lines.map { line in width.map { ConsoleText.cut(line, to: $0) } ?? line }
  }

  private func stepLines(_ step: StepTrend) -> [String] {
    let durations = step.points.map { point in
      point.isGood && !step.hasDurations ? .untold : Sparkline.Cell(point.isGood ? point.step.duration : nil)
    }
    let sparkline = Sparkline(durations, top: step.limit)
    let room = ConsoleText.nameWidth(in: width ?? Self.usualWidth, beside: Self.lineWidth + 26)
    let name = ConsoleText.padded(ConsoleText.cut(TerminalText.escaped(step.title), to: room), room)
    let bars = ConsoleText.padded(sparkline.text(width: Self.lineWidth), Self.lineWidth)
    let usual = ConsoleText.rightAligned(step.usualDuration.map(Self.seconds) ?? "-", 8)
    let matchers = step.matchers.map { matcher -> String in
      let cells = zip(matcher.margins, step.points).map { margin, point in
        margin?.used.map(Sparkline.Cell.number) ?? (point.isGood ? .untold : .failed)
      }
      let line = Sparkline(cells, top: matcher.newest?.room)
      let hasRoom = matcher.newest?.room != nil
      let field = ConsoleText.cut("  " + TerminalText.escaped(matcher.subject.word), to: room)
      let bars = ConsoleText.padded(hasRoom ? line.text(width: Self.lineWidth) : "", Self.lineWidth)
      return "  \(ConsoleText.padded(field, room))  \(bars)  \(TerminalText.escaped(matcher.leftText))"
    }
    return ["  \(name)  \(bars)  \(usual)\(step.limit.map { " of \(Self.seconds($0))" } ?? "")"] + matchers
  }

  /// `2026-11-21 09:00`.
  static func minute(_ unixSeconds: Double) -> String {
    UTCTime(unixSeconds: unixSeconds).text.prefix(16).split(separator: "T").joined(separator: " ")
  }

  /// `32 runs: 30 passed, 1 flaky, 1 failed`.
  private static func counts(_ trend: ScenarioTrend) -> String {
    let counts = trend.counts
    let unfinished = trend.points.count { $0.result == nil }
    let words = [
      (counts.passed, "passed"), (counts.flaky, "flaky"), (counts.failed, "failed"), (counts.error, "in error"),
      (unfinished, "unfinished"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(trend.points.count) \(trend.points.count == 1 ? "run" : "runs"): \(words.joined(separator: ", "))"
  }

  /// `9.4s`.
  static func seconds(_ value: Double) -> String { value.decimals(value < 10 ? 2 : 1) + "s" }
}
