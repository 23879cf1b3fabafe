import FleetMessages
import Testing

@testable import FleetAgent

/// What Home Assistant sends, and which items it may choose among.
@Suite struct HomeAssistantOrderTests {
  static let orders: [(String, PlainOrder)] = [
    (#"{"verb":"skip"}"#, PlainOrder(.skip)), (#"{"verb":"pause"}"#, PlainOrder(.pause)),
    (#"{"verb":"resume"}"#, PlainOrder(.resume)),
    (#"{"verb":"play","item":"it's \"x\" 😀"}"#, PlainOrder(.play, item: "it's \"x\" 😀")),
    // As Home Assistant's `tojson` writes it.
    (#"{"verb":"play","item":"it\u0027s \ud83d\ude00"}"#, PlainOrder(.play, item: "it's 😀")),
    (#"{"verb":"fire","trigger":"alarm","v":2}"#, PlainOrder(.fire, trigger: "alarm")),
    (#"{"verb":"clear","trigger":"alarm"}"#, PlainOrder(.clear, trigger: "alarm")),
  ]
  @Test("An order is JSON with a verb and what the verb needs", arguments: orders)
  func order(text: String, order: PlainOrder) {
    #expect(HomeAssistant.order(Array(text.utf8)) == order)
    #expect(HomeAssistant.order(Array(HomeAssistant.payload(order).utf8)) == order)
  }

  @Test(
    "What is no order, or larger than one, is none",
    arguments: [
      "", "skip", "{}", "[]", "null", #"{"verb":"explode"}"#, #"{"verb":1}"#, #"{"verb":"play"}"#,
      #"{"verb":"play","item":""}"#, #"{"verb":"play","item":7}"#, #"{"verb":"fire"}"#, #"{"verb":"skip""#,
      #"{"verb":"play","item":{"a":{"b":{}}}}"#, #"{"verb":"skip","x":[[[[]]]]}"#,
      #"{"verb":"play","item":"\#(String(repeating: "a", count: 5_000))"}"#,
    ])
  func noOrder(text: String) { #expect(HomeAssistant.order(Array(text.utf8)) == nil) }

  @Test("Bytes that are no text are no order")
  func noText() { #expect(HomeAssistant.order([0xFF, 0xFE, 0x00]) == nil) }

  static let long = String(repeating: "ä", count: 255)
  @Test("Each item is an option once, in its order, and what Home Assistant cannot have as a state is none")
  func options() {
    let names = [
      "menu", "film", "menu", "", " film", "film ", "None", "none", "a\nb", "a\u{7F}b", Self.long, Self.long + "ä",
      "it's", "\u{A0}x", "{{ 1 }}",
    ]
    #expect(ProgramOptions(names).names == ["menu", "film", Self.long, "it's", "{{ 1 }}"])
  }

  @Test("Of a playlist with a thousand items the first are options, and of long ones fewer")
  func bounds() {
    #expect(ProgramOptions((0..<1_000).map { "item-\($0)" }).names == (0..<200).map { "item-\($0)" })
    let long = ProgramOptions((0..<1_000).map { "\($0)" + String(repeating: "x", count: 200) })
    #expect(long.names.count < 82 && long.names.count > 75)
    // Twice in a message: as options and in the template.
    #expect(long.stateTemplate.utf8.count < ProgramOptions.byteLimit + 1_024)
  }

  @Test(
    "A name stands in a template as it is, whatever it has of the language of templates",
    arguments: [
      ("menu", "'menu'"), ("it's", #"'it\'s'"#), (#"a\b"#, #"'a\\b'"#), (#"\'"#, #"'\\\''"#),
      (#"{{ 1 }} %} #}"#, #"'{{ 1 }} %} #}'"#), (#"😀 "x""#, #"'😀 "x"'"#), ("a'\u{301}", "'a\\'\u{301}'"),
    ])
  func literals(name: String, literal: String) {
    #expect(Array(ProgramOptions.literal(name).utf8) == Array(literal.utf8))
  }
}
