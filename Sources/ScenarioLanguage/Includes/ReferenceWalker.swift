/// Goes through definitions by their tables and finds every name of another definition in them: what an include with
/// `as:` puts its prefix in front of, and what `only:` takes along.
struct ReferenceWalker {
  /// All there is to refer to, and where it is among the definitions.
  let places: [Definition.Target: Int]
  /// Put in front of each name, with its dot; empty only finds them.
  let prefix: String
  private(set) var found: Set<Definition.Target> = []
  /// Nodes looked at, so that prefixes on prefixes cannot go on for ever.
  private(set) var visited = 0
  /// Parameters of the block that is looked at: they hide variables.
  private var hidden: Set<String> = []
  private let blocks: [String: YAMLNode]

  init(_ definitions: [Definition], prefix: String = "") {
    var places: [Definition.Target: Int] = [:]
    places.reserveCapacity(definitions.count)
    var blocks: [String: YAMLNode] = [:]
    // By their indices: a loop over them would copy each, and there may be 95 000.
    for place in definitions.indices {
      let target = definitions[place].target
      if let first = places.updateValue(place, forKey: target) {
        places[target] = first
      } else if target.key == .blocks {
        blocks[target.name] = definitions[place].pair.value
      }
    }
    self.places = places
    self.blocks = blocks
    self.prefix = prefix
  }

  /// The definition with the prefix in front of its name and of all names in it.
  mutating func walk(_ definition: Definition) -> Definition {
    found = []
    hidden = []
    let value = definition.pair.value
    var type = NodeType.free
    if case .mapOf(let inner, _)? = LanguageSchema.library[definition.key.rawValue]?.type {
      type = NodeType(inner, of: value)
    }
    if definition.key == .blocks {
      let params = value.pairs?.first { $0.key.text == "params" }?.value.pairs ?? []
      hidden = Set(params.map(\.key.text))
    }
    var result = definition
    result.pair.value = (definition.key == .vars ? variable(value) : walk(value, type)) ?? value
    result.pair.key.text = prefix + definition.name
    result.pair.key.prefixLength += prefix.count
    result.pair.key.isImported = true
    return result
  }

  // MARK: Nodes

  /// The node with its names behind the prefix; `nil` where there is none, or no prefix.
  private mutating func walk(_ node: YAMLNode, _ type: NodeType) -> YAMLNode? {
    visited += 1
    switch (node.content, type) {
    case (.scalar(let scalar), .scalar(.reference(let kind))): return reference(scalar, kind, in: node)
    case (.scalar, .step): return nil
    case (.scalar(let scalar), _): return text(scalar, in: node)
    default:
      return node.mapped(as: type) { key, child, childType in walk(child, childType, under: key?.text, in: type) }
    }
  }

  /// A child; some keys name more than their tables say.
  private mutating func walk(
    _ node: YAMLNode, _ type: NodeType, under key: String?, in parent: NodeType
  ) -> YAMLNode? {
    switch (parent, key) {
    case (.map(let spec), "params") where spec === LanguageSchema.block && node.pairs != nil:
      return node.mapped { variable($1) }
    case (.step, "use") where node.pairs != nil: return use(node, type)
    // The keys of `set` and of a condition's `vars` are names of variables.
    case (.step, "set"), (.free, "vars"), (.unfit, "vars"):
      let walked = walk(node, type)
      return renamingKeys(walked ?? node) ?? walked
    default: return walk(node, type)
    }
  }

  /// A use of a block: what an argument names says the parameter's type.
  private mutating func use(_ node: YAMLNode, _ type: NodeType) -> YAMLNode? {
    let block = node.pairs?.first { $0.key.text == "block" }?.value.text
    return node.mapped(as: type) { key, child, childType in
      guard key?.text == "with", child.pairs != nil else { return walk(child, childType) }
      return child.mapped { name, argument in
        walk(argument, NodeType(parameterType(name?.text ?? "", of: block) ?? .anyValue, of: argument))
      }
    }
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
  private mutating func variable(_ node: YAMLNode) -> YAMLNode? {
    guard let type = Self.referenceType(node) else { return walk(node, .free) }
    return node.mapped { key, child in
      switch key?.text {
      case "default": walk(child, NodeType(type, of: child))
      case "choices": walk(child, NodeType(.list(type, of: "values"), of: child))
      default: walk(child, .free)
      }
    }
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

  // MARK: Names

  private mutating func renamingKeys(_ node: YAMLNode) -> YAMLNode? {
    guard var pairs = node.pairs else { return nil }
    for index in pairs.indices {
      let name = pairs[index].key.text
      let target = Definition.Target(key: .vars, name: name)
      guard places[target] != nil, !hidden.contains(name) else { continue }
      found.insert(target)
      pairs[index].key.text = prefix + name
      pairs[index].key.prefixLength += prefix.count
    }
    return prefix.isEmpty ? nil : node.with(.mapping(pairs))
  }

  private mutating func reference(
    _ scalar: YAMLNode.Scalar, _ kind: FieldType.Reference, in node: YAMLNode
  ) -> YAMLNode? {
    guard let key = Definition.Key(namedBy: kind) else { return text(scalar, in: node) }
    let target = Definition.Target(key: key, name: scalar.text)
    guard places[target] != nil else { return text(scalar, in: node) }
    found.insert(target)
    if prefix.isEmpty { return nil }
    var scalar = scalar
    scalar.text = prefix + scalar.text
    return node.with(.scalar(scalar))
  }

  /// A text with the prefix in front of the library's names in its `${ }`.
  private mutating func text(_ scalar: YAMLNode.Scalar, in node: YAMLNode) -> YAMLNode? {
    guard scalar.text.utf8.contains(0x24) else { return nil }
    let text = TemplateText(scalar.text)
    var places: [Int] = []
    for (part, range) in zip(text.parts, text.ranges) {
      if case .value(let name) = part, let offset = place(of: name) { places.append(range.lowerBound + offset) }
    }
    if places.isEmpty || prefix.isEmpty { return nil }
    let letters = scalar.text.unicodeScalars
    var result = ""
    var (index, position) = (letters.startIndex, 0)
    for place in places {
      let next = letters.index(index, offsetBy: place - position)
      result += String(letters[index..<next])
      result += prefix
      (index, position) = (next, place)
    }
    result += String(letters[index...])
    // What is copied costs, too: so much as a node with a short text.
    visited += result.utf8.count / 64
    var scalar = scalar
    scalar.text = result
    return node.with(.scalar(scalar))
  }

  /// Where in a name the prefix belongs; `nil` for what is none of the library's.
  private mutating func place(of name: String) -> Int? {
    let parts = name.split(separator: ".", maxSplits: 20, omittingEmptySubsequences: false).map(String.init)
    let isSecret = parts.first == "secret"
    if !isSecret, let head = parts.first, hidden.contains(head) { return nil }
    var path = ""
    for part in isSecret ? parts.dropFirst() : parts[...] {
      path += path.isEmpty ? part : "." + part
      let target = Definition.Target(key: isSecret ? .secrets : .vars, name: path)
      guard places[target] != nil else { continue }
      found.insert(target)
      return isSecret ? "secret.".count : 0
    }
    return nil
  }
}
