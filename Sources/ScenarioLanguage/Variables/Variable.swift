/// One entry of `vars:` and the value it has in this compilation.
struct Variable {
  var name: String
  var nameSpan: SourceSpan
  /// From a library.
  var isImported = false
  /// As declared; `nil` for a bare value, which takes any shape.
  var type: FieldType?
  /// The declaration's own map.
  var declaration: DecodedMap?
  /// The default as written, before anything was put in.
  var defaultNode: YAMLNode?
  /// From the strongest source that has one.
  var value: YAMLNode?
  /// Whether a message says already that the value is wrong or missing, so that its uses need none.
  var isAlreadyReported = false
}

/// The variables of a document, by name and in the order declared.
struct VariableTable: Sendable {
  /// A variable takes 300 bytes, and a dictionary keeps room for twice as many as it has.
  private final class Entry: Sendable {
    let variable: Variable
    init(_ variable: Variable) { self.variable = variable }
  }

  private var entries: [String: Entry] = [:]
  private(set) var names: [String] = []

  subscript(name: String) -> Variable? { entries[name]?.variable }

  mutating func add(_ variable: Variable) {
    entries[variable.name] = Entry(variable)
    names.append(variable.name)
  }
}
