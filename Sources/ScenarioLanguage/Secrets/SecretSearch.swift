import CastProtocol

/// Looks for secrets in all texts that a value encodes, and keeps nothing else of it: what a plan encodes takes far more
/// room than the plan.
final class SecretSearch: Encoder {
  private(set) var names: Set<String> = []

  // Nothing here can fail at a place, so nobody has to know it.
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedSearch(search: self))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { ListSearch(search: self) }
  func singleValueContainer() -> any SingleValueEncodingContainer { SingleSearch(search: self) }

  fileprivate func look(at text: String) {
    for case .secret(let name) in SecretPlaceholder.parts(of: text) { names.insert(name) }
  }

  fileprivate func look<T: Encodable>(into value: T) throws {
    // Comparing types takes less time than casting values.
    if T.self == String.self {
      if let text = value as? String { look(at: text) }
    } else if T.self == JSONValue.self {
      if let json = value as? JSONValue { look(into: json) }
    } else if !Self.hasNoText(T.self) {
      try value.encode(to: self)
    }
  }

  private func look(into json: JSONValue) {
    switch json {
    case .string(let text): look(at: text)
    case .array(let items): for item in items { look(into: item) }
    case .object(let object):
      for member in object.members {
        look(at: member.name)
        look(into: member.value)
      }
    case .null, .bool, .int, .double: break
    }
  }

  /// What most of a plan is made of and no document fills with texts.
  private static func hasNoText(_ type: any Any.Type) -> Bool {
    type == SourceSpan.self || type == RetryPolicy.self || type == Duration.self || type == Int.self
      || type == Bool.self || type == Double.self
  }
}

private struct KeyedSearch<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let search: SecretSearch
  var codingPath: [any CodingKey] { [] }

  /// The keys of dictionaries are texts. Those of types are cases, which take a byte.
  private func look(at key: Key) { if MemoryLayout<Key>.size > 1 { search.look(at: key.stringValue) } }

  func encodeNil(forKey key: Key) { look(at: key) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    look(at: key)
    try search.look(into: value)
  }
  func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    look(at: key)
    return search.container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    look(at: key)
    return search.unkeyedContainer()
  }
  func superEncoder() -> any Encoder { search }
  func superEncoder(forKey key: Key) -> any Encoder {
    look(at: key)
    return search
  }
}

private struct ListSearch: UnkeyedEncodingContainer {
  let search: SecretSearch
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  func encodeNil() {}
  func encode<T: Encodable>(_ value: T) throws { try search.look(into: value) }
  func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    search.container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { search.unkeyedContainer() }
  func superEncoder() -> any Encoder { search }
}

private struct SingleSearch: SingleValueEncodingContainer {
  let search: SecretSearch
  var codingPath: [any CodingKey] { [] }

  func encodeNil() {}
  func encode<T: Encodable>(_ value: T) throws { try search.look(into: value) }

  // A type of the standard library encodes itself by asking for its own overload here; the generic one would never end.
  func encode(_ value: String) { search.look(at: value) }
  func encode(_: Bool) {}
  func encode(_: Double) {}
  func encode(_: Float) {}
  func encode(_: Int) {}
  func encode(_: Int8) {}
  func encode(_: Int16) {}
  func encode(_: Int32) {}
  func encode(_: Int64) {}
  func encode(_: Int128) {}
  func encode(_: UInt) {}
  func encode(_: UInt8) {}
  func encode(_: UInt16) {}
  func encode(_: UInt32) {}
  func encode(_: UInt64) {}
  func encode(_: UInt128) {}
}
