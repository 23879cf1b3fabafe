/// One entry of `vars:` and the value it has in this compilation.
struct Variable {
  var name: String
  var nameSpan: SourceSpan
  /// From a library.
  var isImported = false
  /// `nil` for a bare value, which takes any shape.
  var declaration: VariableDeclaration?
  /// From the strongest source that has one.
  var value: YAMLNode?
  /// Whether a message says already that the value is wrong or missing, so that its uses need none.
  var isAlreadyReported = false
}

/// The variables of a document, by name and in the order declared.
struct VariableTable: Sendable {
  /// The entries of `vars:`, before anything was put in.
  let written: [YAMLNode.Pair]
  /// A dictionary of them would keep room for twice as many.
  private(set) var all: [Variable] = []
  private var places: [String: Int32] = [:]

  var names: some RandomAccessCollection<String> { all.lazy.map(\.name) }

  subscript(name: String) -> Variable? { places[name].map { all[Int($0)] } }

  init(_ written: [YAMLNode.Pair] = []) {
    self.written = written
    all.reserveCapacity(written.count)
    places.reserveCapacity(written.count)
  }

  mutating func add(_ variable: Variable) {
    places[variable.name] = Int32(all.count)
    all.append(variable)
  }
}
