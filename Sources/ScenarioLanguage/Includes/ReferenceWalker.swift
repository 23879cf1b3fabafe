/// Goes through definitions by their tables and finds every name of another definition in them: what an include with
/// `as:` puts its prefix in front of, and what `only:` takes along.
struct ReferenceWalker {
  /// A definition by its top-level key and name.
  struct Target: Hashable {
    var key: String
    var name: String
  }

  /// All there is to refer to.
  let targets: Set<Target>
  /// Put in front of each name, with its dot; empty only finds them.
  let prefix: String
  private(set) var found: Set<Target> = []
  /// Nodes looked at, so that prefixes on prefixes cannot go on for ever.
  private(set) var visited = 0
  /// Parameters of the block that is looked at: they hide variables.
  private var hidden: Set<String> = []
  private let variables: Set<String>
  private let secrets: Set<String>
  private let blocks: [String: YAMLNode]

  init(_ definitions: [Definition], prefix: String = "") {
    targets = Set(definitions.map { Target(key: $0.key, name: $0.name) })
    variables = Set(definitions.lazy.filter { $0.key == "vars" }.map(\.name))
    secrets = Set(definitions.lazy.filter { $0.key == "secrets" }.map(\.name))
    blocks = Dictionary(
      definitions.lazy.filter { $0.key == "blocks" }.map { ($0.name, $0.pair.value) },
      uniquingKeysWith: { first, _ in first })
    self.prefix = prefix
  }

  /// The definition with the prefix in front of its name and of all names in it.
  mutating func walk(_ definition: Definition) -> Definition {
    found = []
    hidden = []
    var result = definition
    let type: FieldType
    switch LanguageSchema.library[definition.key]?.type {
    case .mapOf(let inner, _): type = inner
    default: type = .anyValue
    }
    if definition.key == "blocks" {
      let params = definition.pair.value.pairs?.first { $0.key.text == "params" }?.value.pairs ?? []
      hidden = Set(params.map(\.key.text))
    }
    result.pair.value =
      definition.key == "vars" ? walkVariable(definition.pair.value) : walk(definition.pair.value, type)
    result.pair.key.text = prefix + definition.name
    result.pair.key.prefixLength += prefix.count
    result.pair.key.isImported = true
    return result
  }

  // MARK: Variables that name a definition

  private static func referenceType(_ node: YAMLNode) -> FieldType? {
    switch node.pairs?.first(where: { $0.key.text == "type" })?.value.text {
    case "media": .reference(.mediaOrURL)
    case "app": .reference(.app)
    default: nil
    }
  }

  /// A variable, or a parameter of a block.
  private mutating func walkVariable(_ node: YAMLNode) -> YAMLNode {
    guard let type = Self.referenceType(node), var pairs = node.pairs else { return walk(node, .anyValue) }
    for index in pairs.indices {
      let isValue = pairs[index].key.text == "default"
      pairs[index].value =
        pairs[index].key.text == "choices"
        ? walk(pairs[index].value, .list(type, of: "values")) : walk(pairs[index].value, isValue ? type : .anyValue)
    }
    return YAMLNode(.mapping(pairs), span: node.span)
  }

  private mutating func walkBlock(_ node: YAMLNode) -> YAMLNode {
    guard var pairs = node.pairs else { return walk(node, .anyValue) }
    for index in pairs.indices {
      let value = pairs[index].value
      guard pairs[index].key.text == "params", var params = value.pairs else {
        pairs[index].value = walk(value, LanguageSchema.block[pairs[index].key.text]?.type ?? .anyValue)
        continue
      }
      for place in params.indices { params[place].value = walkVariable(params[place].value) }
      pairs[index].value = changed(value, .mapping(params))
    }
    return changed(node, .mapping(pairs))
  }

