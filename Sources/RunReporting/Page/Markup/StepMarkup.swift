import CastProtocol
import ScenarioLanguage

/// One step of a scenario, with all that is known of it.
struct StepMarkup {
  let step: RunTranscript.Step
  let sources: SourceMarkup
  let pictures: PictureSlots
  let rerun: String
  /// What is known of a run without an end.
  let fate: RunFate
  /// Whether its device is told: where there are several.
  let tellsDevice: Bool
  /// How deep it stands in other steps.
  var depth = 0

  static let depthLimit = 8
  static let textLimit = 1_000

  var isBad: Bool { step.result?.isBad == true && !step.isIgnored || step.result == nil }

  var html: HTML {
    let word = step.result?.shownWord ?? "unfinished"
    let ignored = step.isIgnored ? " (ignored)" : ""
    let pass = step.pass.map { ", pass \($0)" } ?? ""
    let tries =
      (step.attempts > 1 ? ", \(step.attempts) tries" : "") + (step.resumed.map { ", \($0.rawValue)" } ?? "")
    let time = step.result == .skipped || step.result == .notRun ? "" : timeText
    return """
      <details class="item r-\(step.result?.rawValue ?? "unfinished")"\(" open", if: isBad)>\
      <summary><b class="sign">\(step.result?.sign ?? "…")</b> <code>\(step.id)</code> <span class="name">\(step.name)</span> \(verb)\
      <span class="word">\(word)\(ignored)\(pass)\(tries)</span>\
      <span class="who">\(tellsDevice ? step.device ?? "" : "")</span><span class="time">\(time)</span>\(shortReason)</summary>
      <div class="body">\(content)</div></details>

      """
  }

  /// The verb, where the name does not begin with it.
  var verb: HTML {
    guard let verb = step.verb, !step.name.hasPrefix(verb) else { return "" }
    return "<span class=\"who\">\(verb)</span> "
  }

  /// Why a step was not carried out is told without opening it.
  var shortReason: HTML {
    guard step.result == .skipped || step.result == .notRun, let reason = step.reason else { return "" }
    return "<span class=\"why\">\(HTML.cut(reason, to: Self.textLimit))</span>"
  }

  var allowed: Double? { step.deadline.map { max(0, $0 - step.startedAt) } }

  var timeText: String {
    let took = step.result == nil ? "" : TimelineMarkup.seconds(step.duration)
    return took + (allowed.map { " of at most \(TimelineMarkup.seconds($0))" } ?? "")
  }

  var content: HTML {
    var html: HTML = ""
    if step.result == nil { html += "<p class=\"bad\">\(step.unfinishedText(fate))</p>" }
    if let reason = step.reason, step.result?.isBad == true {
      html += "<p class=\"reason\">\(HTML.lines(HTML.cut(reason, to: Self.textLimit)))</p>"
    }
    html += sources.html(step.failedExpectation.flatMap { isBad ? $0.place : nil } ?? step.place)
    html += meter
    if let resumed = step.resumedText { html += "<p class=\"resumed\">\(resumed)</p>" }
    if let skew = step.skewText { html += "<p class=\"skew\">the devices were \(skew)</p>" }
    html += attempts
    html += verdict
    if step.failedExpectation == nil, let faults = RunMarkup.faults(step.faultLines) {
      html += "<dl><dt>faults</dt><dd>\(HTML.cut(faults, to: Self.textLimit))</dd></dl>"
    }
    html += statuses
    html += messages
    html += pages
    if let saved = step.saved {
      html += "<p>saved <code>\(HTML.cut(WantText.values(saved), to: Self.textLimit))</code></p>"
    }
    html += inner
    if isBad { html += "<p class=\"rerun\">run it again: <code>\(rerun)</code></p>" }
    return html
  }

  /// The time that it took against what it had.
  var meter: HTML {
    guard let allowed, allowed > 0, step.result != nil, step.result != .skipped, step.result != .notRun else {
      return ""
    }
    let part = min(100, step.duration / allowed * 100)
    return """
      <svg class="meter" width="100%" height="6" role="img" aria-label="\(timeText)"><rect class="bed" width="100%" height="6"/>\
      <rect class="used" width="\(percent: part)" height="6"/></svg>
      """
  }

  var attempts: HTML {
    guard !step.failedAttempts.isEmpty else { return "" }
    let shown = step.failedAttempts.suffix(RunTranscript.statusLimit)
    let items = shown.map { failed -> HTML in
      let wire = failed.error.wire.map { "<pre>\(HTML.cut($0.serialized(), to: Self.textLimit))</pre>" as HTML }
      let help = failed.error.help.map { "<p>\(HTML.cut($0, to: Self.textLimit))</p>" as HTML }
      let next = failed.nextTryIn.map { ", tried again after \(TimelineMarkup.seconds($0))" } ?? ""
      return """
        <li value="\(failed.attempt)"><code>\(failed.error.className)</code> \
        \(HTML.lines(HTML.cut(failed.error.message, to: Self.textLimit)))\(next)\(wire)\(help)</li>
        """
    }
    let count = step.failedAttempts.count
    let rest = count - shown.count
    let more: HTML = rest > 0 ? "<p class=\"left\">The first \(rest) are not on this page.</p>" : ""
    return """
      <details class="tries"\(" open", if: isBad)><summary>\(count) \(count == 1 ? "try" : "tries") failed</summary>\(more)\
      <ol>\(items)</ol></details>
      """
  }
}
