import CastProtocol
import ScenarioLanguage

extension Program {
  /// What the zone is called for people.
  var zoneName: String { plan.timeZone ?? "the computer's clock" }

  /// Its name in a list: a daypart, the words of its time, `quiet`.
  func name(of decision: Decision) -> String {
    switch decision.content {
    case .quiet: "quiet"
    case .rule: decision.decidedBy.daypart ?? decision.decidedBy.time
    case .fallback: "fallback"
    case .nothing: "nothing"
    }
  }

  /// The items that it shows, by id or address.
  func items(of decision: Decision) -> [String] {
    let items: [PlaylistPlan.Item] =
      switch decision.content {
      case .quiet, .nothing: []
      case .rule(let index): plan.program.indices.contains(index) ? plan.program[index].items : []
      case .fallback: plan.fallback
      }
    return items.map(\.name)
  }

  /// What the screen does: `espresso, croissant`, `the screen stops`.
  func screen(of decision: Decision) -> String {
    var text =
      switch decision.content {
      case .quiet(.stop): "the screen stops"
      case .quiet: "the screen is black"
      case .nothing: "nothing"
      case .rule, .fallback: items(of: decision).joined(separator: ", ")
      }
    if decision.goesOnQuietly { text += ", in quiet hours" }
    if decision.isQuiet, decision.mutes { text += ", muted" }
    return text
  }

  /// Both in one line, each once: `breakfast: espresso, croissant`, `nothing`.
  func summary(of decision: Decision) -> String {
    let name = name(of: decision)
    let screen = screen(of: decision)
    return name == screen ? name : "\(name): \(screen)"
  }

  /// The kind of what is on, as JSON has it.
  func kind(of decision: Decision) -> String {
    switch decision.content {
    case .quiet: "quiet"
    case .rule: "rule"
    case .fallback: "fallback"
    case .nothing: "nothing"
    }
  }
}

extension Decision.Reason {
  /// `program[0], line 23: breakfast (mon 07:00-11:00), line 9`.
  var text: String {
    var text = "\(part), line \(line): "
    if let daypart {
      text += daypart
      // The built-in one stands in no line, and its name says its time.
      if let daypartLine { text += " (\(time)), line \(daypartLine)" }
    } else {
      text += time
    }
    return text
  }
}
