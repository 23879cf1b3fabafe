/// Why a JSON value is not what it is read as.
package struct JSONDecodingError: Error, Hashable, Sendable {
  /// The members on the way to what is wrong: `rows[0].steps[3].timeout`; empty for the whole value.
  package var path: String
  /// A lowercase fragment: `it is missing`.
  package var message: String

  /// What is wrong at the end of a path.
  package init(path: String, message: String) {
    self.path = path
    self.message = message
  }
}

extension JSONValue {
  /// Levels within levels that are read; more could end the stack.
  package static let decodingDepth = 640

  /// Reads what ``init(encoding:)`` wrote. Members that the type does not know are passed over.
  package func decoded<T: Decodable>(as type: T.Type = T.self) throws(JSONDecodingError) -> T {
    do {
      return try DecodingNode(json: self, codingPath: []).value()
    } catch let error as JSONDecodingError {
      throw error
    } catch let error as DecodingError {
      throw JSONDecodingError(error)
    } catch {
      throw JSONDecodingError(path: "", message: "\(error)")
    }
  }
}

extension JSONValue: Decodable {
  /// The value itself, as it is; from other decoders than ours the text that other encoders got.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self =
      if decoder is DecodingNode {
        try container.decode(JSONValue.self)
      } else {
        try JSONValue(parsing: container.decode(String.self))
      }
  }
}

extension JSONObject: Decodable {
  /// The object itself, members in order.
  package init(from decoder: any Decoder) throws {
    let json = try decoder.singleValueContainer().decode(JSONValue.self)
    guard let object = json.object else { throw JSONDecodingError(decoder.codingPath, "it is no object") }
    self = object
  }
}

extension JSONDecodingError {
  fileprivate init(_ path: [any CodingKey], _ message: String) {
    let text = path.reduce("") { text, key in
      if let index = key.intValue { return "\(text)[\(index)]" }
      return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
    }
    self.init(path: text, message: message)
  }

  fileprivate init(_ error: DecodingError) {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      self.init(context.codingPath, context.debugDescription)
    case .keyNotFound(let key, let context): self.init(context.codingPath + [key], "it is missing")
    @unknown default: self.init(path: "", message: "\(error)")
    }
  }
}

/// A place in a list.
private struct Index: CodingKey {
  let index: Int
  init(_ index: Int) { self.index = index }
  init(intValue: Int) { index = intValue }
  init?(stringValue: String) { nil }
  var intValue: Int? { index }
  var stringValue: String { String(index) }
}

/// A value that is being read, and where it stands.
private struct DecodingNode: Decoder {
  let json: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let object = json.object else { throw problem("it is no object") }
    return KeyedDecodingContainer(KeyedReading(object, codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try list() }

  func list() throws -> ListReading {
    guard let elements = json.array else { throw problem("it is no list") }
    return ListReading(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleReading(node: self) }

  func value<T: Decodable>(_ type: T.Type = T.self) throws -> T {
    guard codingPath.count <= JSONValue.decodingDepth else { throw problem("it lies too deep") }
    switch type {
    case is String.Type: return try found(json.string, "text")
    case is Bool.Type: return try found(json.bool, "true or false")
    case is Int.Type: return try found(json.int, "whole number")
    case is Double.Type: return try found(number, "number")
    case is Duration.Type: return try found(duration, "duration")
    case is JSONValue.Type: return try found(json, "value")
    default: return try T(from: self)
    }
  }

  func problem(_ message: String) -> JSONDecodingError { JSONDecodingError(codingPath, message) }

  private func found<T>(_ value: Any?, _ wanted: String) throws -> T {
    guard let value = value as? T else { throw problem("it is no \(wanted)") }
    return value
  }

  private var number: Double? {
    if let text = json.string { return ["inf", "-inf", "nan"].contains(text) ? Double(text) : nil }
    return json.number
  }

  /// A number, or the digits of one that does not fit an `Int`.
  func integer<T: FixedWidthInteger>() throws -> T {
    try found(json.int.flatMap { T(exactly: $0) } ?? json.string.flatMap { T($0) }, "number of its range")
  }

  /// Longer ones than a document can say would not fit where they are added up.
  private var duration: Duration? {
    let parts = json.array?.map(\.int) ?? [json.int, 0]
    guard parts.count == 2, let seconds = parts[0], let attoseconds = parts[1],
      seconds.magnitude <= 1 << 40, attoseconds.magnitude < 1_000_000_000_000_000_000
    else { return nil }
    return Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(attoseconds))
  }
}

private struct KeyedReading<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let members: [String: JSONValue]
  let codingPath: [any CodingKey]

  init(_ object: JSONObject, _ codingPath: [any CodingKey]) {
    members = Dictionary(object.members.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
    self.codingPath = codingPath
  }

  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }
  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try node(key).json.isNull }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try node(key).value() }

  func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
    try node(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try node(key).list() }
  func superDecoder() throws -> any Decoder { try node(named: "super", Index(0)) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try node(key) }

  private func node(_ key: Key) throws -> DecodingNode { try node(named: key.stringValue, key) }

  private func node(named name: String, _ key: any CodingKey) throws -> DecodingNode {
    guard let value = members[name] else { throw JSONDecodingError(codingPath + [key], "it is missing") }
    return DecodingNode(json: value, codingPath: codingPath + [key])
  }
}

private struct ListReading: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(elements: [JSONValue], codingPath: [any CodingKey]) {
    self.elements = elements
    self.codingPath = codingPath
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try next().json.isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value: T = try next().value()
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    let container = try next().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try next().list()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let node = try next()
    currentIndex += 1
    return node
  }

  private func next() throws -> DecodingNode {
    let path = codingPath + [Index(currentIndex)]
    guard !isAtEnd else { throw JSONDecodingError(path, "it is missing") }
    return DecodingNode(json: elements[currentIndex], codingPath: path)
  }
}

private struct SingleReading: SingleValueDecodingContainer {
  let node: DecodingNode
  var codingPath: [any CodingKey] { node.codingPath }

  func decodeNil() -> Bool { node.json.isNull }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try node.value() }

  // A number type reads itself by asking for its own overload here; through the generic one it would never end.
  func decode(_: Int8.Type) throws -> Int8 { try node.integer() }
  func decode(_: Int16.Type) throws -> Int16 { try node.integer() }
  func decode(_: Int32.Type) throws -> Int32 { try node.integer() }
  func decode(_: Int64.Type) throws -> Int64 { try node.integer() }
  func decode(_: Int128.Type) throws -> Int128 { try node.integer() }
  func decode(_: UInt.Type) throws -> UInt { try node.integer() }
  func decode(_: UInt8.Type) throws -> UInt8 { try node.integer() }
  func decode(_: UInt16.Type) throws -> UInt16 { try node.integer() }
  func decode(_: UInt32.Type) throws -> UInt32 { try node.integer() }
  func decode(_: UInt64.Type) throws -> UInt64 { try node.integer() }
  func decode(_: UInt128.Type) throws -> UInt128 { try node.integer() }
  func decode(_: Float.Type) throws -> Float { Float(try node.value(Double.self)) }
}
