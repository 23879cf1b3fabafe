import CastProtocol
import ScenarioLanguage

/// The lines a console shows for good, event by event.
struct ConsoleLines: Sendable {
  let style: ConsoleReport.Style
  private let snippet: SourceSnippet
  private var width: Int?

  init(_ style: ConsoleReport.Style) {
    self.style = style
    snippet = SourceSnippet(style.sources)
  }

  /// - Parameter width: The columns of a terminal, which gets steps as `✓ s1 …` below a headline instead of one stamped
  ///   line each; `nil` for logs and pipes.
  func text(for event: Event, in run: RunTranscript, width: Int?) -> [String] {
    var sized = self
    sized.width = width.map { max(20, $0) }
    return sized.text(for: event, in: run)
  }

  private func text(for event: Event, in run: RunTranscript) -> [String] {
    let lines: [String]
    if event.type == .runFinished {
      lines = verdict(run)
    } else {
      lines = style.level == .quiet ? quietFailure(event, run) : body(event, run, width != nil)
    }
    return lines.map(TerminalText.escaped).flatMap(fitted)
  }

  /// A line in as many as the terminal's width asks for; a command stays whole, so that it can be pasted.
  private func fitted(_ line: String) -> [String] {
    guard let width, !line.hasPrefix(Self.rerunHead) else { return [line] }
    let isEntry = [
      "   expected  ", "   observed  ", "   nearest   ", "   statuses  ", "   remark    ", "   because   ",
      "   fault     ",
    ]
    .contains { line.hasPrefix($0) }
    return TextWrap.lines(line, width: width, hanging: isEntry ? 13 : line.prefix { $0 == " " }.count + 2)
  }

  private static let rerunHead = "   rerun     "

  private func body(_ event: Event, _ run: RunTranscript, _ isLive: Bool) -> [String] {
    let scenario = run.scenario
    switch event.kind {
    case .diagnostic(let problem): return diagnostic(problem)
    case .deviceConnected(let connected):
      let auth = connected.authentication.map { " auth \($0.text)" } ?? ""
      return isLive ? [] : [stamped(event, "connected \(deviceText(run, event.device))\(auth)")]
    case .deviceSoftware(let software):
      guard style.level >= .verbose, let text = software.text else { return [] }
      return [stamped(event, "firmware \(text)")]
    case .deviceLost(let lost): return [stamped(event, "LOST   \(lost.reason)")]
    case .deviceBack(let back): return [stamped(event, "back   after \(back.after.decimals(1))s")]
    case .scenarioStarted(let started):
      return isLive ? headline(event, run) : row(event, run) + again(started.attempt, event)
    case .attemptFailed:
      guard let step = scenario?.running, let failed = step.failedAttempts.last, let wait = failed.nextTryIn, !isLive
      else { return [] }
      let next = "try \(failed.attempt + 1) in \(wait.decimals(1, padded: true))s"
      return [stamped(event, "retry  \(step.name)\(rowMark(run)): \(failed.error.className), \(next)")]
    case .stepFinished: return scenario?.last.map { finished($0, event, run, isLive) } ?? []
    case .monitorFailed(let broken): return monitor(broken, event, run)
    case .mark(let note): return [stamped(event, "mark   \(note.text)")]
    case .log(let note): return [stamped(event, "log    \(note.text)")]
    case .page(let note):
      let isShown = note.level == .error || style.level >= .verbose
      return isShown
        ? [stamped(event, of: note.receiver, "page   \(note.level == .error ? "ERROR " : "")\(note.oneLine)")] : []
    case .screenshot(let picture): return [stamped(event, of: picture.receiver, "page   picture \(picture.path)")]
    case .fault(let note):
      return note.isNews || style.level >= .verbose ? [stamped(event, of: note.receiver, "fault  \(note.oneLine)")] : []
    case .finallyFinished(let cleanup):
      let hasPassed = cleanup.result == .passed
      if isLive && hasPassed { return [] }
      let count = "\(cleanup.steps) step\(cleanup.steps == 1 ? "" : "s")"
      return [stamped(event, "finally \(hasPassed ? "passed" : "FAILED") (\(count))")]
    case .status(let change):
      guard style.level >= .verbose, let text = statusText(change) else { return [] }
      return [stamped(event, text)]
    case .request(let message): return style.level >= .wire ? [stamped(event, "-> \(wireText(message))")] : []
    case .reply(let message): return style.level >= .wire ? [stamped(event, "<- \(wireText(message))")] : []
    case .requestFinished(let request): return style.level >= .wire ? [stamped(event, "== \(text(of: request))")] : []
    case .messages(let last):
      guard style.level >= .verbose else { return [] }
      let count = last.messages.count == 1 ? "message" : "\(last.messages.count) messages"
      let head = stamped(event, "the last \(count), with the time since the run began")
      return [head]
        + last.messages.map { kept in
          "   +\(kept.elapsed.decimals(3, padded: true))s \(kept.isSent ? "->" : "<-") \(wireText(kept.message))"
        }
    case .runStarted(let started):
      return started.resumes.map { [stamped(event, "goes on with run \($0)")] } ?? []
    case .runFinished, .plan, .deviceFound, .scenarioFinished, .stepStarted, .expectPassed, .expectFailed,
      .finallyStarted:
      return []
    }
  }

