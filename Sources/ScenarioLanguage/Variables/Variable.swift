/// One entry of `vars:` and the value it has in this compilation.
struct Variable {
  var name: String
  var nameSpan: SourceSpan
  /// From a library.
  var isImported = false
  /// As declared; `nil` for a bare value, which takes any shape.
  var type: FieldType?
  /// The declaration's own map.
  var declaration: FieldMap?
  /// The default as written, before anything was put in.
  var defaultNode: YAMLNode?
  /// From the strongest source that has one.
  var value: YAMLNode?
  /// Whether a message says already that the value is wrong or missing, so that its uses need none.
  var isAlreadyReported = false
}

/// The variables of a document, by name and in the order declared.
struct VariableTable: Sendable {
  /// A dictionary of them would keep room for twice as many.
  private(set) var all: [Variable] = []
  private var places: [String: Int32] = [:]

  var names: some RandomAccessCollection<String> { all.lazy.map(\.name) }

  subscript(name: String) -> Variable? { places[name].map { all[Int($0)] } }

  mutating func reserveCapacity(_ count: Int) {
    all.reserveCapacity(count)
    places.reserveCapacity(count)
  }

  mutating func add(_ variable: Variable) {
    places[variable.name] = Int32(all.count)
    all.append(variable)
  }
}
