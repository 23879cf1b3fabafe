import CastProtocol

@testable import ScenarioLanguage

extension YAMLNode {
  /// The node as an editor's YAML reader hands it to a schema: plain scalars are typed by the rules of YAML 1.2.
  var editorValue: JSONValue {
    switch content {
    case .sequence(let items): .array(items.map(\.editorValue))
    case .mapping(let pairs):
      .object(JSONObject(pairs.map { JSONObject.Member($0.key.text, $0.value.editorValue) }))
    case .scalar(let scalar): scalar.style == .plain ? Self.typed(scalar.text) : .string(scalar.text)
    }
  }

  private static func typed(_ text: String) -> JSONValue {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: break
    }
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    if ScalarText.isDigits(digits), let number = Int(text) { return .int(number) }
    let isNumeric = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    if isNumeric, digits.first.map({ $0.isNumber || $0 == "." }) ?? false, let number = Double(text) {
      return .double(number)
    }
    return .string(text)
  }

  /// The node on one line, in the style of JSON; `isQuoted`: every scalar in quotes.
  func flow(isQuoted: Bool = false) -> String {
    switch content {
    case .sequence(let items): return "[" + items.map { $0.flow(isQuoted: isQuoted) }.joined(separator: ", ") + "]"
    case .mapping(let pairs):
      let texts = pairs.map { "\(Self.quoted($0.key.text)): \($0.value.flow(isQuoted: isQuoted))" }
      return "{" + texts.joined(separator: ", ") + "}"
    case .scalar(let scalar):
      if isEmpty { return "" }
      let isSafe = scalar.text.utf8.allSatisfy { $0.isPlainInFlow }
      return scalar.style == .plain && isSafe && !isQuoted ? scalar.text : Self.quoted(scalar.text)
    }
  }

  private static func quoted(_ text: String) -> String { JSONValue.string(text).serialized() }

  /// Every node below this one with the way to it: indices of entries.
  var descendants: [(path: [Int], node: YAMLNode)] {
    let children = items ?? pairs?.map(\.value) ?? []
    return children.enumerated().flatMap { index, child in
      [([index], child)] + child.descendants.map { ([index] + $0.path, $0.node) }
    }
  }

  /// Where a way leads, by the names of the keys; all items of a list stand at one place.
  func place(of path: ArraySlice<Int>) -> String {
    guard let first = path.first else { return "" }
    if let items { return "[]" + items[first].place(of: path.dropFirst()) }
    guard let pairs else { return "" }
    return ".\(pairs[first].key.text)" + pairs[first].value.place(of: path.dropFirst())
  }

  /// Whether it is a map, a list or a value.
  var shape: String { pairs != nil ? "map" : items != nil ? "list" : "value" }

  /// The tree with another node at the end of a way.
  func replacing(_ path: ArraySlice<Int>, with node: YAMLNode) -> YAMLNode {
    guard let first = path.first else { return node }
    var result = self
    switch content {
    case .sequence(var items):
      items[first] = items[first].replacing(path.dropFirst(), with: node)
      result.content = .sequence(items)
    case .mapping(var pairs):
      pairs[first].value = pairs[first].value.replacing(path.dropFirst(), with: node)
      result.content = .mapping(pairs)
    case .scalar: break
    }
    return result
  }
}

extension UInt8 {
  /// Letters, digits and what means nothing to YAML inside braces.
  fileprivate var isPlainInFlow: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "%"): true
    default: false
    }
  }
}
