import ScenarioLanguage

/// One row on one device that was run several times (`--repeat`), and how often it came to what.
package struct RepeatedCase: Sendable {
  /// `ads [QA Chromecast] lang=no`.
  package var title: String
  /// How often it was to be run.
  package var wanted: Int
  package var counts = EventKind.VerdictCounts()
  /// Document seconds of all that ended.
  package var seconds = 0.0

  /// How many came to an end.
  package var ended: Int { counts.passed + counts.flaky + counts.failed + counts.error }
  package var good: Int { counts.passed + counts.flaky }

  /// One that passed some times and not others is flaky, whatever the run comes to.
  package var result: RunVerdict {
    if good > 0, counts.flaky > 0 || good < ended { return .flaky }
    return counts.error > 0 ? .error : counts.failed > 0 ? .failed : .passed
  }

  /// `4 of 5 repeats passed, 1 failed`.
  package var text: String {
    let bad = [(counts.failed, "failed"), (counts.error, "in error")].filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }
    let tries = counts.flaky > 0 ? ", \(counts.flaky) of them not at once" : ""
    let missing = wanted > ended ? ", \(wanted - ended) not run here" : ""
    return "\(good) of \(wanted) repeats passed\(tries)\(bad.joined())\(missing)"
  }
}

extension RunTranscript {
  /// What was run several times, in the order of the first; the last try of each repeat counts.
  package var repeatedCases: [RepeatedCase] {
    var (cases, firsts): ([RepeatedCase], [Scenario]) = ([], [])
    for scenario in finalScenarios {
      guard let repeated = scenario.repeated else { continue }
      var index = firsts.firstIndex { $0.isSameCase(as: scenario) } ?? firsts.endIndex
      // A matrix may have the same row twice.
      if index < firsts.endIndex, cases[index].ended >= repeated.count { index = firsts.endIndex }
      if index == firsts.endIndex {
        let row = scenario.valuesText.map { " \($0)" } ?? ""
        firsts.append(scenario)
        cases.append(
          RepeatedCase(title: "\(scenario.document) [\(deviceText(of: scenario))]\(row)", wanted: repeated.count))
      }
      guard let finished = scenario.finished else { continue }
      cases[index].counts.add(finished.result)
      cases[index].seconds += finished.duration
    }
    return cases
  }
}
