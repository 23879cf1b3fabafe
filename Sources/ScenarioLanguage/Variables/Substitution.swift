/// Puts variables into a document's values, once: what was put in is never looked through again
/// (docs/language/variables.md "Substitution").
struct Substitution {
  /// What substitution may add, so that a short document cannot become a huge one.
  enum Limit {
    static let scalarBytes = 64 << 10
    static let textBytes = 8 << 20
    static let nodes = YAMLDocument.Limit.nodes
  }

  var variables: [String: Variable] = [:]
  /// In the order declared, for suggestions.
  var variableNames: [String] = []
  var runTime: RunTimeNames
  /// Names that unrolling fills later: parameters of the block, `item` and `index` in a loop.
  private var locals: Set<String> = []
  /// The values of the matrix, without `matrix.` in front; `nil`: there is none.
  var matrixNames: [String]?
  /// All that `vars:` declares, that which has no value yet among it.
  var declared: [String: SourceSpan] = [:]
  /// Variables that a `set` changes, so that only the run knows them.
  var assigned: Set<String> = []
  /// Names that a part of the language brings which is refused anyway: secrets, included variables.
  var tolerated: Set<String> = []
  /// An include that could not be read may define any name.
  var toleratesAll = false
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
  private var addedBytes = 0
  /// Where the keys of large maps are, by the path to the map, so that many uses do not search it again and again.
  private var keys: [String: [String: Int]] = [:]
  private var addedNodes = 0

  init(_ runTime: RunTimeNames) { self.runTime = runTime }

  /// The node with its variables put in.
  mutating func apply(
    to node: YAMLNode, depth: Int = 1, reportingTo diagnostics: DiagnosticCollector
  ) -> YAMLNode {
    changed(node, depth, diagnostics) ?? node
  }

  /// The node with its variables put in; `nil` when there is nothing to change, so that nothing is copied.
  private mutating func changed(
    _ node: YAMLNode, _ depth: Int, _ diagnostics: DiagnosticCollector
  ) -> YAMLNode? {
    if diagnostics.budget.isSpent { return nil }
    switch node.content {
    case .scalar(let scalar):
      // `$` and the first byte of the mark that stands around a secret's name.
      guard scalar.text.utf8.contains(where: { $0 == 0x24 || $0 == 0xE2 }) else { return nil }
      if SecretPlaceholder.occurs(in: scalar.text) { diagnostics.report(SecretPlaceholder.refusal(at: node)) }
      return changed(scalar, of: node, depth, diagnostics)
    case .sequence(let items):
      var result: [YAMLNode]?
      for (index, item) in items.enumerated() {
        guard let item = changed(item, depth + 1, diagnostics) else { continue }
        if result == nil { result = items }
        result?[index] = item
      }
      return result.map { YAMLNode(.sequence($0), span: node.span, substitutedAt: node.substitutedAt) }
    case .mapping(let pairs):
      var result: [YAMLNode.Pair]?
      for (index, pair) in pairs.enumerated() {
        // A condition on variables reads them.
        if pair.key.text == "vars" { used.formUnion((pair.value.pairs ?? []).flatMap { $0.key.text.dottedPrefixes }) }
        let value =
          pair.key.text == "for_each"
          ? changedLoop(pair.value, depth + 1, diagnostics) : changed(pair.value, depth + 1, diagnostics)
        guard let value else { continue }
        if result == nil { result = pairs }
        result?[index].value = value
      }
      return result.map { YAMLNode(.mapping($0), span: node.span, substitutedAt: node.substitutedAt) }
    }
  }

  /// `item` and `index` are known in a loop's steps.
  private mutating func changedLoop(
    _ node: YAMLNode, _ depth: Int, _ diagnostics: DiagnosticCollector
  ) -> YAMLNode? {
    guard let pairs = node.pairs else { return changed(node, depth, diagnostics) }
    var result: [YAMLNode.Pair]?
    for (index, pair) in pairs.enumerated() {
      let outer = locals
      if pair.key.text == "steps" { locals.formUnion(["item", "index"]) }
      let value = changed(pair.value, depth + 1, diagnostics)
      locals = outer
      guard let value else { continue }
      if result == nil { result = pairs }
      result?[index].value = value
    }
    return result.map { YAMLNode(.mapping($0), span: node.span, substitutedAt: node.substitutedAt) }
  }

