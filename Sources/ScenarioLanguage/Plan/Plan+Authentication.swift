extension RunnableDocument {
  /// Whether a device has to prove itself somewhere in the document.
  package var requiresAuthentication: Bool { rows.contains(where: \.requiresAuthentication) }
}

extension Plan {
  fileprivate var requiresAuthentication: Bool {
    let selectors = [device] + roles.map(\.device) + (devices?.selectors ?? []) + Array(inventory.values)
    return selectors.contains { $0.requirements.authentication == .require }
      || allSteps.contains { if case .connect(_, .require?) = $0.action { true } else { false } }
  }
}