  private func monitor(_ broken: EventKind.MonitorFailed, _ event: Event, _ run: RunTranscript) -> [String] {
    var lines = [stamped(event, "FAILED watch: \(broken.name)\(broken.isIgnored ? ", ignored" : "")")]
    lines += broken.place.map(place) ?? []
    lines += ["   expected  \(WantText.conditions(broken.want))", "   observed  \(WantText.values(broken.got))"]
    if let remark = broken.remark { lines.append("   remark    \(remark)") }
    if broken.isIgnored { return lines }
    return lines + Self.faultLines(run.scenario?.brokenMonitors.last?.faultLines) + rerun(run)
  }

  // MARK: pieces

  /// - Parameter receiver: Whose line it is, where the event has no device.
  private func stamped(_ event: Event, of receiver: String? = nil, _ text: String) -> String {
    let time = UTCTime(unixSeconds: event.wallTime).timeOfDay
    let label = style.label.map { "\($0) " } ?? ""
    return "\(time) \(event.device ?? receiver ?? "-") \(label)\(ConsoleText.padded(event.step ?? "", 2)) \(text)"
  }

  private func deviceText(_ run: RunTranscript, _ id: String?) -> String {
    guard let device = run.device(id) else { return id ?? "" }
    let firmware = device.firmware.map { "fw \($0)" }
    return [device.address, device.model, firmware].compactMap { $0 }.joined(separator: " ")
  }

  private func headline(_ event: Event, _ run: RunTranscript) -> [String] {
    let device = run.device(event.device)
    let name = run.scenario.map { run.deviceText(of: $0) } ?? device?.name ?? "no device"
    let row = run.scenario?.rowText.map { " \($0)" } ?? ""
    return ["\(event.document ?? "")   \(name)\(row) \(deviceText(run, event.device))"]
  }

  /// Which row of the matrix begins.
  private func row(_ event: Event, _ run: RunTranscript) -> [String] {
    run.scenario?.rowText.map { [stamped(event, "row    \($0)")] } ?? []
  }

  /// ` [lang=no]` behind the name of a step, in documents with a matrix.
  private func rowMark(_ run: RunTranscript) -> String { run.scenario?.rowText.map { " [\($0)]" } ?? "" }

  /// A scenario that is tried again says so.
  private func again(_ attempt: Int, _ event: Event) -> [String] {
    guard attempt > 1 else { return [] }
    return [stamped(event, "again  \(event.document ?? ""): try \(attempt)")]
  }

  private func diagnostic(_ problem: EventKind.Problem) -> [String] {
    // What a late proof came to is told with `-v`.
    if problem.severity == .note, problem.authentication != nil, style.level < .verbose { return [] }
    var lines = ["\(problem.severity.rawValue)[\(problem.code)]: \(problem.message)"]
    var source = problem.place.map(place) ?? []
    if let label = problem.label, source.count > 1 { source[source.count - 1] += " \(label)" }
    lines += source
    let margin = String(repeating: " ", count: 4 + String(problem.place?.line ?? 0).count)
    let notes = (problem.notes ?? []).map { "\(margin)= note: \($0)" }
    let help = (problem.help ?? []).map { "\(margin)= help: \($0)" }
    if source.count > 1, !(notes + help).isEmpty { lines.append("\(margin)|") }
    return lines + notes + help
  }

