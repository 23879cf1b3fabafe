import CastProtocol
import ScenarioLanguage

/// What ran when the events of a run ended without a word: it was killed, or it still runs.
extension RunTranscript.Scenario {
  /// The innermost steps that run; branches do side by side.
  var unfinished: [RunTranscript.Step] {
    let innermost = open.filter { step in !open.contains { $0.parent == step.id } }
    return innermost.isEmpty ? [running].compactMap(\.self) : innermost
  }
}

extension RunTranscript.Step {
  static let unfinishedReason = "the run ended while it ran"

  /// `the run ended while it ran, started at +12.5s`.
  var unfinishedText: String { "\(Self.unfinishedReason), started at +\(startedAt.decimals(1, padded: true))s" }
}

extension ConsoleLines {
  /// The steps that ran when the events ended.
  ///
  /// - Parameter time: Unix seconds of the newest event.
  func unfinished(_ run: RunTranscript, at time: Double) -> [String] {
    let scenarios = run.scenarios.filter { $0.finished == nil }
    return scenarios.flatMap { scenario in scenario.unfinished.flatMap { lines(of: $0, in: scenario, run, at: time) } }
      .map(TerminalText.escaped)
  }

  private func lines(
    of step: RunTranscript.Step, in scenario: RunTranscript.Scenario, _ run: RunTranscript, at time: Double
  ) -> [String] {
    if style.level == .quiet {
      let mark = scenario.mark.isEmpty ? "" : "\(scenario.mark) "
      return ["ERROR \(mark)\(step.id) \(step.name): \(step.unfinishedText) (\(step.place.file):\(step.place.line))"]
    }
    let stamp = "\(UTCTime(unixSeconds: time).timeOfDay) \(step.device ?? "-") \(ConsoleText.padded(step.id, 2))"
    let row = scenario.rowText.map { " [\($0)]" } ?? ""
    return ["\(stamp) ERROR  \(step.name)\(row): \(step.unfinishedText)"] + beginning(of: step)
      + rerun(run, of: scenario)
  }
}
