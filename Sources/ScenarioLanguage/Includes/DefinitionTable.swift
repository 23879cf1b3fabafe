/// Definitions in order, each name of a kind once.
struct DefinitionTable {
  /// `nil` where a stronger one took a definition's place further down.
  private var entries: [Definition?] = []
  private var index: [Definition.Target: Int] = [:]

  var definitions: [Definition] { entries.compactMap { $0 } }
  var count: Int { index.count }

  /// Adds a definition unless its name is taken.
  /// - Returns: The other definition that has the name.
  mutating func add(_ definition: Definition) -> Definition? {
    let target = definition.target
    guard let place = index.updateValue(entries.count, forKey: target) else {
      entries.append(definition)
      return nil
    }
    guard let other = entries[place] else {
      entries.append(definition)
      return nil
    }
    index[target] = place
    return definition.isSame(as: other) ? nil : other
  }

  /// Adds a definition, or puts it in the place of a weaker one of its name, because those below may use it. One that
  /// uses others itself goes to the end, behind them.
  mutating func override(_ definition: Definition) {
    let target = definition.target
    guard let place = index[target] else {
      index[target] = entries.count
      entries.append(definition)
      return
    }
    if definition.pair.value.usesVariables {
      entries[place] = nil
      index[target] = entries.count
      entries.append(definition)
    } else {
      entries[place] = definition
    }
  }

  /// Adds a file's own definitions to those that it includes; its own variables win
  /// (docs/language/library.md "Include").
  mutating func addOwn(_ definitions: [Definition], reportingTo diagnostics: DiagnosticCollector) {
    for definition in definitions {
      if definition.key == .vars {
        override(definition)
      } else {
        addReporting(definition, to: diagnostics)
      }
    }
  }

  /// Adds a definition; N410 where its name is taken.
  mutating func addReporting(_ definition: Definition, to diagnostics: DiagnosticCollector) {
    guard let other = add(definition) else { return }
    let name = ScalarText.shown(definition.name)
    let first = other.pair.key.span
    diagnostics.report(
      .error, .n410, "\(definition.key.noun) `\(name)` is defined twice",
      at: .init(definition.pair.key.span, "again here"), related: [.init(first, "first here")],
      footers: [.help("an include with `as: brand` calls its own `brand.\(name)`; or rename one of them")])
  }
}

extension YAMLNode {
  /// Whether a `${` may be anywhere in it.
  fileprivate var usesVariables: Bool {
    switch content {
    case .scalar(let scalar): scalar.text.utf8.contains(0x24)
    case .sequence(let items): items.contains { $0.usesVariables }
    case .mapping(let pairs): pairs.contains { $0.value.usesVariables }
    }
  }
}