  private func place(_ place: SourcePlace) -> [String] {
    let block = snippet.block(
      file: place.file, line: place.line, column: place.column, endLine: place.endLine, endColumn: place.endColumn,
      width: width.map { $0 - 3 })
    return ["   --> \(place.text)"] + block.map { "   \($0)" }
  }

  /// `nil` where nothing that we know has changed.
  private func statusText(_ change: EventKind.StatusChange) -> String? {
    let set = change.set.members.map { member in
      "\(member.name) \(WantText.value(member.value, at: FieldPath([member.name])))"
    }
    let unset = change.unset.map { "no \($0)" }
    let others = change.others ?? []
    if (set + unset).isEmpty, others.isEmpty { return nil }
    let source = change.source == .polled ? " (polled)" : ""
    let changes = (set + unset).isEmpty ? [] : [(set + unset).joined(separator: ", ") + source]
    return "status \((changes + others.map { "others \($0)" }).joined(separator: "; "))"
  }

  /// `#5 LOAD failed in 0.120s: load_failed LOAD_FAILED 104`.
  private func text(of request: EventKind.RequestFinished) -> String {
    let duration = request.duration.decimals(3, padded: true)
    let error = request.error.map { ": \($0.className) \($0.message)" } ?? ""
    return "#\(request.id) \(request.name) \(request.outcome.rawValue) in \(duration)s\(error)"
  }

  private func wireText(_ message: EventKind.WireMessage) -> String {
    let id = message.id?.int.map { "#\($0) " } ?? ""
    return "\(id)\(message.namespace) \(message.message.serialized())"
  }

  // MARK: steps

  private func finished(
    _ step: RunTranscript.Step, _ event: Event, _ run: RunTranscript, _ isLive: Bool
  ) -> [String] {
    let seconds = "\(step.duration.decimals(1, padded: true))s"
    let isBad = !step.isStoppedByMonitor && step.result?.isBad == true
    let note = (step.isIgnored ? ", ignored" : "") + (step.resumedText.map { ", \($0)" } ?? "")
    var lines: [String] = []
    switch step.result {
    case .passed, .flaky, .failed, .error, .skipped:
      if isLive {
        let symbol = isBad ? "✗" : step.result == .skipped || step.isStoppedByMonitor ? "–" : "✓"
        let whose = run.whose(event.device, row: run.scenario?.rowText, label: style.label)
        let space = ConsoleText.nameWidth(in: width, beside: 15 + ConsoleText.cells(whose))
        let name = ConsoleText.padded(ConsoleText.cut(step.name, to: space), space)
        let tries =
          step.result == .flaky ? "   try \(step.attempts) (\(step.failedAttempts.last?.error.className ?? ""))" : ""
        let reason = step.result == .error || step.isStoppedByMonitor ? "   \(step.reason ?? "")" : ""
        let time = ConsoleText.rightAligned(seconds, 7)
        let skew = step.skewText.map { "   \($0)" } ?? ""
        lines = [" \(symbol) \(whose)\(ConsoleText.padded(step.id, 3)) \(name) \(time)\(skew)\(tries)\(reason)\(note)"]
      } else {
        let word = step.isStoppedByMonitor ? "stopped" : isBad ? Self.shout(step) : step.result?.rawValue ?? ""
        let pass = step.pass.map { ", pass \($0)" } ?? ""
        let skew = step.skewText.map { ", \($0)" } ?? ""
        let tries = skew + pass + (step.attempts > 1 ? ", \(step.attempts) tries" : "")
        let isTold = step.result == .error || step.result == .skipped || step.isStoppedByMonitor
        // What an expectation observed is in the events of the run before.
        let hasReason = isTold || isBad && step.resumed == .taken
        let reason = hasReason ? ": \(step.reason ?? "")" : ""
        // The reason says it.
        let note = step.resumed == .skipped && hasReason ? "" : note
        lines = [
          stamped(
            event, "\(ConsoleText.padded(word, 6)) \(step.name)\(rowMark(run)) (\(seconds)\(tries))\(reason)\(note)")
        ]
      }
    case .notRun, nil: return []
    }
    return isBad ? lines + failureBlock(step, run) : lines
  }

