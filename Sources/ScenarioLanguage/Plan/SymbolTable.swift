/// The entries of one map of definitions, with the places of their names and whether anything reads them.
struct SymbolTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var value: Value
    var key: YAMLNode.Key
    var isUsed = false
  }

  /// In the document's order.
  private var entries: [Entry] = []
  /// Where names are in ``entries``, each at the place of its hash or behind it; -1 is free. A dictionary would keep every
  /// name twice and room for half as many more, and there may be 100 000.
  private var slots: [Int32] = []
  /// Not all could be read: a name that is not there may be one of those.
  var isIncomplete = false

  /// Makes room for so many more. Where there is as much already it is left to grow by doubling.
  mutating func reserve(_ more: Int) {
    guard more > entries.count else { return }
    entries.reserveCapacity(entries.count + more)
    makeSlots(for: entries.count + more)
  }

  mutating func define(_ key: YAMLNode.Key, _ value: Value) {
    let entry = Entry(value: value, key: key)
    if let place = place(key.text) { entries[place] = entry } else { append(entry) }
  }

  /// Defines a name that is not there yet; else answers the key that is.
  mutating func defineNew(_ key: YAMLNode.Key, _ value: Value) -> YAMLNode.Key? {
    if let place = place(key.text) { return entries[place].key }
    append(Entry(value: value, key: key))
    return nil
  }

  private func place(_ name: String) -> Int? {
    guard !slots.isEmpty else { return nil }
    let place = slots[slot(of: name)]
    return place < 0 ? nil : Int(place)
  }

  /// The slot of a name, or the free one in which it would be. A quarter of them and more are free.
  private func slot(of name: String) -> Int {
    var slot = name.hashValue & (slots.count - 1)
    while slots[slot] >= 0, entries[Int(slots[slot])].key.text != name { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private mutating func append(_ entry: Entry) {
    makeSlots(for: entries.count + 1)
    slots[slot(of: entry.key.text)] = Int32(entries.count)
    entries.append(entry)
  }

  private mutating func makeSlots(for count: Int) {
    var wanted = max(slots.count, 8)
    while count > wanted / 4 * 3 { wanted *= 2 }
    guard wanted > slots.count else { return }
    slots = [Int32](repeating: -1, count: wanted)
    for place in entries.indices { slots[slot(of: entries[place].key.text)] = Int32(place) }
  }

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
      Suggestions.label(suggestion), related: related,
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
