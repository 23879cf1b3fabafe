/// Puts variables into a document's values, once: what was put in is never looked through again
/// (docs/language/variables.md "Substitution").
struct Substitution: TemplateFilling {
  static let use = TemplateUse.variables

  let problems: DiagnosticCollector
  var spent = TemplateCost()
  var variables = VariableTable()
  var runTime: RunTimeNames
  /// `item` and `index` in a loop, which unrolling fills later.
  private var locals: Set<String> = []
  /// Inside a block, whose parameters unrolling fills.
  private var parameters: BlockParameters?
  /// The values of the matrix, without `matrix.` in front; `nil`: there is none.
  var matrixNames: [String]? { didSet { knownMatrixNames = Set(matrixNames ?? []) } }
  private var knownMatrixNames: Set<String> = []
  /// Of all that `vars:` declares, that which has no value yet among it.
  private lazy var declaredPlaces = Dictionary(
    variables.written.map { ($0.key.text, $0.key.span) }, uniquingKeysWith: { _, last in last })
  /// Variables that a `set` changes, so that only the run knows them.
  var assigned: Set<String> = [] { didSet { values = [:] } }
  /// An include that could not be read may define any name.
  var isIncomplete = false
  /// As declared.
  var secrets: [Plan.Secret] = [] {
    didSet { secretsByName = Dictionary(secrets.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }) }
  }
  private var secretsByName: [String: Plan.Secret] = [:]
  /// Where each secret is needed first.
  private(set) var usedSecrets: [String: SourceSpan] = [:]
  /// Inside what says which device is meant: no secret can stand there.
  var isAboutDevices = false
  private(set) var used: Set<String> = []
  /// Of the variables that were put in so far.
  private var values: [String: TemplateValue] = [:]

  init(_ runTime: RunTimeNames, reportingTo problems: DiagnosticCollector) {
    self.runTime = runTime
    self.problems = problems
  }

  /// The node with its variables put in.
  mutating func apply(to node: YAMLNode, depth: Int = 1) -> YAMLNode { filled(node, depth: depth) ?? node }

  /// The blocks of a document, each with its parameters left for `use` to fill.
  mutating func apply(toBlocks node: YAMLNode, depth: Int) -> YAMLNode {
    guard let pairs = node.pairs else { return apply(to: node, depth: depth) }
    parameters = BlockParameters(pairs)
    defer { parameters = nil }
    return node.mapped { key, block in
      parameters?.enter(key?.text ?? "")
      return filled(block, depth: depth + 1)
    } ?? node
  }

  // MARK: Names

  func written(_ scalar: YAMLNode.Scalar, in node: YAMLNode) -> WrittenTemplate? {
    // `$` and the first byte of the mark that stands around a secret's name.
    guard scalar.text.utf8.contains(where: { $0 == 0x24 || $0 == 0xE2 }) else { return nil }
    if SecretPlaceholder.occurs(in: scalar.text) { problems.report(SecretPlaceholder.refusal(at: node)) }
    let text = TemplateText(scalar.text)
    if text.isPlain { return nil }
    return WrittenTemplate(parts: text.parts, ranges: text.ranges, length: text.length, isNew: true)
  }

  mutating func inLoop(_ fill: (inout Substitution) -> YAMLNode?) -> YAMLNode? {
    let outer = locals
    locals.formUnion(["item", "index"])
    defer { locals = outer }
    return fill(&self)
  }

  mutating func visit(_ key: YAMLNode.Key, _ value: YAMLNode) {
    // A condition on variables reads them.
    if key.text == "vars" { used.formUnion((value.pairs ?? []).flatMap { $0.key.text.dottedPrefixes }) }
  }

  mutating func value(of name: String, at place: SourceSpan, in node: YAMLNode) -> TemplateLookup {
    if name.isEmpty {
      report(
        .n401, "`${` without a variable's name", at: place, label: "letters, digits, `_` and `}`",
        help: "a literal `${` is written `$${`")
      return .reported
    }
    if locals.isEmpty, parameters == nil, let value = values[name] { return .known(value) }
    // No value has more levels: what is behind them is one part that nothing has.
    let parts = name.split(
      separator: ".", maxSplits: YAMLDocument.Limit.depth + IncludeReader.Limit.depth,
      omittingEmptySubsequences: false
    ).map(String.init)
    let head = parts.first ?? name
    if locals.contains(head) || parameters?.contains(head) == true { return .later }
    if head == "matrix", let matrixNames, parts.count > 1 {
      if knownMatrixNames.contains(parts[1]) { return .later }
      let suggestion =
        problems.budget.allowsSuggestions ? Suggestions.nearest(to: parts[1], among: matrixNames.prefix(500)) : nil
      report(
        .n401, "`matrix` has nothing called `\(ScalarText.shown(parts[1]))`", at: place,
        label: Suggestions.label(suggestion))
      return .later
    }
    if let (variable, count) = variable(of: parts) {
      used.insert(variable.name)
      guard !assigned.contains(variable.name), let node = variable.value else { return .later }
      let value = values[variable.name] ?? TemplateValue(node)
      values[variable.name] = value
      return part(parts, after: count, of: value, at: place, in: node)
    }
    if runTime.contains(name) || isIncomplete { return .later }
    if head == "secret" { return secret(parts.dropFirst().joined(separator: "."), at: place, of: node) }
    reportUndefined(name, at: place)
    return .later
  }

  /// The variable that a path begins with, and how many parts its name has: those of libraries have dots.
  private func variable(of parts: [String]) -> (variable: Variable, count: Int)? {
    var name = ""
    for (index, part) in parts.prefix(IncludeReader.Limit.depth + 1).enumerated() {
      name += index == 0 ? part : "." + part
      if let variable = variables[name] { return (variable, index + 1) }
    }
    return nil
  }

  /// What stands for a secret in the plan and in everything that is printed.
  private mutating func secret(_ name: String, at place: SourceSpan, of node: YAMLNode) -> TemplateLookup {
    guard let known = secretsByName[name] else {
      reportUndefinedSecret(name, at: place)
      return .later
    }
    if isAboutDevices {
      report(
        .n407, "`${secret.\(name)}` cannot say which device is meant", at: place,
        help: "devices are shown by name in every report; use a variable")
      return .later
    }
    if usedSecrets[name] == nil || (!known.isImported && usedSecrets[name]?.file != known.nameSpan.file) {
      usedSecrets[name] = place
    }
    let text = SecretPlaceholder.text(for: name)
    return .known(TemplateValue(YAMLNode(.scalar(.init(text: text, style: .singleQuoted)), span: node.span)))
  }

  private func reportUndefinedSecret(_ name: String, at place: SourceSpan) {
    let suggestion =
      problems.budget.allowsSuggestions ? Suggestions.nearest(to: name, among: secrets.prefix(500).map(\.name)) : nil
    let example = (try? NameScalar.id(name, isVariable: true)) ?? "token"
    problems.report(
      .error, .n401, name.isEmpty ? "`${secret}` does not say which" : "undefined secret \(ScalarText.quoted(name))",
      at: .init(place, Suggestions.label(suggestion.map { "secret.\($0)" })),
      related: suggestion.flatMap { secretsByName[$0] }.map { [.init($0.nameSpan, "defined here")] } ?? [],
      footers: suggestion == nil ? [.help("declare it: `secrets: { \(example): { env: NAME } }`")] : [])
  }

  /// What to do about a name that nobody declares.
  private func hint(_ name: String) -> String {
    if name.hasPrefix("env."), let id = try? NameScalar.id(name.dropFirst(4).lowercased(), isVariable: true) {
      return "declare what comes from outside: `vars: { \(id): { env: \(ScalarText.shown(name.dropFirst(4))) } }`, "
        + "used as `${\(id)}`"
    }
    return "declare it under `vars:`; a literal `${` is written `$${`"
  }

  private mutating func reportUndefined(_ name: String, at span: SourceSpan) {
    if let below = declaredPlaces[name] {
      problems.report(
        .error, .n401, "variable `\(ScalarText.shown(name))` has no value here", at: .init(span, "declared below"),
        related: [.init(below, "declared here")],
        footers: [.help("a default may use the variables above it: move this one down")])
      return
    }
    var suggestion: String?
    if problems.budget.allowsSuggestions {
      // So many saved names are not worth putting into an order.
      let saved = runTime.saved.count > 500 ? [] : runTime.saved.keys.sorted()
      let candidates = Array(variables.names.prefix(400)) + saved + RunTimeNames.builtIn
      suggestion = Suggestions.nearest(to: name, among: candidates)
    }
    let place = suggestion.flatMap { variables[$0]?.nameSpan ?? runTime.saved[$0] }
    problems.report(
      .error, .n401, "undefined variable `\(ScalarText.shown(name))`",
      at: .init(span, Suggestions.label(suggestion)),
      related: place.map { [.init($0, "defined here")] } ?? [],
      footers: suggestion == nil
        ? [.help(hint(name))] : [])
  }

  private func report(
    _ code: Code, _ message: String, at span: SourceSpan, label: String = "", help: String? = nil
  ) {
    problems.report(
      .error, code, message, at: .init(span, label), footers: help.map { [.help($0)] } ?? [])
  }
}
