/// The names that only a run can fill: those built in, those a `save:` makes, and variables that a `set` changes.
struct RunTimeNames {
  static let builtIn = [
    "attempt", "device.name", "device.id", "device.model", "device.ip", "run.id", "run.started", "run.dir",
  ]
  /// No variable may have these names (N411).
  static let reserved: Set<String> = ["attempt", "device", "run", "item", "index", "matrix", "secret"]

  /// Saved names with the place that saves them first.
  private(set) var saved: [String: SourceSpan] = [:]
  /// Names that a `set` assigns, with the place of the first one.
  private(set) var assigned: [String: SourceSpan] = [:]

  /// Collects the names in all step lists of a document.
  init(_ root: YAMLNode) {
    for pair in root.pairs ?? [] {
      if Plan.Section(rawValue: pair.key.text) != nil {
        collect(pair.value)
      } else if pair.key.text == "blocks" {
        for block in pair.value.pairs ?? [] {
          if let steps = StepNodes.steps(ofBlock: block.value) { collect(steps) }
        }
      }
    }
  }

  private mutating func collect(_ list: YAMLNode) {
    for step in list.items ?? [] {
      let pairs = step.pairs ?? []
      for index in pairs.indices {
        switch pairs[index].key.text {
        case "save":
          for entry in pairs[index].value.pairs ?? [] where saved[entry.key.text] == nil {
            saved[entry.key.text] = entry.key.span
          }
        case "set":
          for entry in pairs[index].value.pairs ?? [] where assigned[entry.key.text] == nil {
            assigned[entry.key.text] = entry.key.span
          }
        case "exec" where saved["reply"] == nil:
          let output = pairs[index].value.pairs?.first { $0.key.text == "output" }?.value.text
          if output != "none" { saved["reply"] = pairs[index].key.span }
        default: break
        }
      }
      for inner in StepNodes.lists(in: step) { collect(inner) }
    }
  }

  /// Whether a name, or what its path begins with, has a value while a scenario runs.
  func contains(_ name: String) -> Bool {
    if saved[name] != nil || Self.builtIn.contains(name) || assigned[name] != nil { return true }
    guard let dot = name.firstIndex(of: ".") else { return false }
    let head = String(name[..<dot])
    return saved[head] != nil || assigned[head] != nil
  }
}