  /// The blocks of a document, each with its parameters left for `use` to fill.
  mutating func apply(
    toBlocks node: YAMLNode, depth: Int, reportingTo diagnostics: DiagnosticCollector
  ) -> YAMLNode {
    guard var pairs = node.pairs else { return apply(to: node, depth: depth, reportingTo: diagnostics) }
    let blocks = Blocks.nodes(node)
    for (index, pair) in pairs.enumerated() {
      locals = Blocks.parameterNames(of: pair.value, among: blocks)
      pairs[index].value = apply(to: pair.value, depth: depth + 1, reportingTo: diagnostics)
    }
    locals = []
    return YAMLNode(.mapping(pairs), span: node.span, substitutedAt: node.substitutedAt)
  }

  // MARK: Scalars

  private mutating func changed(
    _ scalar: YAMLNode.Scalar, of node: YAMLNode, _ depth: Int, _ diagnostics: DiagnosticCollector
  ) -> YAMLNode? {
    let split = SubstitutionText(scalar.text)
    if split.isPlain { return nil }
    let place = { range in node.span(of: range, length: split.length) }
    if let hole = split.onlyHole, let value = value(hole.name, at: place(hole.range), of: node, diagnostics) {
      return whole(value, hole.name, node, depth, diagnostics)
    }
    var parts: [Plan.Template.Part] = []
    var isDeferred = false
    var isText = true
    for part in split.parts {
      if diagnostics.budget.isSpent { return nil }
      switch part {
      case .text(let text): parts.append(.text(text))
      case .malformed(let range):
        report(
          .n401, "`${` without a variable's name", at: place(range), label: "letters, digits, `_` and `}`",
          help: "a literal `${` is written `$${`", diagnostics)
        isText = false
      case .hole(let name, let range):
        guard let value = value(name, at: place(range), of: node, diagnostics) else {
          // A saved value, or one that was just reported: either way only a run could tell.
          parts.append(.value(name))
          isDeferred = true
          continue
        }
        guard let inner = value.planText else {
          report(
            .t210, "`\(name)` is a \(value.items == nil ? "map" : "list"), inside a text only one value can stand",
            at: place(range), label: "", help: "`${\(name)}` alone can be of any shape", diagnostics)
          isText = false
          continue
        }
        if case .scalar(let scalar) = value.content, scalar.deferred != nil { isDeferred = true }
        // What was too long stays so wherever it is put in.
        if inner.parts == [.value("")] { return broken(node) }
        parts += inner.parts
      }
    }
    return text(parts, isDeferred: isDeferred || !isText, scalar, node, diagnostics)
  }

  private mutating func text(
    _ parts: [Plan.Template.Part], isDeferred: Bool, _ scalar: YAMLNode.Scalar, _ node: YAMLNode,
    _ diagnostics: DiagnosticCollector
  ) -> YAMLNode {
    var length = 0
    for part in parts {
      switch part {
      case .text(let text): length += text.utf8.count
      // As long as it is written: what only a run knows multiplies, too.
      case .value(let name): length += name.utf8.count + 3
      }
    }
    addedBytes += length
    if length > Limit.scalarBytes {
      report(
        .y311, "this text is longer than 64 KiB once its variables are put in", at: node.span, label: "too long",
        help: nil, diagnostics)
      return broken(node)
    }
    if addedBytes > Limit.textBytes { return tooLarge(node, diagnostics) }
    var result = scalar
    if isDeferred {
      result.deferred = Plan.Template(Self.joined(parts))
    } else {
      var text = ""
      text.reserveCapacity(length)
      for case .text(let part) in parts { text += part }
      result.text = text
    }
    return YAMLNode(.scalar(result), span: node.span, substitutedAt: node.span)
  }

  /// Neighbouring texts as one.
  private static func joined(_ parts: [Plan.Template.Part]) -> [Plan.Template.Part] {
    var result: [Plan.Template.Part] = []
    for part in parts {
      if case .text(let text) = part, case .text(let before)? = result.last {
        result[result.count - 1] = .text(before + text)
      } else {
        result.append(part)
      }
    }
    return result
  }

