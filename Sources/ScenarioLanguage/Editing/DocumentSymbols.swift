/// What a document defines, with what it includes: names, by what they name, each with its place.
struct DocumentSymbols {
  /// One name.
  struct Symbol {
    var name: String
    var span: SourceSpan
  }

  private let names: DefinedNames
  /// Tracks, clips and steps, by ids of their own.
  private var others: [FieldType.Reference: [Symbol]] = [:]
  /// What `${name}` may be, in the document's order.
  private(set) var variables: [Symbol] = []

  /// - Parameter root: With the definitions of libraries.
  init(_ root: YAMLNode) {
    names = DefinedNames(root)
    for pair in root.pairs ?? [] {
      switch pair.key.text {
      case "vars": add(pair.value, to: &variables)
      case "secrets": add(pair.value, to: &variables, prefix: "secret.")
      case "matrix": add(pair.value, to: &variables, prefix: "matrix.", without: ["exclude"])
      case "media": addParts(of: pair.value)
      case "blocks":
        for block in pair.value.pairs ?? [] {
          for part in block.value.pairs ?? [] {
            switch part.key.text {
            case "params": add(part.value, to: &variables)
            case "steps", "finally": addSteps(part.value)
            default: break
            }
          }
        }
      case let key where Plan.Section(rawValue: key) != nil: addSteps(pair.value)
      default: break
      }
    }
  }

  /// What a kind of reference may name, in the document's order.
  func symbols(of kind: FieldType.Reference) -> [Symbol] {
    if let known = others[kind] { return known }
    let found = names[kind == .mediaOrURL ? .media : kind]
    return found.ordered.compactMap { name in found.places[name].map { Symbol(name: name, span: $0) } }
  }

  /// Where a name is defined.
  func place(of name: String, as kind: FieldType.Reference) -> SourceSpan? {
    symbols(of: kind).first { $0.name == name }?.span
  }

  /// The declaration of a variable: `server.port` may be a part of `server`.
  func place(ofVariable name: String) -> SourceSpan? {
    for prefix in name.dottedPrefixes.reversed() {
      if let found = variables.first(where: { $0.name == prefix }) { return found.span }
    }
    return nil
  }

  // MARK: Looking for them

  private func add(
    _ node: YAMLNode, to symbols: inout [Symbol], prefix: String = "", without left: [String] = []
  ) {
    for pair in node.pairs ?? []
    where !left.contains(pair.key.text) && !symbols.contains(where: { $0.name == prefix + pair.key.text }) {
      symbols.append(Symbol(name: prefix + pair.key.text, span: pair.key.span))
      if symbols.count >= Self.most { return }
    }
  }

  /// Nobody chooses among more.
  private static let most = 2_000

  private mutating func addParts(of media: YAMLNode) {
    for pair in media.pairs ?? [] {
      for part in pair.value.pairs ?? [] {
        switch part.key.text {
        case "tracks":
          for track in part.value.items ?? [] {
            guard let id = track.pairs?.first(where: { $0.key.text == "id" })?.value, let text = id.text else {
              continue
            }
            add(Symbol(name: text, span: id.span), as: .track)
          }
        case "clips":
          for clip in part.value.pairs ?? [] { add(Symbol(name: clip.key.text, span: clip.key.span), as: .clip) }
        default: break
        }
      }
    }
  }

  private mutating func add(_ symbol: Symbol, as kind: FieldType.Reference) {
    var known = others[kind] ?? []
    guard known.count < Self.most, !known.contains(where: { $0.name == symbol.name }) else { return }
    known.append(symbol)
    others[kind] = known
  }

  /// The ids of steps, and what they save, as deep as they nest.
  private mutating func addSteps(_ node: YAMLNode) {
    for item in node.items ?? [] {
      if variables.count >= Self.most { return }
      for pair in item.pairs ?? [] {
        switch pair.key.text {
        case "id": if let id = pair.value.text { add(Symbol(name: id, span: pair.value.span), as: .step) }
        case "save": add(pair.value, to: &variables)
        default: addNested(pair.value)
        }
      }
    }
  }

  private mutating func addNested(_ node: YAMLNode) {
    switch node.content {
    case .scalar: break
    case .sequence(let items):
      for item in items {
        if item.pairs?.contains(where: { $0.key.text == "steps" }) == true { addNested(item) }
      }
    case .mapping(let pairs):
      for pair in pairs where pair.value.items != nil {
        if ["steps", "finally", "otherwise"].contains(pair.key.text) {
          addSteps(pair.value)
        } else {
          addNested(pair.value)
        }
      }
    }
  }
}