  /// `ERROR` or `FAILED`, of a step that is one of the two.
  private static func shout(_ step: RunTranscript.Step) -> String { step.result == .error ? "ERROR" : "FAILED" }

  private func failureBlock(_ step: RunTranscript.Step, _ run: RunTranscript) -> [String] {
    guard let expectation = step.failedExpectation else {
      // What failed inside it was shown.
      guard step.failures.isEmpty else { return [] }
      let lines = beginning(of: step)
      return step.isIgnored ? lines : lines + Self.faultLines(step.faultLines) + rerun(run)
    }
    let verdict = VerdictText(step)
    var lines = expectation.place.map(place) ?? []
    lines.append("   expected  \(verdict.expected)")
    lines.append("   observed  \(verdict.observed)")
    if let nearest = verdict.nearest { lines.append("   nearest   \(nearest)") }
    if let seen = verdict.statusLine { lines.append("   statuses  \(seen)") }
    if let remark = verdict.remark { lines.append("   remark    \(remark)") }
    if let because = verdict.because { lines.append("   because   \(because)") }
    return step.isIgnored ? lines : lines + Self.faultLines(step.faultLines) + rerun(run)
  }

  /// The faults that came before a failure, below it.
  private static func faultLines(_ lines: [String]?) -> [String] { (lines ?? []).map { "   \($0)" } }

  /// Where a step begins.
  func beginning(of step: RunTranscript.Step) -> [String] {
    var marked = step.place
    (marked.endLine, marked.endColumn) = (marked.line, marked.column + 1)
    return place(marked)
  }

  private func rerun(_ run: RunTranscript) -> [String] { run.scenario.map { rerun(run, of: $0) } ?? [] }

  func rerun(_ run: RunTranscript, of scenario: RunTranscript.Scenario) -> [String] {
    ["\(Self.rerunHead)\(run.rerunLine(of: scenario))"]
  }

  /// One line for what failed, and why, and the faults that came before it: all that quiet tells before the verdict.
  private func quietFailure(_ event: Event, _ run: RunTranscript) -> [String] {
    let mark = run.scenario.map(\.mark).flatMap { $0.isEmpty ? nil : "\($0) " } ?? ""
    if case .monitorFailed(let broken) = event.kind, !broken.isIgnored {
      let got = WantText.values(broken.got)
      let place = "\(broken.place?.file ?? ""):\(broken.place?.line ?? 0)"
      return ["FAILED \(mark)watch: \(broken.name): observed \(got) (\(place))"]
        + Self.faultLines(run.scenario?.brokenMonitors.last?.faultLines)
    }
    // Somebody relies on a protection that is not there.
    if case .diagnostic(let problem) = event.kind, problem.isUnpinned == true {
      return ["warning: \(problem.message)"] + (problem.help ?? []).map { "help: \($0)" }
    }
    if case .scenarioFinished(let finished) = event.kind, finished.error != nil {
      return Self.faultLines(run.scenario?.faultLines)
    }
    guard event.type == .stepFinished, let step = run.scenario?.last, !step.isIgnored, !step.isStoppedByMonitor,
      step.failures.isEmpty, step.result?.isBad == true
    else { return [] }
    let reason = step.failedExpectation == nil ? step.shownReason : VerdictText(step).oneLine
    let because = reason.map { ": \($0)" } ?? ""
    let line = "\(Self.shout(step)) \(mark)\(step.id) \(step.name)\(because) (\(step.place.file):\(step.place.line))"
    // What the receiver page said last is nearest to why.
    let page = step.pageEvidence.reversed().lazy.compactMap { evidence in
      if case .error(let text) = evidence { "   page      \(text)" } else { nil }
    }.first
    return [line] + [page].compactMap(\.self) + Self.faultLines(step.faultLines)
  }

