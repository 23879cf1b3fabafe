import ScenarioLanguage

/// Trends as a part of a page: a chart of each step's durations, with its limit, and what somebody should look at.
package struct TrendMarkup: Sendable {
  private static let width = 240.0
  private static let height = 40.0
  /// How many scenarios and steps are drawn.
  private static let scenarioLimit = 40
  private static let stepLimit = 200
  private static let matcherLimit = 20

  let html: HTML

  package init(_ trends: [ScenarioTrend]) {
    let left = trends.count - Self.scenarioLimit
    let more: HTML = left > 0 ? "<p class=\"left\">\(left) more scenarios are not drawn.</p>" : ""
    html =
      "<section class=\"trend\"><h2>Trend</h2>\(trends.prefix(Self.scenarioLimit).map(Self.scenario))\(more)</section>"
  }

  private static func scenario(_ trend: ScenarioTrend) -> HTML {
    let warnings = trend.warnings.map { "<li><b>\($0.step.title)</b> \($0.text)</li>" as HTML }
    let list: HTML = warnings.isEmpty ? "" : "<ul class=\"bad\">\(warnings)</ul>"
    let changes = trend.firmwareChanges.suffix(20).map { "<li>firmware \($0.text)</li>" as HTML }
    let firmware: HTML = changes.isEmpty ? "" : "<ul>\(changes)</ul>"
    let whole = row(
      "all of it", trend.points.map { ($0.result?.isGood == true ? $0.duration : nil, $0.run) }, limit: nil,
      usual: trend.usualDuration, margin: nil)
    let steps = trend.steps.prefix(stepLimit).map { step in
      step.matchers.prefix(matcherLimit).reduce(
        into: row(
          step.title,
          // A rule without `for` is not broken for any time.
          step.hasDurations ? step.points.map { ($0.isGood ? $0.step.duration : nil, $0.run) } : [], limit: step.limit,
          usual: step.usualDuration, margin: step.margin)
      ) { $0 += row($1, of: step) }
    }
    let left = trend.steps.count - stepLimit
    let more: HTML = left > 0 ? "<p class=\"left\">\(left) more steps are not drawn.</p>" : ""
    let counts = trend.counts
    return """
      <h3>\(trend.key.title)</h3>
      <p class="soft">\(trend.points.count) \(trend.points.count == 1 ? "run" : "runs"): \(counts.passed) passed, \
      \(counts.flaky) flaky, \(counts.failed) failed, \(counts.error) in error</p>
      \(firmware)\(list)<div class="wide"><table><thead><tr><th>step</th><th>durations, oldest first</th><th>usual</th><th>limit</th>\
      <th>left</th></tr></thead><tbody>\(whole)\(steps)</tbody></table></div>\(more)

      """
  }

  private static func row(
    _ name: String, _ values: [(duration: Double?, run: String)], limit: Double?, usual: Double?, margin: Double?
  ) -> HTML {
    let shown = Array(values.suffix(Drift.runLimit))
    return """
      <tr><th>\(name)</th><td>\(shown.isEmpty ? "" : chart(shown, limit: limit))</td><td>\(usual.map(TrendText.seconds) ?? "-")</td>\
      <td>\(limit.map(TrendText.seconds) ?? "-")</td><td>\(margin.map { "\(($0 * 100).decimals(0)) %" } ?? "-")</td></tr>
      """
  }

  /// What was used of the room of a field; runs that do not tell it have no bar.
  private static func row(_ matcher: MatcherTrend, of step: StepTrend) -> HTML {
    guard let newest = matcher.newest else { return "" }
    let used = zip(matcher.margins, step.points).compactMap { margin, point in margin?.used.map { ($0, point.run) } }
    let drawn: HTML =
      newest.room == nil
      ? ""
      : chart(
        used.suffix(Drift.runLimit).map { ($0.0, $0.1) }, limit: newest.room, called: matcher.subject.word,
        shown: newest.shown
      )
    let share = newest.room.flatMap { $0 > 0 ? newest.left / $0 : nil }
    let left = share.map { "\(($0 * 100).decimals(0)) %" } ?? newest.shown(newest.left)
    return """
      <tr><td>\(matcher.subject.word)</td><td>\(drawn)</td><td>-</td><td>\(newest.room.map(newest.shown) ?? "-")</td>\
      <td>\(left)</td></tr>
      """
  }

  /// A bar for each run; one that did not pass is as high as all there is, in the color of failures.
  private static func chart(
    _ values: [(duration: Double?, run: String)], limit: Double?, called name: String = "durations",
    shown: (Double) -> String = TrendText.seconds
  ) -> HTML {
    let top = max(limit ?? 0, values.compactMap(\.duration).max() ?? 0)
    let step = width / Double(max(1, values.count))
    let bars = values.enumerated().map { number, value -> HTML in
      let share = top > 0 ? min(1, max(0, (value.duration ?? top) / top)) : 0
      let tall = max(1, share * height)
      let text = "\(value.run): \(value.duration.map(shown) ?? "did not pass")"
      return """
        <rect class="\(value.duration == nil ? "m-bad" : "m-sent")" x="\(pixels: Double(number) * step)" \
        y="\(pixels: height - tall)" width="\(pixels: max(1, step - 1))" height="\(pixels: tall)"><title>\(text)</title></rect>
        """
    }
    let line: HTML
    if let limit, top > 0 {
      let place = height - min(1, limit / top) * height
      line = "<line class=\"cap\" x1=\"0\" x2=\"\(pixels: width)\" y1=\"\(pixels: place)\" y2=\"\(pixels: place)\"/>"
    } else {
      line = ""
    }
    return """
      <svg class="bars" role="img" aria-label="\(name) of \(values.count) runs" width="\(pixels: width)" \
      height="\(pixels: height)" viewBox="0 -1 \(pixels: width) \(pixels: height + 1)">\(bars)\(line)</svg>
      """
  }
}
