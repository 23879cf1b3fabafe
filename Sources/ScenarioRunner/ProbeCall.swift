package import ScenarioLanguage

/// What a `probe` step wants fetched, as a receiver would.
package struct ProbeCall: Hashable, Sendable {
  package var urls: [String]
  package var looksAtCORS: Bool
  package var asksForRange: Bool
  /// The device's model name; `nil`: not known.
  package var model: String?
  /// Real time for all of it.
  package var limit: Duration

  package init(_ action: Plan.ProbeAction, urls: [String], model: String?, limit: Duration) {
    self.urls = urls
    looksAtCORS = action.looksAtCORS
    asksForRange = action.asksForRange
    self.model = model
    self.limit = limit
  }
}
