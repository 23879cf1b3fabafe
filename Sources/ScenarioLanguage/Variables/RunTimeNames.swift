/// The names that only a run can fill: those built in, and those a `save:` makes.
struct RunTimeNames {
  static let builtIn = [
    "attempt", "device.name", "device.id", "device.model", "device.ip", "run.id", "run.started", "run.dir",
  ]
  /// No variable may have these names (N411).
  static let reserved: Set<String> = ["attempt", "device", "run", "item", "index", "matrix", "secret"]

  /// Saved names with the place that saves them first.
  private(set) var saved: [String: SourceSpan] = [:]

  /// Collects the names under `save:` in all step lists of a document.
  init(_ root: YAMLNode) {
    for pair in root.pairs ?? [] where ["setup", "steps", "on_failure", "finally", "blocks"].contains(pair.key.text) {
      collect(pair.value)
    }
  }

  private mutating func collect(_ node: YAMLNode) {
    for item in node.items ?? [] { collect(item) }
    for pair in node.pairs ?? [] {
      if pair.key.text == "save" {
        for entry in pair.value.pairs ?? [] where saved[entry.key.text] == nil {
          saved[entry.key.text] = entry.key.span
        }
      } else {
        collect(pair.value)
      }
    }
  }

  func contains(_ name: String) -> Bool { saved[name] != nil || Self.builtIn.contains(name) }
}