  /// `${x}` alone: the node bound to it, of any shape.
  private mutating func whole(
    _ value: YAMLNode, _ name: String, _ node: YAMLNode, _ depth: Int, _ diagnostics: DiagnosticCollector
  ) -> YAMLNode {
    // A secret's text counts for nothing; of a variable it is what is put in, not all of it.
    let measure = variables[name]?.measure ?? PlaceholderFilling.measure(value)
    addedNodes += measure.size - 1
    addedBytes += measure.bytes
    if addedBytes > Limit.textBytes { return tooLarge(node, diagnostics) }
    if addedNodes > Limit.nodes || depth + measure.depth > YAMLDocument.Limit.depth + 1 {
      if addedNodes > Limit.nodes {
        diagnostics.reportAndStop(
          Diagnostic(
            .error, .y302, "variables expand this document to more than \(Limit.nodes) nodes",
            at: .init(node.span, "stopped here")))
      } else {
        report(
          .y311, "variables nest this document deeper than \(YAMLDocument.Limit.depth) levels", at: node.span,
          label: "stopped here", help: nil, diagnostics)
      }
      return broken(node)
    }
    var result = value
    result.substitutedAt = node.span
    return result
  }

  private func tooLarge(_ node: YAMLNode, _ diagnostics: DiagnosticCollector) -> YAMLNode {
    diagnostics.reportAndStop(
      Diagnostic(
        .error, .y311, "this document is larger than 8 MiB once its variables are put in",
        at: .init(node.span, "too long")))
    return broken(node)
  }

  private func broken(_ node: YAMLNode) -> YAMLNode {
    YAMLNode(
      .scalar(.init(text: "", style: .plain, deferred: Plan.Template([.value("")]))), span: node.span,
      substitutedAt: node.span)
  }

  // MARK: Names

