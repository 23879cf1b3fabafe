import CastProtocol

/// What `showcaller plan` prints of a playlist: what is on when, in the order in which it wins.
package struct PlaylistListing: Sendable {
  private let plan: PlaylistPlan

  package init(_ plan: PlaylistPlan) { self.plan = plan }

  /// The lines, without a newline at their ends.
  package var lines: [String] {
    var lines = ["\(plan.id) · \(plan.title)"]
    let devices = plan.devices.selectors
    lines.append("  device\(devices.count == 1 ? "" : "s") \(devices.map(\.text).joined(separator: " · "))")
    lines.append("  \(plan.timeZone ?? "the computer's clock"), app \(plan.appID), volume \(Self.text(plan.volume))")
    if let quiet = plan.quiet {
      lines.append("quiet")
      lines.append("  \(quiet.condition.text): screen \(quiet.screen.rawValue)\(quiet.mutes ? ", muted" : "")")
    }
    if !plan.interrupts.isEmpty {
      lines.append("interrupts")
      for interrupt in plan.interrupts {
        var line = "  \(interrupt.when): \(Self.text(interrupt.items)), cuts \(interrupt.cut.rawValue)"
        if let use = interrupt.trigger {
          if use.untilCleared { line += ", until it is cleared" }
          if let most = use.atMost { line += ", at most for \(most.spelled)" }
        }
        if let delay = interrupt.maxDelay { line += ", at most \(delay.spelled) late" }
        lines.append("\(line), then \(interrupt.then.rawValue)")
      }
    }
    lines += outside
    lines.append(plan.isSynchronised ? "program, all screens together" : "program")
    for rule in plan.program {
      var line = "  \(rule.during.text): \(Self.text(rule.items))"
      if rule.order != .listed { line += ", \(rule.order.rawValue)" }
      if !rule.repeats { line += ", once" }
      if rule.switches == .immediately { line += ", ends immediately" }
      lines.append(line)
    }
    lines.append("fallback")
    lines.append("  \(plan.fallback.isEmpty ? "nothing" : Self.text(plan.fallback))")
    let resume = plan.takeover.policy == .yield ? ", back after \(plan.takeover.resumeAfter.spelled)" : ""
    lines.append("  another sender: \(plan.takeover.policy.rawValue)\(resume)")
    return lines.map(TerminalText.escaped)
  }

  /// All lines as one text that ends with a newline.
  package var text: String { lines.joined(separator: "\n") + "\n" }

  /// Triggers, notifications and power.
  private var outside: [String] {
    var lines: [String] = []
    if !plan.triggers.isEmpty {
      lines.append("triggers")
      lines += plan.triggers.map { "  \($0.name): \($0.source.text)" }
    }
    if !plan.notify.isEmpty {
      lines.append("notify")
      lines += plan.notify.map { "  \($0.text)" }
    }
    if let power = plan.power {
      lines.append("power")
      if !power.on.isEmpty { lines.append("  on: \(power.on.joined(separator: " "))") }
      if !power.off.isEmpty { lines.append("  off: \(power.off.joined(separator: " "))") }
    }
    return lines
  }

  private static func text(_ volume: Double?) -> String { volume.map { "\(($0 * 100).decimals(1))%" } ?? "as it is" }

  private static func text(_ items: [PlaylistPlan.Item]) -> String {
    items.map { item in
      var text = item.name
      if let length = item.length { text += " \(length.spelled)" }
      if item.times > 1 { text += " ×\(item.times)" }
      if item.weight > 1 { text += " weight \(item.weight)" }
      if let valid = item.valid { text += " (\(valid.text))" }
      return text
    }.joined(separator: ", ")
  }
}

extension PlaylistPlan.During {
  /// In a line, the name first: `breakfast (mon 07:00-11:00)`.
  package var text: String {
    guard let name else { return condition.text }
    return condition == .anyTime ? name : "\(name) (\(condition.text))"
  }
}

extension PlaylistPlan.Trigger.Source {
  /// In a line: `while /run/alarm exists`.
  package var text: String {
    switch self {
    case .webhook: "by a webhook"
    case .file(let path): "while \(path) exists"
    case .alerts(let feed):
      "alerts of \(feed.url), \(feed.severities.map(\.rawValue).joined(separator: ", ")), every \(feed.every.spelled)"
    }
  }
}

extension PlaylistPlan.Notification {
  /// In a line: `dark for 5m, by a webhook`; an address may hold what nobody else should read.
  package var text: String {
    var text = occasions.map(\.rawValue).joined(separator: ", ")
    if lasting > .zero { text += " for \(lasting.spelled)" }
    if during != .anyTime { text += " during \(during.text)" }
    if let again { text += ", again every \(again.spelled)" }
    return switch channel {
    case .webhook: text + ", by a webhook"
    case .command(let words): text + ", by \(words.joined(separator: " "))"
    }
  }
}

extension PlaylistPlan.Interrupt {
  /// In a line: `every 30m during evening (17:00-01:00)`.
  package var when: String {
    let times =
      switch cause {
      case .trigger(let use): "on \(use.name)"
      case .times(let recurrence): recurrence.text
      }
    return during == .anyTime ? times : "\(times) during \(during.text)"
  }
}
