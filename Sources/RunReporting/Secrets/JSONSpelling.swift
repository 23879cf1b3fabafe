import CastProtocol

/// How libraries write a text in JSON: what need not be escaped may be.
enum JSONSpelling {
  /// What some escape for the sake of HTML: Go, PHP, Gson.
  private static let marks = ["", "<>&", "<>&'", "<>&='"]

  /// The texts between the quotes.
  static func all(of text: String) -> Set<[UInt8]> {
    let json = JSONValue.string(text).serialized().dropFirst().dropLast()
    guard json.utf8.contains(where: { $0 >= 0x7F || "<>&'=/".utf8.contains($0) }) else { return [Array(json.utf8)] }
    var result: Set<[UInt8]> = []
    for marks in marks {
      for isASCII in [false, true] {
        for isUppercase in [false, true] {
          let spelled = spelled(json, escaping: marks, isASCII: isASCII, isUppercase: isUppercase)
          result.insert(Array(spelled.utf8))
          result.insert(Array(spelled.replacing("/", with: "\\/").utf8))
        }
      }
    }
    return result
  }

  private static func spelled(
    _ json: Substring, escaping marks: String, isASCII: Bool, isUppercase: Bool
  ) -> String {
    var result = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      guard marks.unicodeScalars.contains(scalar) || isASCII && scalar.value >= 0x7F else {
        result.append(scalar)
        continue
      }
      for unit in UTF16.encode(scalar) ?? UTF16.EncodedScalar() {
        let digits = String(unit, radix: 16, uppercase: isUppercase)
        result += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
      }
    }
    return String(result)
  }
}
