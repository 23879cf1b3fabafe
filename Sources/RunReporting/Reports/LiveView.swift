import CastProtocol
import ScenarioLanguage

/// What a terminal shows of a run that goes on: the running step, the player, and how much is left.
struct LiveView {
  private let transcript: RunTranscript
  private let elapsed: Double
  private let width: Int?
  private let height: Int?
  private let label: String?

  /// - Parameters:
  ///   - width: The columns of the terminal; names and the film's line are as long as there is room for.
  ///   - height: Its rows.
  ///   - label: What tells the run from others that are told beside it.
  init(_ transcript: RunTranscript, at elapsed: Double, width: Int? = nil, height: Int? = nil, label: String? = nil) {
    self.transcript = transcript
    self.elapsed = elapsed
    self.width = width
    self.height = height
    self.label = label
  }

  var lines: [String] {
    let going = transcript.scenarios.filter { $0.finished == nil }
    // Beside other runs each has a line for each of its scenarios, and no more.
    if label != nil { return going.compactMap(running).map(TerminalText.escaped) }
    if going.count > 1 {
      // Each device has its line; what is left of them is counted.
      let lines = going.compactMap(running).prefix(shownDevices)
      let rest = going.count - lines.count
      return (lines + (rest > 0 ? [" … and \(rest) more"] : []) + [summary(going)]).map(TerminalText.escaped)
    }
    guard let scenario = transcript.scenario, scenario.finished == nil else { return [] }
    let lines = [running(scenario), player, bar, summary([scenario])]
    return lines.compactMap { $0.map(TerminalText.escaped) }
  }

  /// About half of the terminal: what is finished scrolls above.
  private var shownDevices: Int { height.map { max(1, min(24, $0 / 2)) } ?? 8 }

  private func running(_ scenario: RunTranscript.Scenario) -> String? {
    guard let step = scenario.running else { return nil }
    let spent = max(0, elapsed - step.startedAt).decimals(1, padded: true)
    let limit = step.deadline.map { " of \(max(0, $0 - step.startedAt).decimals(1))s" } ?? ""
    let tries = step.failedAttempts.last.map { "   \($0.error.className), trying again" } ?? ""
    let whose = transcript.whose(step.device, row: scenario.rowText, label: label)
    let space = ConsoleText.nameWidth(in: width, beside: 9 + ConsoleText.cells(whose + spent + limit))
    let name = ConsoleText.padded(ConsoleText.cut(step.name, to: space), space)
    return " ▶ \(whose)\(ConsoleText.padded(step.id, 3)) \(name) \(spent)s\(limit)\(tries)"
  }

  private var status: JSONObject { transcript.status }

  /// Content seconds reckoned from the newest status.
  private var position: Double? {
    guard let reported = status["position"]?.number else { return nil }
    return status["break"] == nil ? reported + (status["rate"]?.number ?? 1) * playedSinceStatus : reported
  }

  /// Document seconds that the player has played since the newest status.
  private var playedSinceStatus: Double {
    guard status["player"]?.string == "playing", let seen = transcript.lastStatusElapsed else { return 0 }
    return max(0, elapsed - seen)
  }

  private var player: String? {
    guard let player = status["player"]?.string else { return nil }
    var parts = [player]
    if let state = status["break"] {
      let clipTime = (state["clip_time"]?.number ?? 0) + playedSinceStatus
      parts.append("ad \(StatusText.breakName(state)) \(ConsoleText.clock(clipTime))")
    }
    if let position {
      let duration = status["duration"]?.number.map { " of \(ConsoleText.clock($0))" } ?? ""
      parts.append("film \(ConsoleText.clock(position))\(duration)")
    }
    // In a break the rate reads 0; it is the film's.
    if let rate = status["rate"]?.number, status["break"] == nil { parts.append("\(rate.decimals(2))x") }
    if let level = status["volume"]?["level"]?.number { parts.append("vol \(level.decimals(0))%") }
    return "   " + parts.joined(separator: "   ")
  }

  /// The film as a line, breaks marked where they are.
  private var bar: String? {
    guard let position, let duration = status["duration"]?.number, duration > 0 else { return nil }
    let end = " " + ConsoleText.clock(duration)
    let width = self.width.map { max(10, min(60, $0 - 5 - end.count)) } ?? 60
    let filled = max(0, min(width, Int(exactly: (position / duration * Double(width)).rounded(.down)) ?? 0))
    var cells =
      Array(repeating: Character("━"), count: filled) + Array(repeating: Character("─"), count: width - filled)
    for entry in status["breaks"]?.array ?? [] {
      let at = entry["at"]?.number ?? duration
      let cell = Int(exactly: (at / duration * Double(width)).rounded(.down)) ?? width
      cells[max(0, min(width - 1, cell))] = "┤"
    }
    return "   ├" + String(cells) + end
  }

  private func summary(_ scenarios: [RunTranscript.Scenario]) -> String {
    let steps = scenarios.flatMap(\.steps)
    let passed = steps.count { $0.result?.isGood == true }
    let failed = steps.count { $0.result?.isBad == true }
    return " \(passed) passed · \(failed) failed · \(ConsoleText.clock(max(0, elapsed)))"
  }
}
