import CastProtocol
import Testing

/// What equality of JSON means, and that nobody can make it dear.
@Suite(.timeLimit(.minutes(1))) struct JSONEqualityTests {
  static let texts = [
    "null", "true", "false", "0", "-0.0", "1", "1.0", "1.5", "9007199254740992", "9007199254740993",
    "9007199254740992.0", "1e300", #""1""#, "[]", "[1]", "[1.0]", "[[1],2]", "{}", #"{"a":1}"#, #"{"a":2}"#,
    #"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#, #"{"a":2,"a":2}"#, #"{"a":2,"b":3}"#, #"{"b":3,"a":2}"#,
    #"{"b":0,"a":2,"b":3}"#, #"{"a":{"x":1,"y":2}}"#, #"{"a":{"y":2.0,"x":1}}"#, #"{"a":null}"#,
  ]

  @Test("Equality is reflexive, symmetric and transitive, and equal values have equal hashes")
  func laws() throws {
    let values = try Self.texts.map { try JSONValue(parsing: $0) }
    for a in values {
      #expect(a == a)
      for b in values {
        #expect((a == b) == (b == a), "\(a.serialized()) \(b.serialized())")
        guard a == b else { continue }
        #expect(a.hashValue == b.hashValue, "\(a.serialized()) \(b.serialized())")
        for c in values where b == c { #expect(a == c, "\(a.serialized()) \(b.serialized()) \(c.serialized())") }
      }
    }
  }

  static let pairs: [(String, String, Bool)] = [
    (#"{"a":2,"a":2}"#, #"{"a":2,"b":3}"#, false), (#"{"a":1,"a":2}"#, #"{"a":2}"#, true),
    (#"{"a":1,"a":2}"#, #"{"a":7,"a":2}"#, true), (#"{"a":2,"a":1}"#, #"{"a":2,"a":7}"#, false),
    (#"{"a":2,"b":3}"#, #"{"b":3.0,"a":2}"#, true), ("9007199254740993", "9007199254740992.0", false),
  ]
  @Test("Of a name that comes twice the last one counts, and numbers compare exactly", arguments: pairs)
  func meaning(left: String, right: String, isEqual: Bool) throws {
    let (a, b) = (try JSONValue(parsing: left), try JSONValue(parsing: right))
    #expect((a == b) == isEqual && (b == a) == isEqual)
  }

  @Test("Comparing costs as much as there is, in whatever order members come and however deep they are")
  func cost() {
    let many = (0..<200_000).map { JSONObject.Member("\($0)", .int($0)) }
    #expect(JSONObject(many) == JSONObject(many.reversed()))
    #expect(JSONObject(many + many) == JSONObject(many.reversed()))
    var (left, right) = (JSONValue.int(1), JSONValue.int(2))
    for _ in 0..<60 {
      left = ["a": left, "b": 0]
      right = ["a": right, "b": 0]
    }
    #expect(left != right)
  }

  @Test("An absent value is no null")
  func absent() {
    let none = JSONValue?.some(.null).flatMap { $0.isNull ? nil : $0 }
    #expect(none == nil)
  }
}
