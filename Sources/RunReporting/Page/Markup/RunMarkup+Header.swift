import CastProtocol
import ScenarioLanguage

/// The verdict, the documents that were run, and the devices.
extension RunMarkup {
  var header: HTML {
    let about = transcript.run
    let finished = transcript.finished
    let counts = finished.map { finished -> String in
      let counts = finished.scenarios
      let words: [(Int, String)] = [
        (counts.passed, "passed"), (counts.flaky, "flaky"), (counts.failed, "failed"), (counts.error, "in error"),
        (counts.skipped, "skipped"),
      ]
      return words.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
    let exit = finished.map { finished in
      "\(finished.exit)" + (Int32(exactly: finished.exit).flatMap(RunExit.init).map { ": \($0.meaning)" } ?? "")
    }
    let facts: [(String, String?)] = [
      ("scenarios", counts.flatMap { $0.isEmpty ? nil : $0 }),
      ("steps", stepCounts), ("duration", finished == nil ? nil : TimelineMarkup.seconds(transcript.finishedAt)),
      ("exit", exit), ("run", about.run.isEmpty ? nil : about.run), ("seed", about.seed.map { String($0) }),
      ("began", transcript.scenarios.first.map { UTCTime(unixSeconds: $0.startedAt).text }),
      ("speed", about.speed.map { $0.decimals(3) + "x; times are the document's" }),
    ]
    let list = facts.compactMap { name, value -> HTML? in value.map { "<dt>\(name)</dt><dd>\($0)</dd>" } }
    let documents = about.documents.prefix(100).map { document -> HTML in
      let tags = document.tags.prefix(50).map { "<span class=\"tag\">\($0)</span> " as HTML }
      return """
        <tr><th scope="row">\(document.id)</th><td><code>\(document.file)</code> \(tags)</td>\
        <td><code class="hash">\(document.sha256 ?? "")</code></td></tr>
        """
    }
    let documentTable: HTML =
      documents.isEmpty
      ? ""
      : """
      <div class="wide"><table><thead><tr><th scope="col">document</th><th scope="col">file</th><th scope="col">SHA-256</th></tr>\
      </thead><tbody>\(documents)</tbody></table></div>
      """
    return """
      <header class="r-\(word)"><h2><span class="badge">\(word)</span> \(file)</h2>
      <dl class="facts">\(list)</dl>\(documentTable)\(deviceTable)</header>

      """
  }

  var stepCounts: String? {
    var counts = EventKind.StepCounts()
    for scenario in transcript.finalScenarios {
      guard let more = scenario.finished?.counts else { continue }
      counts.passed += more.passed
      counts.flaky += more.flaky
      counts.failed += more.failed
      counts.errors += more.errors
      counts.skipped += more.skipped
      counts.notRun += more.notRun
      counts.ignored += more.ignored
    }
    return Self.text(counts)
  }

  static func text(_ counts: EventKind.StepCounts) -> String? {
    let words: [(Int, String)] = [
      (counts.passed, "passed"), (counts.flaky, "flaky"), (counts.failed, "failed"), (counts.errors, "in error"),
      (counts.skipped, "skipped"), (counts.notRun, "not run"), (counts.ignored, "failed, ignored"),
    ]
    let text = words.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return text.isEmpty ? nil : text
  }

  var deviceTable: HTML {
    // Each row of a matrix finds its device anew.
    var seen: Set<String> = []
    let devices = transcript.devices.reversed().filter { seen.insert($0.id).inserted }.reversed()
    guard !devices.isEmpty else { return "" }
    let rows = devices.prefix(Self.deviceLimit).map { id, device -> HTML in
      let connection = device.connected
      let proof = [connection?.tls, connection?.authentication.map { "auth \($0.text)" }].compactMap(\.self)
      return """
        <tr><th scope="row">\(device.name)</th><td><code>\(id)</code></td><td>\(device.model ?? "")</td>\
        <td>\(device.firmware ?? "")</td><td><code>\(device.address ?? "")</code></td>\
        <td>\(proof.joined(separator: ", "))</td></tr>
        """
    }
    let rest = devices.count - rows.count
    let more: HTML = rest > 0 ? "<p class=\"left\">\(rest) more devices are not listed.</p>" : ""
    return """
      <div class="wide"><table><thead><tr><th scope="col">device</th><th scope="col">id</th><th scope="col">model</th>\
      <th scope="col">firmware</th><th scope="col">address</th><th scope="col">connection</th></tr></thead>\
      <tbody>\(rows)</tbody></table></div>\(more)
      """
  }

  var notice: HTML {
    guard let notice = transcript.endNotice else { return "" }
    let resume: HTML? =
      transcript.finished == nil
      ? transcript.fate.command.map { command in
        let note: HTML? = command.note.map { "; \($0)" }
        return "</p><p class=\"rerun\">\(command.purpose): <code>\(command.line)</code>\(note)"
      } : nil
    return "<p class=\"notice\" role=\"note\"><b>\(notice.message)</b> \(notice.detail)\(resume)</p>"
  }

  /// All scenarios in a table, where there are several.
  var summary: HTML {
    let scenarios = transcript.scenarios
    guard scenarios.count > 1 else { return "" }
    let rows = scenarios.prefix(Self.scenarioLimit).enumerated().map { index, scenario -> HTML in
      """
      <tr class="r-\(scenario.result?.rawValue ?? "unfinished")"><th scope="row"><a href="#\(id)-s\(index + 1)">\
      \(title(of: scenario))</a></th><td>\(scenario.result?.rawValue ?? "unfinished")</td>\
      <td>\(TimelineMarkup.seconds(scenario.duration))</td><td>\(scenario.finished?.firstFailure ?? "")</td></tr>
      """
    }
    return """
      <div class="wide"><table class="scenarios"><thead><tr><th scope="col">scenario</th><th scope="col">result</th>\
      <th scope="col">duration</th><th scope="col">first failure</th></tr></thead><tbody>\(rows)</tbody></table></div>
      """
  }

  func title(of scenario: RunTranscript.Scenario) -> String {
    let row = scenario.rowText.map { " \($0)" } ?? ""
    let attempt = scenario.attempt > 1 ? ", try \(scenario.attempt)" : ""
    return "\(scenario.document) [\(transcript.deviceText(of: scenario))]\(row)\(attempt)"
  }

  var problems: HTML {
    guard !run.problems.isEmpty else { return "" }
    let items = run.problems.map { problem -> HTML in
      let help = (problem.help ?? []).map { "<p>\(HTML.cut($0, to: 1_000))</p>" as HTML }
      return """
        <li class="d-\(problem.severity.rawValue)"><b>\(problem.severity.rawValue)</b> <code>\(problem.code)</code> \
        \(HTML.cut(problem.message, to: 2_000))\(sources.html(problem.place))\(help)</li>
        """
    }
    let more: HTML =
      run.missedProblems > 0 ? "<p class=\"left\">\(run.missedProblems) more are not on this page.</p>" : ""
    let isOpen = run.problems.contains { $0.severity == .error }
    return """
      <details class="problems"\(" open", if: isOpen)><summary>\(run.problems.count) \
      \(run.problems.count == 1 ? "note" : "notes") besides the steps</summary><ul>\(items)</ul>\(more)</details>
      """
  }
}
