import FoundationEssentials
import Testing

@testable import CastProtocol

@Suite struct JSONCodingTests {
  private enum Kind: String, Codable { case plain, fancy = "very_fancy" }

  private indirect enum Shape: Codable, Hashable {
    case empty
    case one(Int)
    case named(size: Double, inner: Shape?)
    case several([Shape])
  }

  private struct Everything: Codable, Hashable {
    var text = "a\"b\u{1F600}\0"
    var flag = true
    var none: String?
    var some: String? = "x"
    var int = Int.min
    var small: Int8 = -128
    var large = UInt64.max
    var number = 0.1 + 0.2
    var numbers: [Double] = [.infinity, -Double.infinity, 1e300, -0.5, .leastNonzeroMagnitude, 4]
    var durations: [Duration] = [.zero, .seconds(30), .milliseconds(-1500), .nanoseconds(1), .seconds(86_400 * 366)]
    var kind = Kind.fancy
    var shape = Shape.named(size: 2, inner: .several([.empty, .one(3), .named(size: 1.5, inner: nil)]))
    var byText = ["b": [1], "a": [], "c": [3, 2]]
    var byNumber = [10: "ten", 9: "nine"]
    var set: Set = ["b", "a", "c"]
    var json: JSONValue = ["z": 1, "a": [.null, ["b": 2.5]]]
    var object: JSONObject = ["z": "first", "a": "second"]
    var optionals: [Int?] = [1, nil]
    var bytes: [UInt8] = [0, 255]
  }

  private struct Numbers: Codable, Hashable {
    var signed8 = [Int8.min, .max], signed16 = [Int16.min, .max], signed32 = [Int32.min, .max]
    var signed64 = [Int64.min, .max], signed128 = [Int128.min, .max], signed = [Int.min, .max]
    var plain8 = [UInt8.min, .max], plain16 = [UInt16.min, .max], plain32 = [UInt32.min, .max]
    var plain64 = [UInt64.min, .max], plain128 = [UInt128.min, .max], plain = [UInt.min, .max]
    var short: [Float] = [0.1, -.greatestFiniteMagnitude, .infinity]
    var long: [Double] = [0.1, -.greatestFiniteMagnitude, .infinity]
  }

  private static func read<T: Decodable>(_ json: JSONValue, as type: T.Type = T.self) throws -> T {
    // By way of its text, as a file has it.
    try JSONValue(parsing: json.serialized(), limits: .init(depth: 2_000, length: 1 << 24)).decoded()
  }

  @Test("What is written is read back, whatever it is made of")
  func roundTrip() throws {
    let json = try JSONValue(encoding: Everything())
    #expect(try Self.read(json) == Everything())
    #expect(try JSONValue(encoding: Self.read(json, as: Everything.self)).serialized() == json.serialized())
    #expect(try Self.read(JSONValue(encoding: Double.nan), as: Double.self).isNaN)
  }

  @Test("Numbers of every type are read back at the ends of their range")
  func numberTypes() throws {
    let json = try JSONValue(encoding: Numbers())
    #expect(try Self.read(json) == Numbers())
    #expect(json["signed8"]?.serialized() == "[-128,127]")
    #expect(json["plain128"]?.serialized() == #"[0,"340282366920938463463374607431768211455"]"#)
  }

