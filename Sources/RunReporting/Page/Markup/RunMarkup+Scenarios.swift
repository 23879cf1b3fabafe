import CastProtocol
import ScenarioLanguage

/// Scenarios with their steps and broken monitors.
extension RunMarkup {
  func section(_ index: Int, _ budget: inout Budget) -> HTML {
    guard transcript.scenarios.indices.contains(index) else { return "" }
    let scenario = transcript.scenarios[index]
    let word = scenario.result?.rawValue ?? "unfinished"
    let counts = scenario.finished.flatMap { Self.text($0.counts) } ?? "it did not come to its end"
    let rerun = transcript.rerunLine(of: scenario)
    var steps: HTML = ""
    for section in StepSection.allCases {
      let own = scenario.steps.filter { $0.section == section }
      guard !own.isEmpty else { continue }
      if section != .steps { steps += "<h4>\(section.rawValue)</h4>" }
      for step in own { steps += markup(of: step, index, rerun, &budget) }
    }
    let open = scenario.open.filter { $0.result == nil }.map { step in
      StepMarkup(
        step: step, sources: sources, pictures: pictures, rerun: rerun, fate: transcript.fate,
        tellsDevice: !scenario.roles.members.isEmpty)
    }
    let unfinished: HTML = open.isEmpty ? "" : "<h4>what ran when the events end</h4>\(open.map(\.html))"
    return """
      <section class="scenario" id="\(id)-s\(index + 1)"><h3><span class="badge r-\(word)">\(word)</span> \(title(of: scenario))</h3>
      <p class="soft">\(counts)\(scenario.finished == nil ? "" : ", " + TimelineMarkup.seconds(scenario.duration))</p>\(error(of: scenario))\(monitors(of: scenario))\(margins(of: scenario))
      <div class="steps">\(steps)\(unfinished)</div></section>

      """
  }

  func markup(
    of step: RunTranscript.Step, _ index: Int, _ rerun: String, _ budget: inout Budget
  ) -> HTML {
    let scenario = transcript.scenarios[index]
    let markup = StepMarkup(
      step: step, sources: sources, pictures: pictures, rerun: rerun, fate: transcript.fate,
      tellsDevice: !scenario.roles.members.isEmpty
    ).html
    return budget.admits(markup, isBad: step.result?.isBad ?? true) ? markup : ""
  }

  func error(of scenario: RunTranscript.Scenario) -> HTML {
    guard let error = scenario.finished?.error else { return "" }
    let help = error.help.map { "<p>\(HTML.cut($0, to: 1_000))</p>" as HTML }
    return """
      <div class="notice"><b>\(error.className)</b> \(HTML.lines(HTML.cut(error.message, to: 2_000)))\(help)\
      <p class="rerun">run it again: <code>\(transcript.rerunLine(of: scenario))</code></p></div>
      """
  }

  /// The lines of faults as one text, each without its word; `nil` where there are none.
  static func faults(_ lines: [String]) -> String? {
    let told = lines.map { String($0.drop(while: { !$0.isWhitespace }).drop(while: \.isWhitespace)) }
    return told.isEmpty ? nil : told.joined(separator: "; ")
  }

  func monitors(of scenario: RunTranscript.Scenario) -> HTML {
    guard !scenario.brokenMonitors.isEmpty else { return "" }
    let items = scenario.brokenMonitors.map { device, broken, faultLines -> HTML in
      let facts: [(String, String?)] = [
        ("expected", WantText.conditions(broken.want)), ("observed", WantText.values(broken.got)),
        ("since", "+" + TimelineMarkup.seconds(broken.since)), ("remark", broken.remark),
        ("device", scenario.roles.members.isEmpty ? nil : name(of: device)),
        ("faults", Self.faults(faultLines)),
      ]
      let list = facts.compactMap { name, value -> HTML? in
        value.map { "<dt>\(name)</dt><dd>\(HTML.cut($0, to: 1_000))</dd>" }
      }
      return """
        <details class="item r-\(broken.isIgnored ? "passed" : "failed")"\(" open", if: !broken.isIgnored)>\
        <summary><b class="sign">✗</b> <span class="name">\(broken.name)</span> <span class="word">monitor broken\
        \(broken.isIgnored ? " (ignored)" : "")</span></summary>\
        <div class="body"><dl>\(list)</dl>\(sources.html(broken.place))</div></details>
        """
    }
    return "<h4>monitors that were broken</h4>\(items)"
  }

  /// How near the rules that were not broken came to it.
  func margins(of scenario: RunTranscript.Scenario) -> HTML {
    let rules = scenario.finished?.rules ?? []
    guard !rules.isEmpty else { return "" }
    let items = rules.prefix(Self.deviceLimit).map { rule -> HTML in
      let margins = rule.margins.map { HTML.cut($0.text, to: StepMarkup.textLimit) }
      return "<li><b>\(rule.title)</b> \(margins.joined(separator: ", "))</li>"
    }
    return "<h4>rules that were not broken, and how near they came to it</h4><ul>\(items)</ul>"
  }
}
