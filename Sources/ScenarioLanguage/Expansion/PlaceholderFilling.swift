/// Puts in what unrolling binds: parameters of blocks, `item` and `index`, values of the matrix. Variables were put in
/// before; a name that nothing here binds stays for the run.
struct PlaceholderFilling: TemplateFilling {
  static let use = TemplateUse.unrolling

  /// Values by name. `matrix.lang` is one name; `item.url` is a part of `item`.
  struct Bindings {
    fileprivate var values: [String: TemplateValue] = [:]

    /// - Returns: Whether the value is not too deep to be put anywhere.
    mutating func bind(_ name: String, to node: YAMLNode) -> Bool {
      let value = TemplateValue(node)
      values[name] = value
      return value.measure.depth <= YAMLDocument.Limit.depth
    }
  }

  let problems: DiagnosticCollector
  var spent = TemplateCost()
  private var bindings = Bindings()

  init(reportingTo problems: DiagnosticCollector) { self.problems = problems }

  /// The node with what is bound put in; `nil` when nothing changes.
  mutating func filled(_ node: YAMLNode, with bindings: Bindings) -> YAMLNode? {
    self.bindings = bindings
    // Kept on, they would be copied when the caller binds the next name.
    defer { self.bindings = Bindings() }
    return filled(node, depth: 1)
  }

  func written(_ scalar: YAMLNode.Scalar, in node: YAMLNode) -> WrittenTemplate? {
    guard let parts = scalar.deferred?.parts, !bindings.values.isEmpty else { return nil }
    return WrittenTemplate(parts: parts)
  }

  mutating func value(of name: String, at place: SourceSpan, in node: YAMLNode) -> TemplateLookup {
    guard pay(lookups: 1, at: node) else { return .reported }
    if let value = bindings.values[name] { return .known(value) }
    guard name.utf8.contains(0x2E) else { return .later }
    // A value of the matrix is bound with its dot: `matrix.film`.
    guard let whole = name.dottedPrefixes.first(where: { bindings.values[$0] != nil }),
      let value = bindings.values[whole]
    else { return .later }
    let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let count = whole.count { $0 == "." } + 1
    return part(path, after: count, of: value, at: place, in: node)
  }

  /// A loop's own `item` and `index` hide those of the loop around it.
  mutating func inLoop(_ fill: (inout PlaceholderFilling) -> YAMLNode?) -> YAMLNode? {
    let outer = bindings
    bindings.values["item"] = nil
    bindings.values["index"] = nil
    defer { bindings = outer }
    return fill(&self)
  }

  func visit(_ key: YAMLNode.Key, _ value: YAMLNode) {}
}
