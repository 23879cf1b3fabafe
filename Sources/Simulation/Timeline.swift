import CastProtocol
package import ScenarioLanguage
import DeviceControl
package import RunReporting
import ScenarioRunner

/// What `simulate` prints: a line per step with its virtual time, how long it waited and by how much it was in time.
package struct Timeline {
  private let plan: Plan
  private let steps: [String: Plan.Step]
  /// The longest step id and two spaces.
  private let idWidth: Int
  private var lines: [String] = []
  private var started: [String: (at: Double, deadline: Double?)] = [:]
  /// The ids of the steps that run, in the order of their beginning.
  private var open: [String] = []
  private var parents: [String: String] = [:]
  private var screen = Screen()
  /// Why the step that is about to finish failed.
  private var failure: String?
  private var warnings: Int
  private var result: EventKind.ScenarioFinished?
  /// Faults of the virtual receivers that came, each once, in their order.
  private var faults: [EventKind.FaultNote] = []
  private var seed: Int?

  /// The timeline of each scenario of a run: rows one after the other, devices one below the other.
  package static func text(of document: RunnableDocument, events: [Event]) -> String {
    let begins = events.indices.compactMap { index in
      if case .scenarioStarted(let started) = events[index].kind { (index: index, started: started) } else { nil }
    }
    func plan(of started: EventKind.ScenarioStarted?) -> Plan? {
      let row = started?.row ?? [:]
      return document.rows.first { JSONObject($0.row.map { .init($0.name, $0.value) }) == row } ?? document.rows.first
    }
    guard begins.count > 1 else {
      let only = plan(of: begins.first?.started)
      return only.map { Timeline(of: $0, events: events, warnings: document.warnings).text } ?? ""
    }
    return begins.compactMap { begin, started in
      let start = events[begin]
      guard let plan = plan(of: started) else { return nil }
      let own = events[begin...].filter { start.device == nil || $0.device == start.device || $0.type == .fault }
      let end = own.firstIndex { $0.type == .scenarioFinished } ?? own.endIndex
      let values = started.row.members.map { "\($0.name)=\($0.value.string ?? $0.value.serialized())" }
      let title =
        values + (plan.devices == nil ? [] : [start.device ?? ""])
        + (started.attempt > 1 ? ["try \(started.attempt)"] : [])
      let timeline = Timeline(
        of: plan, events: Array(own[...min(end, own.index(before: own.endIndex))]), warnings: document.warnings)
      return "\(title.joined(separator: " ")):\n\(timeline.text)"
    }.joined(separator: "\n\n")
  }

  /// Reads a whole run of `plan`.
  /// - Parameter warnings: How many were told before it.
  package init(of plan: Plan, events: [Event], warnings: Int = 0) {
    self.warnings = warnings
    let plan = plan.withRolesWrittenOut
    self.plan = plan
    let all = plan.allSteps
    steps = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    idWidth = (all.map(\.id.count).max() ?? 0) + 2
    for event in events { add(event) }
  }

  /// The lines, then the verdict.
  package var text: String { (lines + verdict).map(TerminalText.escaped).joined(separator: "\n") }

  private mutating func add(_ event: Event) {
    switch event.kind {
    case .status(let change): screen.apply(change)
    case .stepStarted(let begun):
      guard let id = event.step else { return }
      started[id] = (event.elapsed, begun.deadline)
      parents[id] = begun.parent
      if let step = steps[id], step.isFlow, Self.isShown(pass: begun.pass) {
        lines.append(row(event.elapsed, id, step.name))
      }
      open.append(id)
    case .stepFinished(let finished): finish(finished, event)
    case .attemptFailed(let failed):
      lines.append(row(event.elapsed, event.step ?? "", "failed try: \(failed.error.message)"))
    case .expectFailed(let failed): failure = VerdictText(failed).oneLine
    case .monitorFailed(let broken):
      lines.append(row(event.elapsed, event.step ?? "", "monitor failed: \(broken.name)"))
    case .mark(let note), .log(let note):
      lines.append(row(event.elapsed, "", "\(event.type.rawValue): \(note.text)"))
    case .finallyStarted: lines.append(row(event.elapsed, "", "finally:"))
    case .fault(let fault):
      if fault.isNews { lines.append(row(event.elapsed, "", "fault \(fault.oneLine)")) }
      if !faults.contains(where: fault.isOfSameEntry) { faults.append(fault) }
    case .runStarted(let started): seed = started.seed
    case .diagnostic(let problem): if problem.severity == .warning { warnings += 1 }
    case .scenarioFinished(let finished):
      result = finished
      lines.append(row(event.elapsed, "", "done (timeout \(plan.timeout.spelled))"))
    case .runFinished, .plan, .deviceFound, .deviceConnected, .deviceSoftware, .deviceLost, .deviceBack,
      .scenarioStarted,
      .request, .reply, .requestFinished, .messages, .expectPassed, .finallyFinished, .page, .screenshot:
      break
    }
  }

  /// How many passes of a loop are told; then only what goes wrong.
  private static let shownPasses = 3

  private static func isShown(pass: Int?, _ result: StepResult? = nil) -> Bool {
    (pass ?? 0) <= shownPasses || result?.isBad == true
  }

  private mutating func finish(_ finished: EventKind.StepFinished, _ event: Event) {
    guard let id = event.step, let step = steps[id] else { return }
    parents[id] = finished.parent
    let isOpen = open.contains(id)
    if let index = open.lastIndex(of: id) { open.remove(at: index) }
    let begun: (at: Double, deadline: Double?) =
      isOpen ? started[id] ?? (event.elapsed, nil) : (event.elapsed, nil)
    let isShown = Self.isShown(pass: finished.pass, finished.result)
    let outcome = finished.result
    if outcome == .notRun || outcome == .skipped {
      let note = outcome == .notRun ? "not run" : "skipped: \(finished.reason ?? "")"
      if isShown { lines.append(row(event.elapsed, id, step.name, note: note)) }
      return
    }
    var notes: [String] = []
    let waited = event.elapsed - begun.at
    if waited >= 0.05 { notes.append("waits \(Self.seconds(waited))") }
    if step.hasWindow, waited >= 0.05, let deadline = begun.deadline, outcome == .passed {
      notes.append("margin \(Self.seconds(max(0, deadline - event.elapsed)))")
    }
    if outcome != .passed { notes.append(outcome.rawValue.uppercased()) }
    if let failure {
      notes.append(failure)
    } else if step.isFlow, let reason = finished.reason {
      notes.append(reason)
    }
    failure = nil
    if step.isFlow {
      // Its steps stand between where it began and here.
      if outcome != .passed { lines.append(row(event.elapsed, id, "ends", note: notes.joined(separator: "   "))) }
      return
    }
    guard isShown else { return }
    if let pass = finished.pass { notes.insert("pass \(pass)", at: 0) }
    if let shown = screen.change() { notes.append("▸ \(shown)") }
    lines.append(row(begun.at, id, step.name, note: notes.joined(separator: "   ")))
  }

  private var verdict: [String] {
    let count = plan.setup.count + plan.steps.count
    let expectations = (plan.setup + plan.steps).flattened.count(where: \.isJudgement)
    if result?.result.isGood == true {
      var counted = [Self.counted(count, "step"), Self.counted(expectations, "expectation")]
      if !plan.watch.isEmpty { counted.append(Self.counted(plan.watch.count, "monitor")) }
      let all = counted.dropLast().joined(separator: ", ") + " and " + (counted.last ?? "")
      let warned = warnings == 0 ? "No warnings." : "\(Self.counted(warnings, "warning"))."
      return ["\(all) can all pass. \(warned)"]
    }
    let first = result?.firstFailure.map { ", first at \($0)" } ?? ""
    if !faults.isEmpty {
      let seed = seed.map { ", with seed \($0)" } ?? ""
      let told = faults.map { "  fault \($0.oneLine)" }
      return ["This scenario fails\(first)\(seed), and these faults had come:"] + told
    }
    return ["This scenario cannot pass against a virtual receiver\(first)."]
  }

  private func row(_ time: Double, _ id: String, _ text: String, note: String = "") -> String {
    let seconds = time.decimals(1, padded: true)
    let left = String(repeating: " ", count: max(0, 7 - seconds.count)) + seconds + "  "
    let step = id + String(repeating: " ", count: max(1, idWidth - id.count))
    let text = String(repeating: "  ", count: id.isEmpty ? open.count : depth(of: id)) + text
    if note.isEmpty { return left + step + text }
    return left + step + text + String(repeating: " ", count: max(2, 42 - text.count)) + note
  }

  /// How many steps hold this one.
  private func depth(of id: String) -> Int {
    var depth = 0
    var parent = parents[id]
    while let id = parent, depth < 100 {
      depth += 1
      parent = parents[id]
    }
    return depth
  }

  private static func seconds(_ value: Double) -> String { "\(value.decimals(1, padded: true))s" }

  private static func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

  /// What the device shows, as the status events tell it.
  private struct Screen {
    private var player: String?
    private var adBreak: String?
    private var told: String?

    mutating func apply(_ change: EventKind.StatusChange) {
      guard change.scope == .media else { return }
      if change.unset.contains("player") { player = nil }
      if change.unset.contains("break") { adBreak = nil }
      if let now = change.set["player"]?.string { player = now }
      if let now = change.set["break"] {
        adBreak = now["id"]?.string.map { id in "ad \(id)/\(now["clip"]?.string ?? "?")" }
      }
    }

    /// What is new since it was last told.
    mutating func change() -> String? {
      let now = adBreak ?? player
      defer { told = now }
      return now == told ? nil : now
    }
  }
}

extension Plan.Step {
  /// Whether the step is over as soon as something comes true, so that being early is a margin.
  fileprivate var hasWindow: Bool {
    if case .waitUntil = action { true } else { within != nil }
  }
}
