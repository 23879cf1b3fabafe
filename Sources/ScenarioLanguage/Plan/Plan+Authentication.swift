extension RunnableDocument {
  /// Whether a device has to prove itself somewhere in the document.
  package var requiresAuthentication: Bool { rows.contains(where: \.requiresAuthentication) }
}

extension Plan {
  fileprivate var requiresAuthentication: Bool {
    let selectors = [device] + roles.map(\.device) + (devices?.selectors ?? []) + Array(inventory.values)
    return selectors.contains(where: \.requirements.authentication.demandsProof)
      || allSteps.contains { if case .connect(_, let asked?) = $0.action { asked.demandsProof } else { false } }
  }
}
