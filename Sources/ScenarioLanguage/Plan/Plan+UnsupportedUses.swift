import CastProtocol

/// What the language has and a run cannot do yet: found before anything is connected, never skipped over.
extension Plan {
  /// One problem for each use, in the order of the document; empty when all of the plan can be run.
  package var unsupportedUses: [Diagnostic] {
    features.sorted { left, right in
      (left.primary.span.line, left.primary.span.column) < (right.primary.span.line, right.primary.span.column)
    }
  }

  /// Requirements of the inventory for this plan's devices that a run cannot check yet.
  private var features: [Diagnostic] {
    let own = roles.isEmpty ? devices?.selectors ?? [device] : roles.map(\.device)
    var told: Set<SourceSpan> = []
    var tags: Set<String> = []
    // Many selectors may ask for the same tag, each with all of its devices.
    let asked = own.flatMap { selector in
      selector.tag.map { tags.insert($0).inserted } ?? false ? [selector] + selector.tagged : [selector]
    }
    return asked.compactMap { selector -> Diagnostic? in
      let requirements = selector.requirements
      let place = requirements.featuresSpan ?? selector.span
      guard !requirements.features.isEmpty, told.insert(place).inserted else { return nil }
      let of = selector.inventoryID.map { " of the device `\($0)`" } ?? " of a device"
      return Self.refusal(
        "`expect`\(of) cannot be checked by a run yet", at: place,
        label: "asks for \(requirements.features.map { "`\($0)`" }.joined(separator: ", "))",
        related: place == selector.span ? [] : [.init(selector.span, "the device is used here")],
        help: "leave it out for now; a step can ask: `expect: { commands: { has: [rate] } }`")
    }
  }

  private static func refusal(
    _ message: String, at span: SourceSpan, label: String = "", related: [Diagnostic.Label] = [], help: String
  ) -> Diagnostic {
    Diagnostic(.error, .k110, message, at: .init(span, label), related: related, footers: [.help(help)])
  }

  /// Notes of `check` on a valid scenario that a run cannot do all of.
  package var notes: [Diagnostic] {
    unsupportedUses.map { refusal in
      var note = refusal
      note.severity = .note
      return note
    }
  }
}

extension RunnableDocument {
  /// One problem for each use in any of the rows, each place once; empty when all of the document can be run.
  package var unsupportedUses: [Diagnostic] {
    var seen: Set<String> = []
    return rows.flatMap(\.unsupportedUses).filter { problem in
      let span = problem.primary.span
      return seen.insert("\(span.file):\(span.line):\(span.column) \(problem.message)").inserted
    }
  }
}