  /// What a block's parameter names; `nil` where it is declared as anything else.
  private func parameterType(_ name: String, of block: String?) -> FieldType? {
    var block = block
    // Blocks that are like each other in a circle are refused later.
    for _ in 0..<20 {
      guard let pairs = block.flatMap({ blocks[$0]?.pairs }) else { return nil }
      let params = pairs.first { $0.key.text == "params" }?.value.pairs ?? []
      if let param = params.first(where: { $0.key.text == name }) { return Self.referenceType(param.value) }
      block = pairs.first { $0.key.text == "like" }?.value.text
    }
    return nil
  }

  // MARK: Nodes

  private mutating func walk(_ node: YAMLNode, _ type: FieldType) -> YAMLNode {
    visited += 1
    switch type {
    case .savable(let inner), .words(_, let inner): return walk(node, inner)
    case .oneOrMany(let inner, _): return walkEach(node, inner)
    case .list(let inner, _): return node.items == nil ? walk(node, .anyValue) : walkEach(node, inner)
    case .byShape(let scalar, let list, let map):
      let fitting: FieldType? =
        switch node.content {
        case .scalar: scalar
        case .sequence: list
        case .mapping: map
        }
      return walk(node, fitting ?? .anyValue)
    case .map(let spec) where spec === LanguageSchema.block: return walkBlock(node)
    case .map(let spec): return walkPairs(node) { spec[$0]?.type ?? .anyValue }
    case .mapOf(let inner, _): return walkPairs(node) { _ in inner }
    case .steps: return node.items == nil ? walk(node, .anyValue) : walkEachStep(node)
    case .reference(let kind): return walkReference(node, kind)
    default: return walkFree(node)
    }
  }

  /// What has no table: only variables are in it.
  private mutating func walkFree(_ node: YAMLNode) -> YAMLNode {
    switch node.content {
    case .scalar(let scalar): return renamed(scalar, node)
    case .sequence: return walkEach(node, .anyValue)
    case .mapping(let pairs):
      var pairs = pairs
      for index in pairs.indices {
        let isVariables = pairs[index].key.text == "vars" && pairs[index].value.pairs != nil
        pairs[index].value = walk(pairs[index].value, .anyValue)
        if isVariables { pairs[index].value = renamingKeys(pairs[index].value) }
      }
      return changed(node, .mapping(pairs))
    }
  }

  private mutating func walkEach(_ node: YAMLNode, _ type: FieldType) -> YAMLNode {
    guard let items = node.items else { return walk(node, type) }
    return changed(node, .sequence(items.map { walk($0, type) }))
  }

  private mutating func walkPairs(_ node: YAMLNode, _ type: (String) -> FieldType) -> YAMLNode {
    guard var pairs = node.pairs else { return walk(node, .anyValue) }
    for index in pairs.indices { pairs[index].value = walk(pairs[index].value, type(pairs[index].key.text)) }
    return changed(node, .mapping(pairs))
  }

  // MARK: Steps

  private mutating func walkEachStep(_ node: YAMLNode) -> YAMLNode {
    changed(node, .sequence((node.items ?? []).map { walkStep($0) }))
  }

  private mutating func walkStep(_ node: YAMLNode) -> YAMLNode {
    visited += 1
    guard var pairs = node.pairs else { return node }
    for index in pairs.indices {
      let (name, value) = (pairs[index].key.text, pairs[index].value)
      guard let verb = LanguageSchema.verb(name) else {
        pairs[index].value = walk(value, LanguageSchema.modifiers[name]?.type ?? .anyValue)
        continue
      }
      if name == "use", let keys = value.pairs {
        pairs[index].value = walkUse(value, keys)
        continue
      }
      switch verb.form {
      case .bare: break
      case .value(let type): pairs[index].value = walk(value, type)
      case .keys(let spec, let short):
        pairs[index].value =
          value.pairs == nil ? walk(value, short?.type ?? .anyValue) : walk(value, .map(spec))
      }
      if name == "set" { pairs[index].value = renamingKeys(pairs[index].value) }
    }
    return changed(node, .mapping(pairs))
  }

