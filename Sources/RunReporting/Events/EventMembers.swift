package import CastProtocol

/// One value of an event: how it is written in JSON, and what of it is emitted.
package protocol EventValue: Hashable, Sendable {
  /// Reads it; `nil` for what it cannot be.
  init?(json: JSONValue)
  /// As it is written.
  var json: JSONValue { get }
  /// As it is emitted: without the values of secrets, and no finer than it is stored.
  func emitted(hiding secrets: Secrets) -> Self
}

/// What an event of one type adds to the envelope.
///
/// ``code(_:)`` is the only list of its members, for reading, for writing and for hiding secrets.
package protocol EventPayload: EventValue {
  /// The values for members that a stored event does not have.
  init()
  /// Goes over all members in the order in which they are written.
  mutating func code(_ members: inout EventMembers)
}

extension EventPayload {
  /// Reads what is known; what is missing or of another type is as in a new payload.
  package init(fields: JSONObject) {
    self.init()
    var members = EventMembers(reading: fields)
    code(&members)
  }

  /// The members as they are written.
  package var fields: JSONObject {
    var members = EventMembers()
    var payload = self
    payload.code(&members)
    return members.written
  }

  package init?(json: JSONValue) {
    guard let object = json.object else { return nil }
    self.init(fields: object)
  }

  package var json: JSONValue { .object(fields) }

  package func emitted(hiding secrets: Secrets) -> Self {
    var members = EventMembers(hiding: secrets)
    var payload = self
    payload.code(&members)
    return payload
  }
}

/// The members of an object that is read, written, or rid of secrets, each named once by ``EventPayload/code(_:)``.
package struct EventMembers {
  private enum Purpose {
    case reading(JSONObject)
    case writing
    case hiding(Secrets)
  }

  private let purpose: Purpose
  /// What was written.
  package private(set) var written = JSONObject()
  /// The names that were asked for.
  package private(set) var names: [String] = []

  /// Writes.
  package init() { purpose = .writing }
  /// Reads `object`.
  package init(reading object: JSONObject) { purpose = .reading(object) }
  /// Replaces the values of secrets; closed words and numbers stay.
  package init(hiding secrets: Secrets) { purpose = .hiding(secrets) }

  private mutating func read(_ name: String, in object: JSONObject) -> JSONValue? {
    names.append(name)
    return object[name]
  }

  private mutating func write(_ name: String, _ value: JSONValue) { written.members.append(.init(name, value)) }

  /// A member that is always there.
  package mutating func always<Value: EventValue>(_ name: String, _ value: inout Value) {
    switch purpose {
    case .reading(let object): value = read(name, in: object).flatMap(Value.init(json:)) ?? value
    case .writing: write(name, value.json)
    case .hiding(let secrets): value = value.emitted(hiding: secrets)
    }
  }

  /// A member that is left out where there is nothing to tell.
  package mutating func optional<Value: EventValue>(_ name: String, _ value: inout Value?) {
    switch purpose {
    case .reading(let object): value = read(name, in: object).flatMap(Value.init(json:))
    case .writing: if let value { write(name, value.json) }
    case .hiding(let secrets): value = value?.emitted(hiding: secrets)
    }
  }

  /// A number that others tell: one too large to be read back is left out.
  package mutating func optional(_ name: String, _ value: inout Int?) {
    switch purpose {
    case .reading(let object): value = read(name, in: object).flatMap(Int.init(json:))
    case .writing: if let value { write(name, value.json) }
    case .hiding: value = value.flatMap { Int(json: .int($0)) }
    }
  }

  /// A member that is `null` where there is nothing to tell.
  package mutating func nullable<Value: EventValue>(_ name: String, _ value: inout Value?) {
    if case .writing = purpose, value == nil { return write(name, .null) }
    optional(name, &value)
  }

  /// A member that is left out where it says what nearly all events would say.
  package mutating func unless<Value: EventValue>(_ usual: Value, _ name: String, _ value: inout Value) {
    if case .writing = purpose, value == usual { return }
    always(name, &value)
  }

  /// A number that is written as it is, to the last digit; one that is larger than any of ours is none.
  package mutating func exact(_ name: String, _ value: inout Double?) {
    switch purpose {
    case .reading(let object): value = read(name, in: object)?.number.flatMap { $0.magnitude < 1e12 ? $0 : nil }
    case .writing: if let value { write(name, JSONValue(value)) }
    case .hiding: break
    }
  }

  /// A whole number of any size; `null` where there is none.
  package mutating func anyInteger(_ name: String, _ value: inout Int?) {
    switch purpose {
    case .reading(let object): value = read(name, in: object)?.int
    case .writing: write(name, value.map(JSONValue.int) ?? .null)
    case .hiding: break
    }
  }

  /// The members of a place, among those of the event.
  package mutating func place(_ place: inout SourcePlace?) {
    switch purpose {
    case .reading(let object):
      names += SourcePlace.names
      place = SourcePlace(members: object)
    case .writing: if let place { written.members += place.fields.members }
    case .hiding(let secrets): place = place?.emitted(hiding: secrets)
    }
  }
}
