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
  private var result: JSONObject = [:]

  /// The timeline of each scenario of a run: rows one after the other, devices one below the other.
  package static func text(of document: RunnableDocument, events: [Event]) -> String {
    let begins = events.indices.filter { events[$0].type == .scenarioStarted }
    func plan(of start: Event?) -> Plan? {
      let row = start?.fields["row"]?.object ?? [:]
      return document.rows.first { JSONObject($0.row.map { .init($0.name, $0.value) }) == row } ?? document.rows.first
    }
    guard begins.count > 1 else {
      let only = plan(of: begins.first.map { events[$0] })
      return only.map { Timeline(of: $0, events: events, warnings: document.warnings).text } ?? ""
    }
    return begins.compactMap { begin in
      let start = events[begin]
      let row = start.fields["row"]?.object ?? [:]
      guard let plan = plan(of: start) else { return nil }
      let own = events[begin...].filter { start.device == nil || $0.device == start.device }
      let end = own.firstIndex { $0.type == .scenarioFinished } ?? own.endIndex
      let values = row.members.map { "\($0.name)=\($0.value.string ?? $0.value.serialized())" }
      let attempt = start.fields["attempt"]?.int ?? 1
      let title = values + (plan.devices == nil ? [] : [start.device ?? ""]) + (attempt > 1 ? ["try \(attempt)"] : [])
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
  package var text: String { (lines + [verdict]).map(TerminalText.escaped).joined(separator: "\n") }

  private mutating func add(_ event: Event) {
    switch event.type {
    case .status: screen.apply(event.fields)
    case .stepStarted:
      guard let id = event.step else { return }
      started[id] = (event.elapsed, event.fields["deadline"]?.number)
      parents[id] = event.fields["parent"]?.string
      if let step = steps[id], step.isFlow, isShown(event) { lines.append(row(event.elapsed, id, step.name)) }
      open.append(id)
    case .stepFinished: finish(event)
    case .attemptFailed:
      let error = event.fields["error"]
      lines.append(row(event.elapsed, event.step ?? "", "failed try: \(error?["message"]?.string ?? "")"))
    case .expectFailed:
      failure = VerdictText(event.fields).oneLine
    case .monitorFailed:
      lines.append(row(event.elapsed, event.step ?? "", "monitor failed: \(event.fields["name"]?.string ?? "")"))
    case .mark, .log:
      lines.append(row(event.elapsed, "", "\(event.type.rawValue): \(event.fields["text"]?.string ?? "")"))
    case .finallyStarted: lines.append(row(event.elapsed, "", "finally:"))
    case .diagnostic where event.fields["severity"]?.string == "warning": warnings += 1
    case .scenarioFinished:
      result = event.fields
      lines.append(row(event.elapsed, "", "done (timeout \(plan.timeout.spelled))"))
    default: break
    }
  }

  /// How many passes of a loop are told; then only what goes wrong.
  private static let shownPasses = 3

  private func isShown(_ event: Event) -> Bool {
    guard let pass = event.fields["pass"]?.int, pass > Self.shownPasses else { return true }
    return ["failed", "error"].contains(event.fields["result"]?.string)
  }

  private mutating func finish(_ event: Event) {
    guard let id = event.step, let step = steps[id] else { return }
    parents[id] = event.fields["parent"]?.string
    let isOpen = open.contains(id)
    if let index = open.lastIndex(of: id) { open.remove(at: index) }
    let begun: (at: Double, deadline: Double?) =
      isOpen ? started[id] ?? (event.elapsed, nil) : (event.elapsed, nil)
    guard let outcome = event.fields["result"]?.string, outcome != "not_run" else {
      if isShown(event) { lines.append(row(event.elapsed, id, step.name, note: "not run")) }
      return
    }
    if outcome == "skipped" {
      let reason = event.fields["reason"]?.string ?? ""
      if isShown(event) { lines.append(row(event.elapsed, id, step.name, note: "skipped: \(reason)")) }
      return
    }
    var notes: [String] = []
    let waited = event.elapsed - begun.at
    if waited >= 0.05 { notes.append("waits \(Self.seconds(waited))") }
    if step.hasWindow, waited >= 0.05, let deadline = begun.deadline, outcome == "passed" {
      notes.append("margin \(Self.seconds(max(0, deadline - event.elapsed)))")
    }
    if outcome != "passed" { notes.append(outcome.uppercased()) }
    if let failure {
      notes.append(failure)
    } else if step.isFlow, let reason = event.fields["reason"]?.string {
      notes.append(reason)
    }
    failure = nil
    if step.isFlow {
      // Its steps stand between where it began and here.
      if outcome != "passed" { lines.append(row(event.elapsed, id, "ends", note: notes.joined(separator: "   "))) }
      return
    }
    guard isShown(event) else { return }
    if let pass = event.fields["pass"]?.int { notes.insert("pass \(pass)", at: 0) }
    if let shown = screen.change() { notes.append("▸ \(shown)") }
    lines.append(row(begun.at, id, step.name, note: notes.joined(separator: "   ")))
  }

  private var verdict: String {
    let count = plan.setup.count + plan.steps.count
    let expectations = (plan.setup + plan.steps).flattened.count(where: \.isJudgement)
    if result["result"]?.string == "passed" || result["result"]?.string == "flaky" {
      var counted = [Self.counted(count, "step"), Self.counted(expectations, "expectation")]
      if !plan.watch.isEmpty { counted.append(Self.counted(plan.watch.count, "monitor")) }
      let all = counted.dropLast().joined(separator: ", ") + " and " + (counted.last ?? "")
      let warned = warnings == 0 ? "No warnings." : "\(Self.counted(warnings, "warning"))."
      return "\(all) can all pass. \(warned)"
    }
    let first = result["firstFailure"]?.string.map { ", first at \($0)" } ?? ""
    return "This scenario cannot pass against a virtual receiver\(first)."
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

    mutating func apply(_ fields: JSONObject) {
      guard fields["scope"]?.string == "media" else { return }
      let unset = fields["unset"]?.array?.compactMap(\.string) ?? []
      if unset.contains("player") { player = nil }
      if unset.contains("break") { adBreak = nil }
      guard let set = fields["set"] else { return }
      if let now = set["player"]?.string { player = now }
      if let now = set["break"] {
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
  /// Whether the step judges rather than acts.
  package var isJudgement: Bool {
    switch action {
    case .expect, .always, .never, .expectSequence, .expectMessage, .expectTogether: true
    default: false
    }
  }

  /// Whether the step is over as soon as something comes true, so that being early is a margin.
  fileprivate var hasWindow: Bool {
    switch action {
    case .expect, .expectSequence, .waitUntil: true
    default: false
    }
  }
}
