/// Values whose keys have limits of their own.
extension FieldMap {
  /// A duration; T213 for one that would keep somebody busy for nothing.
  /// - Parameter what: What is too short, in a sentence; `nil`: the key.
  func duration(
    _ key: String, atLeast least: Duration, as what: String? = nil, reportingTo problems: DiagnosticCollector
  ) -> Duration? {
    guard let value = duration(key) else { return nil }
    if value < least, let node = node(key) {
      problems.report(
        .error, .t213, "\(what ?? "`\(key)`") is \(least.spelled) or more", at: node, "\(value.spelled) is too short")
    }
    return value
  }

  /// K107 for keys that count only beside another one.
  func reportUnused(_ keys: [String], without companion: String, to problems: DiagnosticCollector) {
    guard !has(companion) else { return }
    for key in keys {
      guard let place = keySpan(key) else { continue }
      problems.report(
        .error, .k107, "`\(key)` has no effect without `\(companion)`", at: .init(place, "leave it out"))
    }
  }
}

extension YAMLNode {
  /// An address that this computer asks, not a receiver: its own name is no fault.
  /// - Parameter help: What to write in place of an address that is not of the web.
  func webAddress(reportingTo problems: DiagnosticCollector, help: (URLScalar) -> String) -> String? {
    guard let text, let url = try? URLScalar.read(text) else { return nil }
    if url.isWeb { return text }
    problems.report(
      .error, .t215, "\(ScalarText.quoted(text)) is no web address", at: self, "begins with `\(url.scheme):`",
      footers: [.help(help(url))])
    return nil
  }
}