  /// The value of a name; `nil` when only a run knows it, or nobody does, which is then reported.
  private mutating func value(
    _ name: String, at place: SourceSpan, of node: YAMLNode, _ diagnostics: DiagnosticCollector
  ) -> YAMLNode? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let head = parts.first ?? name
    if locals.contains(head) { return nil }
    if head == "matrix", let matrixNames, parts.count > 1 {
      if matrixNames.contains(parts[1]) { return nil }
      let suggestion =
        diagnostics.budget.allowsSuggestions ? Suggestions.nearest(to: parts[1], among: matrixNames.prefix(500)) : nil
      report(
        .n401, "`matrix` has nothing called `\(ScalarText.shown(parts[1]))`", at: place,
        label: suggestion.map { "did you mean `\($0)`?" } ?? "", help: nil, diagnostics)
      return nil
    }
    if let (found, count) = variable(of: parts) {
      used.insert(found.name)
      if assigned.contains(found.name) { return nil }
      guard let value = found.value else { return nil }
      var current = value
      let head = found.name
      for (index, part) in parts.enumerated().dropFirst(count) {
        guard let next = self.part(part, of: current, at: parts[..<index]) else {
          let known = current.pairs?.prefix(500).map(\.key.text) ?? []
          let suggestion = diagnostics.budget.allowsSuggestions ? Suggestions.nearest(to: part, among: known) : nil
          report(
            .n401, "`\(ScalarText.shown(head))` has nothing called `\(ScalarText.shown(part))`",
            at: place,
            label: suggestion.map { "did you mean `\($0)`?" } ?? "",
            help: known.isEmpty ? "it is one value, not a map" : nil, diagnostics)
          return nil
        }
        current = next
      }
      return current
    }
    if runTime.contains(name) || toleratesAll || tolerated.contains(head) { return nil }
    if head == "secret" { return secret(parts.dropFirst().joined(separator: "."), at: place, of: node, diagnostics) }
    reportUndefined(name, at: place, diagnostics)
    return nil
  }

  /// A part of a variable's value by its key; `path` is what leads to the map.
  private mutating func part(_ key: String, of map: YAMLNode, at path: ArraySlice<String>) -> YAMLNode? {
    guard let pairs = map.pairs else { return nil }
    if pairs.count <= 32 { return pairs.first { $0.key.text == key }?.value }
    let name = path.joined(separator: ".")
    if keys[name] == nil {
      keys[name] = Dictionary(
        pairs.enumerated().map { ($0.element.key.text, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }
    return keys[name]?[key].map { pairs[$0].value }
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
  private mutating func secret(
    _ name: String, at place: SourceSpan, of node: YAMLNode, _ diagnostics: DiagnosticCollector
  ) -> YAMLNode? {
    guard let known = secretsByName[name] else {
      reportUndefinedSecret(name, at: place, diagnostics)
      return nil
    }
    if isAboutDevices {
      report(
        .n407, "`${secret.\(name)}` cannot say which device is meant", at: place, label: "",
        help: "devices are shown by name in every report; use a variable", diagnostics)
      return nil
    }
    if usedSecrets[name] == nil || (!known.isImported && usedSecrets[name]?.file != known.nameSpan.file) {
      usedSecrets[name] = place
    }
    let text = SecretPlaceholder.text(for: name)
    return YAMLNode(.scalar(.init(text: text, style: .singleQuoted)), span: node.span)
  }

  private func reportUndefinedSecret(
    _ name: String, at place: SourceSpan, _ diagnostics: DiagnosticCollector
  ) {
    let suggestion =
      diagnostics.budget.allowsSuggestions ? Suggestions.nearest(to: name, among: secrets.prefix(500).map(\.name)) : nil
    let example = (try? NameScalar.id(name, isVariable: true)) ?? "token"
    diagnostics.report(
      Diagnostic(
        .error, .n401, name.isEmpty ? "`${secret}` does not say which" : "undefined secret \(ScalarText.quoted(name))",
        at: .init(place, suggestion.map { "did you mean `secret.\($0)`?" } ?? ""),
        related: suggestion.flatMap { secretsByName[$0] }.map { [.init($0.nameSpan, "defined here")] } ?? [],
        footers: suggestion == nil ? [.help("declare it: `secrets: { \(example): { env: NAME } }`")] : []))
  }

  /// What to do about a name that nobody declares.
  private func cure(_ name: String) -> String {
    if name.hasPrefix("env."), let id = try? NameScalar.id(name.dropFirst(4).lowercased(), isVariable: true) {
      return "declare what comes from outside: `vars: { \(id): { env: \(ScalarText.shown(name.dropFirst(4))) } }`, "
        + "used as `${\(id)}`"
    }
    return "declare it under `vars:`; a literal `${` is written `$${`"
  }

  private func reportUndefined(_ name: String, at span: SourceSpan, _ diagnostics: DiagnosticCollector) {
    if let below = declared[name] {
      diagnostics.report(
        Diagnostic(
          .error, .n401, "variable `\(ScalarText.shown(name))` has no value here", at: .init(span, "declared below"),
          related: [.init(below, "declared here")],
          footers: [.help("a default may use the variables above it: move this one down")]))
      return
    }
    var suggestion: String?
    if diagnostics.budget.allowsSuggestions {
      // So many saved names are not worth putting into an order.
      let saved = runTime.saved.count > 500 ? [] : runTime.saved.keys.sorted()
      let candidates = variableNames.prefix(400) + saved + RunTimeNames.builtIn
      suggestion = Suggestions.nearest(to: name, among: candidates)
    }
    let place = suggestion.flatMap { variables[$0]?.nameSpan ?? runTime.saved[$0] }
    diagnostics.report(
      Diagnostic(
        .error, .n401, "undefined variable `\(ScalarText.shown(name))`",
        at: .init(span, suggestion.map { "did you mean `\($0)`?" } ?? ""),
        related: place.map { [.init($0, "defined here")] } ?? [],
        footers: suggestion == nil
          ? [.help(cure(name))] : []))
  }

  private func report(
    _ code: Code, _ message: String, at span: SourceSpan, label: String, help: String?,
    _ diagnostics: DiagnosticCollector
  ) {
    diagnostics.report(
      Diagnostic(.error, code, message, at: .init(span, label), footers: help.map { [.help($0)] } ?? []))
  }
}