  @Test("Members stand as they are declared, JSON as it is, and what has no order sorted")
  func form() throws {
    let json = try JSONValue(encoding: Everything()).object
    let names = json?.members.map(\.name) ?? []
    #expect(names.prefix(4) == ["text", "flag", "some", "int"])
    #expect(json?["byText"]?.serialized() == #"{"a":[],"b":[1],"c":[3,2]}"#)
    #expect(json?["byNumber"]?.serialized() == #"{"10":"ten","9":"nine"}"#)
    #expect(json?["set"]?.serialized() == #"["a","b","c"]"#)
    #expect(json?["object"]?.serialized() == #"{"z":"first","a":"second"}"#)
    #expect(json?["large"] == "18446744073709551615")
    #expect(json?["durations"]?.serialized().hasPrefix("[0,30,[-1,-500000000000000000],[0,1000000000],") == true)
    #expect(
      json?["shape"]?.serialized().hasPrefix(#"{"named":{"size":2,"inner":{"several":{"_0":[{"empty":{}},"#) == true)
  }

  static let wrong: [(json: String, path: String, message: String)] = [
    ("[]", "", "it is no object"), ("{}", "kind", "it is missing"), (#"{"kind":1}"#, "kind", "it is no text"),
    (#"{"kind":"odd"}"#, "kind", "Cannot initialize Kind from invalid String value odd"),
    (#"{"kind":null}"#, "kind", "it is no text"), (#"{"kind":"plain","sizes":{}}"#, "sizes", "it is no list"),
    (#"{"kind":"plain","sizes":[1,2.5]}"#, "sizes[1]", "it is no whole number"),
    (#"{"kind":"plain","sizes":[1e400]}"#, "", ""),
    (#"{"kind":"plain","sizes":[],"small":128}"#, "small", "it is no number of its range"),
    (#"{"kind":"plain","sizes":[],"small":-1,"wait":"1s"}"#, "wait", "it is no duration"),
    (#"{"kind":"plain","sizes":[],"small":-1,"wait":[1]}"#, "wait", "it is no duration"),
    (#"{"kind":"plain","sizes":[],"small":-1,"wait":[1,2,3]}"#, "wait", "it is no duration"),
    (#"{"kind":"plain","sizes":[],"small":-1,"wait":9223372036854775807}"#, "wait", "it is no duration"),
    (#"{"kind":"plain","sizes":[],"small":-1,"wait":[0,9223372036854775807]}"#, "wait", "it is no duration"),
    (#"{"kind":"plain","sizes":[],"small":-1,"wait":1,"shapes":{"a":{"one":{}}}}"#, "shapes.a.one._0", "it is missing"),
    (
      #"{"kind":"plain","sizes":[],"small":-1,"wait":1,"shapes":{"a":{"two":{}}}}"#, "shapes.a",
      "Invalid number of keys found, expected one."
    ),
    (#"{"kind":"plain","sizes":[],"small":-1,"wait":1,"shapes":{},"pair":[1]}"#, "pair[1]", "it is missing"),
    (
      #"{"kind":"plain","sizes":[],"small":-1,"wait":1,"shapes":{},"pair":[1,2],"object":[]}"#, "object",
      "it is no object"
    ),
  ]

  private struct Wanted: Decodable {
    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var parts = try decoder.unkeyedContainer()
        for _ in 1...2 { _ = try parts.decode(Int.self) }
      }
    }
    var kind: Kind
    var sizes: [Int]
    var small: Int8
    var wait: Duration
    var shapes: [String: Shape]
    var pair: Pair
    var object: JSONObject
  }

  @Test("What is wrong is told by the way to it", arguments: wrong)
  func mistakes(json: String, path: String, message: String) {
    if path.isEmpty, message.isEmpty {
      #expect(throws: ProtocolError.self) { try JSONValue(parsing: json) }
    } else {
      #expect(throws: JSONDecodingError(path: path, message: message)) {
        try JSONValue(parsing: json).decoded(as: Wanted.self)
      }
    }
  }

  @Test("Of a name that comes twice the last one counts, and what is not known is passed over")
  func lenient() throws {
    struct Point: Decodable { var x: Int }
    #expect(try JSONValue(parsing: #"{"x":1,"y":[],"x":2}"#).decoded(as: Point.self).x == 2)
  }

  @Test("What is nested too deep is refused, and what is allowed is read")
  func depth() throws {
    func nested(_ depth: Int) -> JSONValue {
      (0..<depth).reduce(["empty": [:]]) { inner, _ in ["several": ["_0": [inner]]] }
    }
    // Three levels each.
    let most = JSONValue.decodingDepth / 3 - 1
    let shape: Shape = try nested(most).decoded()
    #expect(try JSONValue(encoding: shape).serialized() == nested(most).serialized())
    for depth in [most + 2, 5_000] {
      #expect {
        try nested(depth).decoded(as: Shape.self)
      } throws: { error in
        let error = error as? JSONDecodingError
        return error?.message == "it lies too deep" && error?.path.hasPrefix("several._0[0].several") == true
      }
    }
  }

  @Test("Another library's encoder gets a value as its text, and gives it back")
  func foreign() throws {
    let json: JSONValue = ["a": [1, 2.5, .null, true], "b": ["c": "d"]]
    let data = try JSONEncoder().encode([json])
    #expect(try JSONDecoder().decode([JSONValue].self, from: data) == [json])
    let object: JSONObject = ["a": 1]
    #expect(try JSONDecoder().decode([JSONObject].self, from: JSONEncoder().encode([object])) == [object])
  }
}
