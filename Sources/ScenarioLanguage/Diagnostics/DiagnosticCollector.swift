/// Gathers what is wrong with a document, each cause once.
package struct DiagnosticCollector: Sendable {
  /// In the order found.
  package private(set) var diagnostics: [Diagnostic] = []

  package init() {}

  /// Adds a problem unless one with the same code at the same place is there.
  package mutating func report(_ diagnostic: Diagnostic) {
    let isKnown = diagnostics.contains { $0.code == diagnostic.code && $0.primary.span == diagnostic.primary.span }
    if !isKnown { diagnostics.append(diagnostic) }
  }

  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
