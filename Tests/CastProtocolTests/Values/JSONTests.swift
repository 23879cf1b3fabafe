import CastProtocol
import Foundation
import Testing

@Suite struct JSONTests {
  static let values: [(text: String, value: JSONValue)] = [
    ("null", .null), ("true", .bool(true)), (" false\r\n\t", .bool(false)),
    ("0", .int(0)), ("-0", .int(0)), ("-17", .int(-17)),
    ("9007199254740993", .int(9_007_199_254_740_993)),
    ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
    ("9223372036854775808", .double(9_223_372_036_854_775_808)),
    ("1.0", .double(1)), ("0.1", .double(0.1)), ("0.10000000149011612", .double(0.10000000149011612)),
    ("-2.5e-3", .double(-0.0025)), ("1E+2", .double(100)), ("5e-324", .double(.leastNonzeroMagnitude)),
    ("1e-999", .double(0)),
    ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
    ("123456789012345678901234567890", .double(123456789012345677877719597056)),
    (#""""#, .string("")), (#""a\"\\\/\b\f\n\r\t""#, .string("a\"\\/\u{8}\u{C}\n\r\t")),
    (#""\u0041\u00e9\uD83D\uDE00\u0000""#, .string("Aé😀\0")), ("\"né😀\"", .string("né😀")),
    ("[]", .array([])), ("[1, [2],{}]", .array([.int(1), .array([.int(2)]), .object(JSONObject())])),
    (#"{ "b" : 1 , "a" : {"c":null} }"#, ["b": 1, "a": ["c": .null]]),
  ]
  @Test("JSON text becomes the value it spells", arguments: values)
  func parses(text: String, value: JSONValue) throws {
    let parsed = try JSONValue(parsing: text)
    #expect(parsed == value)
    #expect("\(parsed)" == "\(value)", "the kind of number matters")
  }

  static let numbers: [(number: Double, value: JSONValue)] = [
    (4, .int(4)), (-0.0, .int(0)), (1.5, .double(1.5)), (9_007_199_254_740_991, .int(9_007_199_254_740_991)),
    (9_007_199_254_740_992, .double(9_007_199_254_740_992)), (-9_223_372_036_854_775_808, .double(-0x1p63)),
    (9_223_372_036_854_775_808, .double(0x1p63)), (1e300, .double(1e300)), (.infinity, .null), (.nan, .null),
  ]
  @Test("A number that is whole has no decimals as far as it is exact, whatever a device sent", arguments: numbers)
  func checksNumbers(number: Double, value: JSONValue) { #expect("\(JSONValue(number))" == "\(value)") }

  static let mistakes: [String] = [
    "", " ", "nul", "nulL", "tru", "True", "NaN", "Infinity", "-", "+1", "01", "-01", ".5", "1.", "1.e3", "1e", "1e+",
    "0x10", "1e999", "-1e999", "1_000", "[1,]", "[,]", "[1 2]", "[", "]", "{", "}", "{,}", #"{"a"}"#, #"{"a":}"#,
    #"{"a":1,}"#, #"{"a":1 "b":2}"#, "{a:1}", "{1:1}", "'a'", "\"", "\"\\", #""\x""#, #""\u12""#, #""\u12G4""#,
    #""\uD800""#, #""\uD800x""#, #""\uD800\n""#, #""\uD800\u0041""#, #""\uDC00""#, #""\uDE00\uD83D""#, "\"\u{1}\"",
    "\"a\nb\"", "1 2", "{} {}", "null,", "\u{FEFF}{}", "/**/1", "\u{A0}1", "[\"a\", \"\t\"]",
  ]
  @Test("What is not JSON is refused", arguments: mistakes)
  func refuses(text: String) {
    #expect(throws: ProtocolError.self) { try JSONValue(parsing: text) }
  }

  static let notUTF8: [[UInt8]] = [
    [0x80], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
    [0xFF], [0xFE],
  ]
  @Test("Bytes that are not UTF-8 are refused in names, values and between them", arguments: notUTF8)
  func refusesBrokenUTF8(bytes: [UInt8]) {
    for (before, after) in [("[\"", "\"]"), ("{\"a", "\":1}"), ("{\"a\\n", "\":1}"), ("[1,", "]"), ("", "")] {
      let document = Array(before.utf8) + bytes + Array(after.utf8)
      #expect(throws: ProtocolError.malformedJSON("not UTF-8", offset: before.utf8.count)) {
        try JSONValue(parsing: document)
      }
    }
  }

  @Test("An error names the byte it is about")
  func errorOffsets() {
    #expect(throws: ProtocolError.malformedJSON("number is out of range", offset: 6)) {
      try JSONValue(parsing: "[1, 2,1e999]")
    }
    #expect(throws: ProtocolError.malformedJSON("unexpected bytes after the value", offset: 3)) {
      try JSONValue(parsing: "{} x")
    }
  }

  @Test("64 levels are read, the 65th is refused, however many more would follow", arguments: [64, 65, 1000, 100_000])
  func depth(levels: Int) throws {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      let text = String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
      if levels <= 64 {
        #expect(try JSONValue(parsing: text).serialized() == text)
      } else {
        let offset = open.utf8.count * 64
        #expect(throws: ProtocolError.malformedJSON("nested deeper than 64", offset: offset)) {
          try JSONValue(parsing: text)
        }
      }
    }
  }

  @Test("A text over the limit is refused before it is read")
  func length() {
    #expect(throws: ProtocolError.malformedJSON("text is longer than 3 bytes", offset: 0)) {
      try JSONValue(parsing: "1234", limits: JSONValue.Limits(length: 3))
    }
  }

  @Test("Of two members with one name the last one counts, and both are kept")
  func duplicateNames() throws {
    let value = try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#)
    #expect(value["a"] == 3)
    #expect(value.serialized() == #"{"a":1,"b":2,"a":3}"#)
  }

  static let texts: [(value: JSONValue, text: String)] = [
    (.double(1), "1"), (.double(-0.0), "0"), (.double(1.5), "1.5"), (.double(0.1), "0.1"),
    (.double(1e15), "1000000000000000"),
    (.double(1e300), "1e+300"), (.double(.leastNonzeroMagnitude), "5e-324"), (.double(.nan), "null"),
    (.double(.infinity), "null"),
    (.int(.min), "-9223372036854775808"), (.double(0.10000000149011612), "0.10000000149011612"),
    (.string("a\"\\/\u{8}\u{C}\n\r\t\u{1F}\u{7F}é😀\u{2028}"), "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u001f\u{7F}é😀\u{2028}\""),
    (["b": 1, "a": [true, .null, [:], []]], #"{"b":1,"a":[true,null,{},[]]}"#),
  ]
  @Test("A value is written on one line, in order, numbers as short as they read back", arguments: texts)
  func serializes(value: JSONValue, text: String) {
    #expect(value.serialized() == text)
  }

  @Test("Random doubles are read exactly as Foundation and the standard library read them")
  func doublesMatchTheOracle() throws {
    var generator = SeededGenerator(seed: 1)
    for round in 0..<20_000 {
      let text: String
      switch round % 4 {
      case 0:
        let number = Double(bitPattern: generator.next())
        if !number.isFinite { continue }
        text = number.description
      case 1: text = "\(generator.next() % 1_000_000).\(generator.next() % 1_000_000_000)"
      case 2: text = "\(generator.next())e\(Int.random(in: -30...30, using: &generator))"
      default: text = "\(generator.next() % 10_000).\(generator.next())e-\(generator.next() % 25)"
      }
      #expect(try JSONValue(parsing: text).number == Double(text))
      let value = try JSONValue(parsing: text)
      #expect(try JSONValue(parsing: value.serialized()) == value)
    }
  }

  /// A random document as `JSONSerialization` sees it.
  static func randomValue(depth: Int, using generator: inout SeededGenerator) -> Any {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
    case 0: return NSNull()
    case 1: return Bool.random(using: &generator)
    case 2: return Int.random(in: -1_000_000...1_000_000, using: &generator)
    case 3: return Double.random(in: -1000...1000, using: &generator)
    case 4:
      return String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0..<12, using: &generator)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...(Bool.random(using: &generator) ? 0x7F : 0x10FFFF), using: &generator))
          }))
    case 5:
      return (0..<Int.random(in: 0..<5, using: &generator)).map { _ in randomValue(depth: depth - 1, using: &generator)
      }
    default:
      var object: [String: Any] = [:]
      for _ in 0..<Int.random(in: 0..<5, using: &generator) {
        object["k\(generator.next() % 100)"] = randomValue(depth: depth - 1, using: &generator)
      }
      return object
    }
  }

  @Test("What Foundation writes we read, and what we write Foundation reads as the same")
  func agreesWithFoundation() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<1000 {
      let original = Self.randomValue(depth: 5, using: &generator)
      let theirs = try JSONSerialization.data(withJSONObject: original, options: [.fragmentsAllowed])
      let value = try JSONValue(parsing: Array(theirs))
      let ours = Data(value.serialized().utf8)
      let again = try JSONSerialization.jsonObject(with: ours, options: [.fragmentsAllowed])
      let expected = try JSONSerialization.jsonObject(with: theirs, options: [.fragmentsAllowed])
      #expect(NSArray(object: again).isEqual(NSArray(object: expected)))
    }
  }
}
