import CastProtocol

/// What `showcaller plan` prints: every step with its deadline, its tries and the longest the whole may take.
package struct PlanListing: Sendable {
  private let plan: Plan

  package init(_ plan: Plan) { self.plan = plan }

  /// The lines, without a newline at their ends.
  package var lines: [String] {
    let row = plan.row.isEmpty ? "" : " [\(plan.rowText)]"
    var lines = ["\(plan.id) · \(plan.title)\(row)"] + targets
    for variable in plan.variables {
      lines.append("  variable \(variable.name) = \(variable.text)")
    }
    lines.append("  deadline \(plan.timeout.spelled), finally \(plan.finallyTimeout.spelled)")
    if !plan.schedules.isEmpty {
      lines.append("schedule")
      lines += plan.schedules.map { "  \($0.text)" }
    }
    if !plan.watch.isEmpty {
      lines.append("watch")
      lines += plan.watch.map { "  \($0.name): \($0.text)" }
    }
    for section in Plan.Section.allCases where !plan[section].isEmpty {
      lines.append(section.rawValue)
      lines += Self.lines(of: plan[section], margin: "")
    }
    let body = (plan.setup + plan.steps).map(\.bound).reduce(Duration.zero, +)
    let count = plan.setup.count + plan.steps.count
    lines.append(
      "\(ScalarText.counted(count, "step")), at most \(min(body, plan.timeout).spelled) of \(plan.timeout.spelled)")
    return lines.map(TerminalText.escaped)
  }

  /// All lines as one text that ends with a newline.
  package var text: String { lines.joined(separator: "\n") + "\n" }

  /// The devices it is for.
  private var targets: [String] {
    if !plan.roles.isEmpty { return plan.roles.map { "  role \($0.name) = \($0.device.text)" } }
    guard let set = plan.devices else { return ["  device \(plan.device.text)"] }
    var line = "  devices \(set.selectors.map(\.text).joined(separator: ", "))"
    if let least = set.atLeast { line += ", at least \(least)" }
    if let most = set.atMost { line += ", at most \(most)" }
    return [line + " (\(set.order.rawValue))"]
  }

  private static func lines(of steps: [Plan.Step], margin: String) -> [String] {
    let idWidth = steps.map(\.id.count).max() ?? 0
    let nameWidth = min(steps.map(\.name.count).max() ?? 0, 48)
    return steps.flatMap { step in
      lines(of: step, idWidth: idWidth, nameWidth: nameWidth).map { margin + $0 } + inner(step, margin: margin + "  ")
    }
  }

  /// The steps inside a step, each list under what it is for.
  private static func inner(_ step: Plan.Step, margin: String) -> [String] {
    func list(_ title: String, _ steps: [Plan.Step]) -> [String] {
      steps.isEmpty ? [] : ["\(margin)  \(title)"] + lines(of: steps, margin: margin + "  ")
    }
    return step.action.unpacked.action.heldSteps.flatMap { nested in
      nested.title.map { list($0, nested.steps) } ?? lines(of: nested.steps, margin: margin)
    }
  }

  private static func lines(of step: Plan.Step, idWidth: Int, nameWidth: Int) -> [String] {
    var line = "  \(step.id.padded(to: idWidth))  \(step.name.padded(to: nameWidth))  at most \(step.bound.spelled)"
    if step.retry.retries { line += " (\(step.retry.attempts) tries of \(step.timeout.spelled))" }
    if step.ifFails != .stop { line += "  if it fails: \(step.ifFails.rawValue)" }
    if let onResume = step.onResume { line += "  on resume: \(onResume.rawValue)" }
    if let role = step.role { line += "  on \(role.text)" }
    var lines = [line]
    let margin = String(repeating: " ", count: idWidth + 4)
    if let reason = step.skip { lines.append("\(margin)skipped: \(ScalarText.shown(reason))") }
    if let condition = step.condition { lines.append("\(margin)if \(condition.text())") }
    if let detail = step.action.unpacked.action.detail { lines.append("\(margin)\(detail)") }
    if step.retry.retries {
      lines.append("\(margin)try at \(ScalarText.listed(step.retry.tryTimes(first: 7).map(\.spelled)))")
    }
    for saved in step.save { lines.append("\(margin)save \(saved.name) = \(saved.field.text)") }
    return lines
  }
}

extension Plan {
  /// The values of the matrix in words: `lang=no, speed=2`.
  package var rowText: String {
    row.map { value in
      if case .string(let text) = value.value { return "\(value.name)=\(text)" }
      return "\(value.name)=\(value.value.serialized())"
    }.joined(separator: ", ")
  }
}

extension Plan.Monitor {
  fileprivate var text: String {
    let long = forAtLeast.map { " for \($0.spelled)" } ?? ""
    return switch rule {
    case .always(let condition): "always \(condition.text())"
    case .never(let condition): "never \(condition.text())\(long)"
    }
  }
}

extension Plan.DeviceSelector {
  /// The selector in words: a plain name, else its parts.
  package var text: String {
    let parts: [(String, String?)] = [
      ("name", name), ("name like", nameLike), ("id", id), ("host", host?.text), ("model", model),
      ("model like", modelLike), ("tag", tag), ("kind", kind == .any ? nil : kind.rawValue),
    ]
    let given = parts.compactMap { label, value in value.map { (label, $0) } }
    let not = excluded.map { "not \($0.text)" }
    if given.count == 1, not.isEmpty, let name { return name }
    return (given.map { "\($0) \($1)" } + not).joined(separator: ", ")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    count >= width ? self : self + String(repeating: " ", count: width - count)
  }
}
