package import RunReporting

/// Tests write keys as journals have them.
extension JournalKey: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(rawValue: text) }
}
