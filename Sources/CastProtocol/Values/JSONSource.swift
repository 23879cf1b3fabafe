/// Where typed values are read from: a tree (``JSONTreeSource``), or the text itself (``JSONParser``), which makes no tree
/// of what nobody keeps. So there is one reader of each type, whatever it reads from.
///
/// A source stands at one value. What is read is passed; what is not read is passed over by whoever holds the list or
/// the object around it, so that a reader just leaves alone what it does not know. Nothing is read twice.
package protocol JSONSource: ~Copyable {
  /// Hands out the members of an object, each with the source at its value.
  /// - Parameter body: Gets `nil` for a name that no message is read by.
  /// - Returns: `false`, and nothing is read, where no object stands.
  mutating func readMembers(_ body: (_ name: WireName?, _ value: inout Self) -> Void) -> Bool

  /// Hands out the elements of an array.
  /// - Returns: `false`, and nothing is read, where no array stands.
  mutating func readElements(_ body: (_ element: inout Self) -> Void) -> Bool

  /// Passes a `null`; false, and nothing is read, where something else stands.
  mutating func readNull() -> Bool

  /// A text, a number, a truth value or `null`; `nil`, and nothing is read, where an object or an array stands.
  mutating func scalar() -> JSONValue?

  /// The value, whatever it is. From a text that is no JSON, `null`.
  mutating func tree() -> JSONValue
}

/// Reading what devices really send, as ``JSONValue`` does.
extension JSONSource where Self: ~Copyable {
  mutating func text() -> String? { scalar()?.string }
  mutating func lenientText() -> String? { scalar()?.lenientText }
  mutating func lenientNumber() -> Double? { scalar()?.lenientNumber }
  mutating func lenientSeconds() -> Double? { scalar()?.lenientSeconds }
  mutating func lenientInteger() -> Int? { scalar()?.lenientInteger }
  mutating func lenientFlag() -> Bool? { scalar()?.lenientFlag }

  /// Each of the first 256 elements of a list as `read` has it, without those it cannot read.
  mutating func lenientList<Element>(_ read: (inout Self) -> Element?) -> [Element]? {
    var list: [Element] = []
    var count = 0
    let isList = readElements { source in
      count += 1
      guard count <= JSONValue.listLimit else { return }
      if let element = read(&source) { list.append(element) }
    }
    return isList ? list : nil
  }
}

/// A type whose values are read from JSON objects, wherever those come from.
package protocol JSONReadable {
  /// Reads it, leniently; `nil`, and nothing is read, where no object stands.
  init?(reading source: inout some JSONSource & ~Copyable)
}

extension JSONReadable {
  /// Reads it from a tree, leniently; `nil` when it is no object.
  package init?(_ json: JSONValue) {
    var source = JSONTreeSource(json)
    self.init(reading: &source)
  }
}

/// A tree as a source.
package struct JSONTreeSource: JSONSource {
  private let json: JSONValue

  init(_ json: JSONValue) { self.json = json }

  package mutating func readMembers(_ body: (_ name: WireName?, _ value: inout Self) -> Void) -> Bool {
    guard case .object(let object) = json else { return false }
    for index in object.members.indices {
      var value = Self(object.members[index].value)
      body(object.members[index].wireName, &value)
    }
    return true
  }

  package mutating func readElements(_ body: (_ element: inout Self) -> Void) -> Bool {
    guard case .array(let elements) = json else { return false }
    for index in elements.indices {
      var element = Self(elements[index])
      body(&element)
    }
    return true
  }

  package mutating func readNull() -> Bool { json.isNull }

  package mutating func scalar() -> JSONValue? {
    switch json {
    case .object, .array: nil
    case .null, .bool, .int, .double, .string: json
    }
  }

  package mutating func tree() -> JSONValue { json }
}