  private mutating func walkUse(_ node: YAMLNode, _ keys: [YAMLNode.Pair]) -> YAMLNode {
    var keys = keys
    let block = keys.first { $0.key.text == "block" }?.value.text
    for index in keys.indices {
      let value = keys[index].value
      guard keys[index].key.text == "with", var arguments = value.pairs else {
        keys[index].value = walk(value, keys[index].key.text == "block" ? .reference(.block) : .anyValue)
        continue
      }
      for place in arguments.indices {
        let type = parameterType(arguments[place].key.text, of: block) ?? .anyValue
        arguments[place].value = walk(arguments[place].value, type)
      }
      keys[index].value = changed(value, .mapping(arguments))
    }
    return changed(node, .mapping(keys))
  }

  // MARK: Names

  /// The keys of `set` and of a condition's `vars` are names of variables.
  private mutating func renamingKeys(_ node: YAMLNode) -> YAMLNode {
    guard var pairs = node.pairs else { return node }
    for index in pairs.indices where variables.contains(pairs[index].key.text) {
      let name = pairs[index].key.text
      guard !hidden.contains(name) else { continue }
      found.insert(Target(key: "vars", name: name))
      pairs[index].key.text = prefix + name
      pairs[index].key.prefixLength += prefix.count
    }
    return changed(node, .mapping(pairs))
  }

  private mutating func walkReference(_ node: YAMLNode, _ kind: FieldType.Reference) -> YAMLNode {
    guard case .scalar(var scalar) = node.content else { return walk(node, .anyValue) }
    guard let key = Definition.key(for: kind), targets.contains(Target(key: key, name: scalar.text)) else {
      return renamed(scalar, node)
    }
    found.insert(Target(key: key, name: scalar.text))
    if prefix.isEmpty { return node }
    scalar.text = prefix + scalar.text
    return YAMLNode(.scalar(scalar), span: node.span, substitutedAt: node.substitutedAt)
  }

  /// A text with the prefix in front of the library's names in its `${ }`.
  private mutating func renamed(_ scalar: YAMLNode.Scalar, _ node: YAMLNode) -> YAMLNode {
    guard scalar.text.utf8.contains(0x24) else { return node }
    var holes: [(range: Range<Int>, offset: Int)] = []
    for case .hole(let name, let range) in SubstitutionText(scalar.text).parts {
      if let offset = use(name) { holes.append((range, offset)) }
    }
    if holes.isEmpty || prefix.isEmpty { return node }
    var result = String.UnicodeScalarView()
    var position = 0
    let scalars = Array(scalar.text.unicodeScalars)
    for hole in holes {
      let place = hole.range.lowerBound + hole.offset
      result.append(contentsOf: scalars[position..<place])
      result.append(contentsOf: prefix.unicodeScalars)
      position = place
    }
    result.append(contentsOf: scalars[position...])
    var scalar = scalar
    scalar.text = String(result)
    return YAMLNode(.scalar(scalar), span: node.span, substitutedAt: node.substitutedAt)
  }

  /// Where in a name the prefix belongs; `nil` for what is none of the library's.
  private mutating func use(_ name: String) -> Int? {
    let parts = name.split(separator: ".", maxSplits: 20, omittingEmptySubsequences: false).map(String.init)
    let isSecret = parts.first == "secret"
    if !isSecret, let head = parts.first, hidden.contains(head) { return nil }
    var path = ""
    for part in isSecret ? parts.dropFirst() : parts[...] {
      path += path.isEmpty ? part : "." + part
      guard (isSecret ? secrets : variables).contains(path) else { continue }
      found.insert(Target(key: isSecret ? "secrets" : "vars", name: path))
      return isSecret ? "secret.".count : 0
    }
    return nil
  }

  private func changed(_ node: YAMLNode, _ content: YAMLNode.Content) -> YAMLNode {
    YAMLNode(content, span: node.span, substitutedAt: node.substitutedAt)
  }
}
