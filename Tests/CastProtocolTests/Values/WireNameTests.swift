@testable import CastProtocol
import Testing

@Suite struct WireNameTests {
  @Test("A name is found by its bytes wherever it stands in a text, escaped or not, and in members made by hand")
  func found() throws {
    for name in WireName.allCases {
      let text = name.rawValue
      let escaped = "\\u00" + String(text.utf8.first ?? 0, radix: 16) + text.dropFirst()
      // Short of, and with, the room behind it that a look at eight bytes at once needs.
      for json in [#"{"\#(text)":1}"#, #"{"\#(text)":1,"unknownName":"more text"}"#, #"{"\#(escaped)":1}"#] {
        let value = try JSONValue(parsing: json)
        let member = try #require(value.object?.members.first)
        #expect(member.name == text && member.wireName == name, "\(json)")
        #expect(value[name] == 1 && value[text] == 1, "\(json)")
      }
      let made: JSONObject = [text: 1]
      #expect(made[name] == 1)
    }
  }

  @Test("A name that differs in one byte, in case or in length is none of them")
  func others() throws {
    let known = Set(WireName.allCases.map(\.rawValue))
    for name in WireName.allCases.map(\.rawValue) {
      var variants = [name + "s", name + "\u{0}", String(name.dropLast()), name.uppercased(), "x" + name.dropFirst()]
      for index in name.indices {
        var changed = name
        changed.replaceSubrange(index...index, with: "~")
        variants.append(changed)
      }
      for variant in variants where !known.contains(variant) {
        let value: JSONValue = .object([variant: 1])
        let parsed = try JSONValue(parsing: value.serialized())
        #expect(value.object?.members.first?.wireName == nil, "\(variant)")
        #expect(parsed.object?.members.first?.wireName == nil && parsed[variant] == 1, "\(variant)")
      }
    }
  }

  @Test("Of a name that comes twice the last one counts, by its bytes as by its text")
  func twice() throws {
    let value = try JSONValue(parsing: #"{"volume":1,"level":2,"volume":3}"#)
    #expect(value[.volume] == 3 && value["volume"] == 3 && value[.muted] == nil)
  }
}
