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
  /// `the run ended while it ran, started at +12.5s`.
  func unfinishedText(_ fate: RunFate) -> String {
    "\(fate.stepReason), started at +\(startedAt.decimals(1, padded: true))s"
  }
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
    let (word, text) = (run.fate == .running ? "runs" : "ERROR", step.unfinishedText(run.fate))
    if style.level == .quiet {
      let mark = scenario.mark.isEmpty ? "" : "\(scenario.mark) "
      return ["\(word) \(mark)\(step.id) \(step.name): \(text) (\(step.place.file):\(step.place.line))"]
    }
    let stamp = "\(UTCTime(unixSeconds: time).timeOfDay) \(step.device ?? "-") \(ConsoleText.padded(step.id, 2))"
    let row = scenario.rowText.map { " [\($0)]" } ?? ""
    let lines = ["\(stamp) \(ConsoleText.padded(word, 6)) \(step.name)\(row): \(text)"]
    // What still runs is no failure to look into.
    return run.fate == .running ? lines : lines + beginning(of: step) + rerun(run, of: scenario)
  }
}
