/// Maps: those with a table, and those whose keys are names of the document's choice.
extension FieldReader {
  /// Reads names of the document's choice and what stands under them.
  mutating func readEntries(_ node: inout YAMLNode, _ type: FieldType, _ field: Field) -> Bool {
    var isSound = true
    for index in 0..<(node.pairs?.count ?? 0) {
      if diagnostics.budget.isSpent { return false }
      guard let key = node.pairs?[index].key else { break }
      do throws(ScalarProblem) { _ = try NameScalar.id(key.ownName) } catch {
        report(error, at: YAMLNode(.scalar(.init(text: key.ownName, style: .plain)), span: key.span))
        isSound = false
      }
      if !read(&node[value: index], as: type, field: field.under(key)) { isSound = false }
    }
    return isSound
  }

  mutating func readMap(_ node: inout YAMLNode, _ spec: MapSpec, _ field: Field) -> Bool {
    var field = field
    // A merge key may have brought anything.
    if !alreadyReported.isEmpty, isAlreadyReported(node) { field.skipsRequired = true }
    return readPairs(of: &node, spec, field)
  }

  /// Reads the pairs of a map but for those at `skipped`; `field` is what the map is the value of.
  mutating func readPairs(
    of node: inout YAMLNode, _ spec: MapSpec, _ field: Field, but skipped: Set<Int> = []
  ) -> Bool {
    var form = MapForm(node, spec, but: skipped)
    if spec.hasColors { form.calls = colorCalls(in: node.pairs ?? [], spec) }
    var isSound = spec.exclusive.isEmpty || reportExclusive(node, spec, skipped)
    var hasUnknownKeys = false
    for index in 0..<(node.pairs?.count ?? 0) where !skipped.contains(index) {
      if diagnostics.budget.isSpent { return false }
      switch checkKey(index, of: node, spec, form) {
      case .sound(let key, let type):
        if !read(&node[value: index], as: type, field: field.under(key)) { isSound = false }
      case .wrong: isSound = false
      case .unknown: hasUnknownKeys = true
      }
    }
    // What is missing may be what an unknown key was meant to be.
    if !hasUnknownKeys, !field.skipsRequired, !checkRequired(of: node, spec, field) { isSound = false }
    return isSound && !hasUnknownKeys
  }

  /// What the keys of a map say together.
  private struct MapForm {
    /// What its `kind` says, where keys belong to some kinds only.
    let kind: String?
    /// Whether it is a map of something else: none of several keys is known.
    let isElsewhere: Bool
    let count: Int
    let first: Int
    /// Colors as a style sheet writes them, of which YAML makes several keys.
    var calls: [Int: String?] = [:]

    init(_ node: YAMLNode, _ spec: MapSpec, but skipped: Set<Int>) {
      let pairs = node.pairs ?? []
      let written = spec.hasKinds ? pairs.first { $0.key.text == "kind" }?.value : nil
      // Which keys belong to a kind that an argument says is known where the argument is.
      kind = written?.planText?.isLiteral == false ? nil : spec.defaultKind.map { written?.text ?? $0 }
      count = pairs.count - skipped.count
      first = skipped.isEmpty ? 0 : pairs.indices.first { !skipped.contains($0) } ?? 0
      isElsewhere = count > 2 && !pairs.indices.contains { !skipped.contains($0) && spec.contains(pairs[$0].key.text) }
    }
  }

  private enum KeyFinding {
    case sound(YAMLNode.Key, FieldType)
    case wrong, unknown
  }

  private mutating func checkKey(_ index: Int, of node: YAMLNode, _ spec: MapSpec, _ form: MapForm) -> KeyFinding {
    guard let pairs = node.pairs else { return .wrong }
    if !form.calls.isEmpty, let call = form.calls[index] {
      if let call { report(call, of: pairs[index]) }
      return .wrong
    }
    let written = pairs[index].key
    guard let place = spec.index(of: written.text) else {
      let pair = pairs[index]
      // A map of something else altogether is one mistake, not one in each key.
      if index > form.first, form.isElsewhere { return .unknown }
      if !reportSplitDays(pair, of: pairs, in: spec) {
        reportUnknownKey(pair, in: spec, others: form.isElsewhere ? form.count - 1 : 0)
      }
      return .unknown
    }
    if let kinds = spec.keys[place].kinds, let kind = form.kind, !kinds.contains(kind) {
      reportWrongKind(written, kinds: kinds, kind: kind, spec, pairs)
      return .wrong
    }
    if let replacement = spec.keys[place].replacement { reportDeprecated(written, replacement) }
    return .sound(written, spec.keys[place].type)
  }

  /// K107 for keys of which only one may be there; false when it was reported.
  private mutating func reportExclusive(_ node: YAMLNode, _ spec: MapSpec, _ skipped: Set<Int>) -> Bool {
    var isSound = true
    for group in spec.exclusive {
      let present = (node.pairs ?? []).enumerated().filter {
        group.contains($0.element.key.text) && !skipped.contains($0.offset)
      }.map(\.element.key)
      guard present.count > 1 else { continue }
      diagnostics.report(
        .error, .k107, "`\(present[0].text)` and `\(present[1].text)` exclude each other",
        at: .init(present[1].span, "leave one of them out"), related: [.init(present[0].span)])
      isSound = false
    }
    return isSound
  }

  /// K105 for keys that must be there; false when it was reported.
  private mutating func checkRequired(of node: YAMLNode, _ spec: MapSpec, _ field: Field) -> Bool {
    if spec.required.isEmpty, spec.needsOneOf.isEmpty { return true }
    let pairs = node.pairs ?? []
    func isMissing(_ name: String) -> Bool { node.index(of: name) == nil }
    let missing = spec.required.first(where: isMissing).map { [$0] }
    // A library may give a length alone: its virtual receiver knows content by the name of its file.
    if missing == nil, kind == .library, let name = spec.suffices, !isMissing(name) { return true }
    guard let first = missing ?? spec.needsOneOf.first(where: { $0.allSatisfy(isMissing) }) else { return true }
    let place = field.keySpan ?? pairs.first?.key.span ?? node.span
    let list = first.map { "`\($0)`" }.joined(separator: " or ")
    diagnostics.report(
      .error, .k105, "\(spec.place) needs \(list)", at: .init(place, "no `\(first.first ?? "")` here"),
      footers: [.help("`showcaller explain \(spec.topic)` shows all keys")])
    return false
  }
}
