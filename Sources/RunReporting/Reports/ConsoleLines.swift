import CastProtocol
import ScenarioLanguage

/// The lines a console shows for good, event by event.
struct ConsoleLines: Sendable {
  private let style: ConsoleReport.Style
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
    ]
    .contains { line.hasPrefix($0) }
    return TextWrap.lines(line, width: width, hanging: isEntry ? 13 : line.prefix { $0 == " " }.count + 2)
  }

  private static let rerunHead = "   rerun     "

  private func body(_ event: Event, _ run: RunTranscript, _ isLive: Bool) -> [String] {
    let fields = event.fields
    let scenario = run.scenario
    let step = event.type == .stepFinished ? scenario?.last : scenario?.running
    switch event.type {
    case .diagnostic: return diagnostic(fields)
    case .deviceConnected:
      return isLive ? [] : [stamped(event, "connected \(deviceText(run, event.device))\(auth(fields))")]
    case .deviceLost: return [stamped(event, "LOST   \(fields["reason"]?.string ?? "")")]
    case .deviceBack: return [stamped(event, "back   after \((fields["after"]?.number ?? 0).decimals(1))s")]
    case .scenarioStarted: return isLive ? headline(event, run) : row(event, run) + again(event)
    case .attemptFailed:
      guard let step, let attempt = step.failedAttempts.last, let wait = attempt.nextTryIn, !isLive else { return [] }
      let next = "try \(attempt.number + 1) in \(wait.decimals(1, padded: true))s"
      return [stamped(event, "retry  \(step.name)\(rowMark(run)): \(attempt.errorClass), \(next)")]
    case .stepFinished: return step.map { finished($0, event, run, isLive) } ?? []
    case .monitorFailed:
      let want = WantText.conditions(fields["want"] ?? .null)
      let got = WantText.values(fields["got"]?.object ?? [:])
      let ignored = fields["ignored"]?.bool == true
      var lines = [stamped(event, "FAILED watch: \(fields["name"]?.string ?? "")\(ignored ? ", ignored" : "")")]
      lines += place(fields) + ["   expected  \(want)", "   observed  \(got)"]
      if let remark = fields["remark"]?.string { lines.append("   remark    \(remark)") }
      return ignored ? lines : lines + rerun(run)
    case .mark: return [stamped(event, "mark   \(fields["text"]?.string ?? "")")]
    case .log: return [stamped(event, "log    \(fields["text"]?.string ?? "")")]
    case .finallyFinished:
      let steps = fields["steps"]?.int ?? 0
      let result = fields["result"]?.string ?? ""
      if isLive && result == "passed" { return [] }
      let word = result == "passed" ? "passed" : "FAILED"
      return [stamped(event, "finally \(word) (\(steps) step\(steps == 1 ? "" : "s"))")]
    case .status:
      guard style.level >= .verbose, let text = statusText(fields) else { return [] }
      return [stamped(event, text)]
    case .request: return style.level >= .wire ? [stamped(event, "-> \(wireText(fields))")] : []
    case .reply: return style.level >= .wire ? [stamped(event, "<- \(wireText(fields))")] : []
    case .requestFinished: return style.level >= .wire ? [stamped(event, "== \(requestText(fields))")] : []
    default: return []
    }
  }

  // MARK: pieces

  private func stamped(_ event: Event, _ text: String) -> String {
    let time = UTCTime(unixSeconds: event.wallTime).timeOfDay
    return "\(time) \(event.device ?? "-") \(ConsoleText.padded(event.step ?? "", 2)) \(text)"
  }

  private func deviceText(_ run: RunTranscript, _ id: String?) -> String {
    guard let device = run.device(id) else { return id ?? "" }
    let firmware = device.firmware.map { "fw \($0)" }
    return [device.address, device.model, firmware].compactMap { $0 }.joined(separator: " ")
  }

  private func auth(_ fields: JSONObject) -> String { fields["auth"]?.string.map { " auth \($0)" } ?? "" }

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
  private func again(_ event: Event) -> [String] {
    guard let attempt = event.fields["attempt"]?.int, attempt > 1 else { return [] }
    return [stamped(event, "again  \(event.document ?? ""): try \(attempt)")]
  }

  private func diagnostic(_ fields: JSONObject) -> [String] {
    let severity = fields["severity"]?.string ?? "note"
    // What a late proof came to is told with `-v`.
    if severity == "note", fields["auth"] != nil, style.level < .verbose { return [] }
    let code = fields["code"]?.string ?? ""
    var lines = ["\(severity)[\(code)]: \(fields["message"]?.string ?? "")"]
    var source = place(fields)
    if let label = fields["label"]?.string, source.count > 1 { source[source.count - 1] += " \(label)" }
    lines += source
    let margin = String(repeating: " ", count: 4 + String(fields["line"]?.int ?? 0).count)
    let notes = (fields["notes"]?.array ?? []).compactMap(\.string).map { "\(margin)= note: \($0)" }
    let help = (fields["help"]?.array ?? []).compactMap(\.string).map { "\(margin)= help: \($0)" }
    if source.count > 1, !(notes + help).isEmpty { lines.append("\(margin)|") }
    return lines + notes + help
  }

  private func place(_ fields: JSONObject) -> [String] {
    guard let file = fields["file"]?.string, let line = fields["line"]?.int, let column = fields["column"]?.int else {
      return []
    }
    let block = snippet.block(
      file: file, line: line, column: column, endLine: fields["endLine"]?.int, endColumn: fields["endColumn"]?.int,
      width: width.map { $0 - 3 })
    return ["   --> \(file):\(line):\(column)"] + block.map { "   \($0)" }
  }

  /// `nil` where nothing that we know has changed.
  private func statusText(_ fields: JSONObject) -> String? {
    let set = (fields["set"]?.object ?? [:]).members.map { member in
      "\(member.name) \(WantText.value(member.value, at: FieldPath([member.name])))"
    }
    let unset = (fields["unset"]?.array ?? []).compactMap(\.string).map { "no \($0)" }
    if (set + unset).isEmpty, fields["others"]?.array?.isEmpty ?? true { return nil }
    let source = fields["source"]?.string == "polled" ? " (polled)" : ""
    let others = (fields["others"]?.array ?? []).compactMap(\.string).map { "; others \($0)" }.joined()
    return "status \((set + unset).joined(separator: ", "))\(source)\(others)"
  }

  /// `#5 LOAD failed in 0.120s: load_failed LOAD_FAILED 104`.
  private func requestText(_ fields: JSONObject) -> String {
    let duration = (fields["duration"]?.number ?? 0).decimals(3, padded: true)
    let words = ["#\(fields["id"]?.int ?? 0)", fields["name"]?.string ?? "", fields["outcome"]?.string ?? ""]
    let error = fields["error"].map { ": \($0["class"]?.string ?? "") \($0["message"]?.string ?? "")" } ?? ""
    return "\(words.joined(separator: " ")) in \(duration)s\(error)"
  }

  private func wireText(_ fields: JSONObject) -> String {
    let id = fields["id"]?.int.map { "#\($0) " } ?? ""
    return "\(id)\(fields["ns"]?.string ?? "") \((fields["msg"] ?? .null).serialized())"
  }

  // MARK: steps

  private func finished(
    _ step: RunTranscript.Step, _ event: Event, _ run: RunTranscript, _ isLive: Bool
  ) -> [String] {
    let seconds = "\(step.duration.decimals(1, padded: true))s"
    let classes = step.failedAttempts.map(\.errorClass)
    let isBad = !step.isStoppedByMonitor && (step.result == "failed" || step.result == "error")
    let note = step.isIgnored ? ", ignored" : ""
    var lines: [String] = []
    switch step.result {
    case "passed", "flaky", "failed", "error", "skipped":
      if isLive {
        let symbol = isBad ? "✗" : step.result == "skipped" || step.isStoppedByMonitor ? "–" : "✓"
        let whose = run.whose(event.device, row: run.scenario?.rowText)
        let space = ConsoleText.nameWidth(in: width, beside: 15 + ConsoleText.cells(whose))
        let name = ConsoleText.padded(ConsoleText.cut(step.name, to: space), space)
        let tries = step.result == "flaky" ? "   try \(step.attempts) (\(classes.last ?? ""))" : ""
        let reason = step.result == "error" || step.isStoppedByMonitor ? "   \(step.reason ?? "")" : ""
        let time = ConsoleText.rightAligned(seconds, 7)
        lines = [" \(symbol) \(whose)\(ConsoleText.padded(step.id, 3)) \(name) \(time)\(tries)\(reason)\(note)"]
      } else {
        let word =
          step.isStoppedByMonitor
          ? "stopped" : step.result == "error" ? "ERROR" : step.result == "failed" ? "FAILED" : step.result ?? ""
        let pass = step.pass.map { ", pass \($0)" } ?? ""
        let tries = pass + (step.attempts > 1 ? ", \(step.attempts) tries" : "")
        let hasReason = step.result == "error" || step.result == "skipped" || step.isStoppedByMonitor
        let reason = hasReason ? ": \(step.reason ?? "")" : ""
        lines = [
          stamped(
            event, "\(ConsoleText.padded(word, 6)) \(step.name)\(rowMark(run)) (\(seconds)\(tries))\(reason)\(note)")
        ]
      }
    default: return []
    }
    return isBad ? lines + failureBlock(step, run) : lines
  }

  private func failureBlock(_ step: RunTranscript.Step, _ run: RunTranscript) -> [String] {
    guard let expectation = step.failedExpectation else {
      // What failed inside it was shown.
      guard step.failures.isEmpty else { return [] }
      let place = place([
        "file": .string(step.file), "line": .int(step.line), "column": .int(step.column), "endLine": .int(step.line),
        "endColumn": .int(step.column + 1),
      ])
      return step.isIgnored ? place : place + rerun(run)
    }
    let verdict = VerdictText(step)
    var fields = expectation
    if fields["file"] == nil { fields["file"] = .string(step.file) }
    var lines = place(fields)
    lines.append("   expected  \(verdict.expected)")
    lines.append("   observed  \(verdict.observed)")
    if let nearest = verdict.nearest { lines.append("   nearest   \(nearest)") }
    if let seen = verdict.statusLine { lines.append("   statuses  \(seen)") }
    if let remark = verdict.remark { lines.append("   remark    \(remark)") }
    if let because = verdict.because { lines.append("   because   \(because)") }
    return step.isIgnored ? lines : lines + rerun(run)
  }

  private func rerun(_ run: RunTranscript) -> [String] {
    run.scenario.map { ["\(Self.rerunHead)\(run.rerunLine(of: $0))"] } ?? []
  }

  /// One line for what failed, and why: all that quiet tells before the verdict.
  private func quietFailure(_ event: Event, _ run: RunTranscript) -> [String] {
    let mark = run.scenario.map(\.mark).flatMap { $0.isEmpty ? nil : "\($0) " } ?? ""
    let fields = event.fields
    if event.type == .monitorFailed, fields["ignored"]?.bool != true {
      let got = WantText.values(fields["got"]?.object ?? [:])
      let place = "\(fields["file"]?.string ?? ""):\(fields["line"]?.int ?? 0)"
      return ["FAILED \(mark)watch: \(fields["name"]?.string ?? ""): observed \(got) (\(place))"]
    }
    guard event.type == .stepFinished, let step = run.scenario?.last, !step.isIgnored, !step.isStoppedByMonitor,
      step.failures.isEmpty, step.result == "failed" || step.result == "error"
    else { return [] }
    let reason = step.failedExpectation == nil ? step.shownReason : VerdictText(step).oneLine
    let because = reason.map { ": \($0)" } ?? ""
    let word = step.result == "error" ? "ERROR" : "FAILED"
    return ["\(word) \(mark)\(step.id) \(step.name)\(because) (\(step.file):\(step.line))"]
  }

  /// One line for a row of steps that were not run.
  func notRun(_ events: [Event], isLive: Bool) -> [String] {
    guard style.level >= .normal, let first = events.first, let last = events.last else { return [] }
    let ids = [first.step, events.count > 1 ? last.step : nil].compactMap { $0 }.joined(separator: "-")
    if isLive { return [TerminalText.escaped(" – \(ids) not run")] }
    let time = UTCTime(unixSeconds: last.wallTime).timeOfDay
    return [TerminalText.escaped("\(time) \(last.device ?? "-") \(ids) not run")]
  }

  // MARK: the end

  private func verdict(_ run: RunTranscript) -> [String] {
    let exit = run.finished?["exit"]?.int ?? 0
    let scenarios = run.finalScenarios.filter { $0.finished != nil }
    // Quiet tells of many what is wrong.
    let isShort = style.level == .quiet && scenarios.count > 1
    var lines = scenarios.filter { !isShort || $0.result != "passed" }.map { scenario in
      verdict(of: scenario, in: run) + (scenarios.count > 1 ? "" : " · exit \(exit)")
    }
    if scenarios.count > 1 {
      let names = [("passed", "passed"), ("flaky", "flaky"), ("failed", "failed"), ("error", "in error")]
      let counts = names.compactMap { name, word -> String? in
        let count = run.finished?["scenarios"]?[name]?.int ?? 0
        return count > 0 ? "\(count) \(word)" : nil
      }
      let word = (run.finished?["result"]?.string ?? "").uppercased()
      let seconds = run.finishedAt.decimals(1, padded: true)
      lines.append("\(word) all \(scenarios.count): \(counts.joined(separator: ", ")) in \(seconds)s · exit \(exit)")
    }
    if let path = style.eventsPath { lines.append("events \(path)") }
    return lines
  }

  private func verdict(of scenario: RunTranscript.Scenario, in run: RunTranscript) -> String {
    let fields = scenario.finished ?? [:]
    let names = [
      ("passed", "passed"), ("flaky", "flaky"), ("failed", "failed"), ("errors", "in error"),
      ("skipped", "skipped"), ("notRun", "not run"), ("ignored", "ignored"),
    ]
    let counts = names.compactMap { name, word -> String? in
      let count = fields[name]?.int ?? 0
      return count > 0 ? "\(count) \(word)" : nil
    }
    let device = run.deviceText(of: scenario)
    let row = scenario.rowText.map { " \($0)" } ?? ""
    let tries = scenario.attempt > 1 ? ", try \(scenario.attempt)" : ""
    let cleanup = fields["cleanup"]?.string == "failed" ? ", cleanup failed" : ""
    let error = fields["error"]?["message"]?.string.map { " (\($0))" } ?? ""
    let word = (scenario.result ?? "").uppercased()
    let seconds = scenario.duration.decimals(1, padded: true)
    let told = counts.isEmpty ? "no steps" : counts.joined(separator: ", ")
    return "\(word) \(scenario.document) [\(device)]\(row) \(told)\(cleanup)\(error)\(tries) in \(seconds)s"
  }
}