  /// One line for a row of steps that were not run.
  func notRun(_ events: [Event], isLive: Bool) -> [String] {
    guard style.level >= .normal, let first = events.first, let last = events.last else { return [] }
    let ids = [first.step, events.count > 1 ? last.step : nil].compactMap { $0 }.joined(separator: "-")
    if isLive { return [TerminalText.escaped(" – \(ids) not run")] }
    let time = UTCTime(unixSeconds: last.wallTime).timeOfDay
    let label = style.label.map { "\($0) " } ?? ""
    return [TerminalText.escaped("\(time) \(last.device ?? "-") \(label)\(ids) not run")]
  }

  // MARK: the end

  private func verdict(_ run: RunTranscript) -> [String] {
    let finished = run.finished ?? EventKind.RunFinished()
    let scenarios = run.finalScenarios.filter { $0.finished != nil }
    let over = "after \(scenarios.count) scenario\(scenarios.count == 1 ? "" : "s")"
    let cut = run.cut.map { "\($0) \(scenarios.isEmpty ? "before a scenario was over" : over)" }
    let hasOwnLine = scenarios.count > 1 || cut != nil || scenarios.contains { $0.repeated != nil }
    // Quiet tells of many what is wrong.
    let isShort = style.level == .quiet && hasOwnLine
    // Repeats that passed are told in the line about all of them.
    var lines = scenarios.filter { $0.result != .passed || !isShort && $0.repeated == nil }.map { scenario in
      verdict(of: scenario, in: run) + (hasOwnLine ? "" : " · exit \(finished.exit)")
    }
    lines += run.repeatedCases.filter { !isShort || $0.result != .passed }.map { repeated in
      "\(repeated.result.rawValue.uppercased()) \(repeated.title) \(repeated.text) in "
        + "\(repeated.seconds.decimals(1, padded: true))s"
    }
    if hasOwnLine {
      let counts = finished.scenarios
      let told = Self.told([
        (counts.passed, "passed"), (counts.flaky, "flaky"), (counts.failed, "failed"), (counts.error, "in error"),
      ])
      let word = finished.result.rawValue.uppercased()
      let seconds = run.finishedAt.decimals(1, padded: true)
      let parts = [cut ?? "all \(scenarios.count)"] + (told.isEmpty ? [] : [told.joined(separator: ", ")])
      let all = "\(word) \(parts.joined(separator: ": "))"
      lines.append("\(all) in \(seconds)s · exit \(finished.exit)")
    }
    if let path = style.eventsPath { lines.append("events \(path)") }
    return lines
  }

  /// `4 passed`, and so on, for what there is at all.
  private static func told(_ counts: [(number: Int, word: String)]) -> [String] {
    counts.filter { $0.number > 0 }.map { "\($0.number) \($0.word)" }
  }

  private func verdict(of scenario: RunTranscript.Scenario, in run: RunTranscript) -> String {
    let finished = scenario.finished ?? EventKind.ScenarioFinished()
    let counts = finished.counts
    let told = Self.told([
      (counts.passed, "passed"), (counts.flaky, "flaky"), (counts.failed, "failed"), (counts.errors, "in error"),
      (counts.skipped, "skipped"), (counts.notRun, "not run"), (counts.ignored, "ignored"),
    ])
    let device = run.deviceText(of: scenario)
    let row = scenario.rowText.map { " \($0)" } ?? ""
    let tries = scenario.attempt > 1 ? ", try \(scenario.attempt)" : ""
    let cleanup = finished.cleanup == .failed ? ", cleanup failed" : ""
    let error = finished.error.map { " (\($0.message))" } ?? ""
    let word = finished.result.rawValue.uppercased()
    let seconds = finished.duration.decimals(1, padded: true)
    let steps = told.isEmpty ? "no steps" : told.joined(separator: ", ")
    return "\(word) \(scenario.document) [\(device)]\(row) \(steps)\(cleanup)\(error)\(tries) in \(seconds)s"
  }
}
