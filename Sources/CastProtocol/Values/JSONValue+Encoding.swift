extension JSONValue {
  /// What a value encodes itself to: members in the order of their declaration, what has no order (dictionaries and sets)
  /// sorted, so that equal values give the same text. A `Duration` is its seconds, or seconds and attoseconds.
  ///
  /// - Throws: What `value` throws; what the compiler makes of `Codable` throws nothing here.
  package init(encoding value: some Encodable) throws {
    let node = EncodingNode()
    try node.store(value)
    self = node.json
  }
}

extension JSONValue: Encodable {
  /// The value itself, as it is; other encoders than ours get its text, because they would ask it again and again.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if encoder is EncodingNode { try container.encode(self) } else { try container.encode(serialized()) }
  }
}

extension JSONObject: Encodable {
  /// The object itself, members in order.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(JSONValue.object(self))
  }
}

/// A value that is being encoded: what it asked for becomes its form.
private final class EncodingNode: Encoder {
  private enum Content {
    case nothing
    case value(JSONValue)
    case members([(name: String, node: EncodingNode)])
    case elements([EncodingNode])
  }

  private var content = Content.nothing
  private var isUnordered = false

  // Nothing here can fail at a place, so nobody has to know it.
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .nothing = content { content = .members([]) }
    return KeyedEncodingContainer(KeyedForm(node: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .nothing = content { content = .elements([]) }
    return ListForm(node: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleForm(node: self) }

  func store(_ value: some Encodable) throws {
    switch value {
    case let value as String: content = .value(.string(value))
    case let value as Bool: content = .value(.bool(value))
    case let value as Int: content = .value(.int(value))
    case let value as Double: content = .value(Self.json(value))
    case let value as Duration: content = .value(Self.json(value))
    case let value as JSONValue: content = .value(value)
    default:
      try value.encode(to: self)
      // Asking whether a type conforms searches the whole program, once for each type: that was a quarter of a cold
      // `run`. Dictionaries and sets are one pointer, so only types of that size are asked.
      guard MemoryLayout.size(ofValue: value) == MemoryLayout<UnsafeRawPointer>.size else { return }
      switch content {
      case .members: isUnordered = value is any UnorderedMembers
      case .elements: isUnordered = value is any UnorderedElements
      default: break
      }
    }
  }

  func storeNull() { content = .value(.null) }

  /// A number, or its digits where it does not fit an `Int`.
  func storeInteger(_ value: some BinaryInteger) {
    content = .value(Int(exactly: value).map { .int($0) } ?? .string(String(value)))
  }

  func addMember(_ name: String) -> EncodingNode {
    let node = EncodingNode()
    if case .members(var members) = content {
      // Else a second owner would have it copied.
      content = .nothing
      members.append((name, node))
      content = .members(members)
    }
    return node
  }

  func addElement() -> EncodingNode {
    let node = EncodingNode()
    if case .elements(var elements) = content {
      content = .nothing
      elements.append(node)
      content = .elements(elements)
    }
    return node
  }

  var elementCount: Int { if case .elements(let elements) = content { elements.count } else { 0 } }

  var json: JSONValue {
    switch content {
    case .nothing: return .object(JSONObject())
    case .value(let value): return value
    case .members(let members):
      let found = members.map { JSONObject.Member($0.name, $0.node.json) }
      return .object(JSONObject(isUnordered ? found.sorted { $0.name < $1.name } : found))
    case .elements(let elements):
      let found = elements.map(\.json)
      return .array(isUnordered ? found.sorted { $0.serialized() < $1.serialized() } : found)
    }
  }

  /// JSON has no number for what is not finite.
  private static func json(_ number: Double) -> JSONValue {
    number.isFinite ? JSONValue(number) : .string(number.description)
  }

  private static func json(_ duration: Duration) -> JSONValue {
    let (seconds, attoseconds) = duration.components
    return attoseconds == 0 ? .int(Int(seconds)) : [.int(Int(seconds)), .int(Int(attoseconds))]
  }
}

/// What comes in another order each time the program runs.
private protocol UnorderedElements {}
extension Set: UnorderedElements {}
private protocol UnorderedMembers {}
extension Dictionary: UnorderedMembers {}

private struct KeyedForm<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodingNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { node.addMember(key.stringValue).storeNull() }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try node.addMember(key.stringValue).store(value) }

  func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    node.addMember(key.stringValue).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    node.addMember(key.stringValue).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { node.addMember("super") }
  func superEncoder(forKey key: Key) -> any Encoder { node.addMember(key.stringValue) }
}

private struct ListForm: UnkeyedEncodingContainer {
  let node: EncodingNode
  var codingPath: [any CodingKey] { [] }
  var count: Int { node.elementCount }

  func encodeNil() { node.addElement().storeNull() }
  func encode<T: Encodable>(_ value: T) throws { try node.addElement().store(value) }

  func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    node.addElement().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.addElement().unkeyedContainer() }
  func superEncoder() -> any Encoder { node.addElement() }
}

private struct SingleForm: SingleValueEncodingContainer {
  let node: EncodingNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { node.storeNull() }
  func encode<T: Encodable>(_ value: T) throws { try node.store(value) }

  // A number type encodes itself by asking for its own overload here; through the generic one it would never end.
  func encode(_ value: Int8) { node.storeInteger(value) }
  func encode(_ value: Int16) { node.storeInteger(value) }
  func encode(_ value: Int32) { node.storeInteger(value) }
  func encode(_ value: Int64) { node.storeInteger(value) }
  func encode(_ value: Int128) { node.storeInteger(value) }
  func encode(_ value: UInt) { node.storeInteger(value) }
  func encode(_ value: UInt8) { node.storeInteger(value) }
  func encode(_ value: UInt16) { node.storeInteger(value) }
  func encode(_ value: UInt32) { node.storeInteger(value) }
  func encode(_ value: UInt64) { node.storeInteger(value) }
  func encode(_ value: UInt128) { node.storeInteger(value) }
  func encode(_ value: Float) throws { try node.store(Double(value)) }
}
