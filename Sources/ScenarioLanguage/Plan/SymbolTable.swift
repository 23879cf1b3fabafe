/// The entries of one map of definitions, with the places of their names and whether anything reads them.
struct SymbolTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var value: Value
    var key: YAMLNode.Key
    var isUsed = false
  }

  /// In the document's order. A dictionary of entries would keep room for twice as many.
  private var entries: [Entry] = []
  private var places: [String: Int32] = [:]
  /// Not all could be read: a name that is not there may be one of those.
  var isIncomplete = false

  mutating func define(_ key: YAMLNode.Key, _ value: Value) {
    let entry = Entry(value: value, key: key)
    if let place = place(key.text) {
      entries[place] = entry
    } else {
      places[key.text] = Int32(entries.count)
      entries.append(entry)
    }
  }

  /// Defines a name that is not there yet; else answers the key that is.
  mutating func defineNew(_ key: YAMLNode.Key, _ value: Value) -> YAMLNode.Key? {
    if let place = places.updateValue(Int32(entries.count), forKey: key.text) {
      places[key.text] = place
      return entries[Int(place)].key
    }
    entries.append(Entry(value: value, key: key))
    return nil
  }

  private func place(_ name: String) -> Int? { places[name].map { Int($0) } }

  /// In the document's order.
  var names: some RandomAccessCollection<String> { entries.lazy.map(\.key.text) }

  subscript(name: String) -> Value? { place(name).map { entries[$0].value } }

  /// The value, and a note that the name is needed.
  mutating func use(_ name: String) -> Value? {
    guard let place = place(name) else { return nil }
    entries[place].isUsed = true
    return entries[place].value
  }

  func key(_ name: String) -> YAMLNode.Key? { place(name).map { entries[$0].key } }

  /// N406 for a name that is not in the table; `kind` as in "unknown daypart".
  func unknown(_ name: String, kind: String, at node: YAMLNode, after problems: DiagnosticCollector) -> Diagnostic {
    // Comparing every wrong name with every name would make a document of wrong names quadratic.
    let suggestion = problems.budget.exceedsReading ? nil : Suggestions.nearest(to: name, among: names.prefix(500))
    let related = suggestion.flatMap { key($0)?.span }.map { [Diagnostic.Label($0, "defined here")] } ?? []
    let listed = ScalarText.listed(names.prefix(problems.budget.exceedsReading ? 6 : 500).sorted(), of: names.count)
    return Diagnostic(
      .error, .n406, "unknown \(kind) \(ScalarText.quoted(name))", at: node,
      suggestion.map { "did you mean `\($0)`?" } ?? "", related: related,
      footers: suggestion == nil && !names.isEmpty ? [.help("defined: \(listed)")] : [])
  }

  /// Reports a name that is not in the table, unless it may be one that could not be read.
  func report(unknown name: String, kind: String, at node: YAMLNode, reportingTo problems: DiagnosticCollector) {
    if !isIncomplete { problems.report(unknown(name, kind: kind, at: node, after: problems)) }
  }

  /// N402 for every definition that nothing reads, but for names with `_` in front.
  func unused(kind: String) -> [Diagnostic] {
    entries.compactMap { entry in
      let name = entry.key.text
      guard !entry.isUsed, !name.hasPrefix("_"), !entry.key.isImported else { return nil }
      return Diagnostic(
        .warning, .n402, "unused \(kind) `\(name)`", at: .init(entry.key.span, "never used"),
        footers: [.help("remove it, or name it `_\(name)` to keep it (warnings are errors with `--strict`)")])
    }
  }
}
