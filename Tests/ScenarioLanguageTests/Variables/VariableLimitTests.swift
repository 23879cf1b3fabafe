import Testing

@testable import ScenarioLanguage

/// `min`, `max` and `choices` of a variable hold for every type, by value.
@Suite struct VariableLimitTests {
  private static func codes(_ declaration: String) -> [String] {
    Compiling.codes(
      "scenario: S\ndevice: TV\nvars: { _d: { \(declaration) } }\nsteps: [{ expect: { player: idle } }]\n")
  }

  static let limits: [(declaration: String, codes: [String])] = [
    ("type: date, default: 2026-01-01, min: 2027-01-01", ["T213"]),
    ("type: date, default: 2027-01-01, min: 2027-01-01, max: 2027-01-01", []),
    ("type: timestamp, default: \"2026-01-01T00:00:00Z\", min: \"2026-01-01T00:00:00+01:00\"", []),
    ("type: timestamp, default: \"2026-01-01T00:00:00Z\", max: \"2026-01-01T00:00:00+01:00\"", ["T213"]),
    ("type: position, default: 5s, min: 10s", ["T213"]), ("type: position, default: start, min: 10s", ["T213"]),
    ("type: position, default: end, min: 10s", []), ("type: position, default: end, max: 10s", ["T213"]),
    ("type: text, default: a, min: b", ["T220"]), ("default: 3, min: 1", ["T220"]),
    ("type: url, default: https://e.com, max: https://f.com", ["T220"]),
    ("type: color, default: red, min: red", ["T220"]), ("type: list, default: [a], max: [b]", ["T220"]),
    ("type: bool, default: true, min: false", ["T220"]), ("type: dates, default: 12-24, min: 12-23", ["T220"]),
    ("type: date, default: 2026-01-01, min: soon", ["T214"]),
  ]
  @Test("A limit counts for every type that has an order, and is refused for the others", arguments: limits)
  func limit(declaration: String, codes: [String]) { #expect(Self.codes(declaration) == codes) }

  static let sides: [(declaration: String, right: [String], wrong: [String])] = [
    ("type: int, min: 1, max: 10", ["1", "10"], ["0", "11", "-1"]),
    ("type: number, min: 0.5, max: 2", ["0.5", "2", "2.0"], ["0.49", "2.01"]),
    ("type: percent, min: 10%, max: 12.5%", ["10%", "12.5%"], ["9.9%", "12.6%"]),
    ("type: duration, min: 1s, max: 1m30s", ["1s", "90s", "1000ms"], ["999ms", "91s"]),
    ("type: signed_duration, min: -10s, max: +10s", ["-10s", "+10s", "+0s"], ["-11s", "+10.001s"]),
    ("type: factor, min: 0.5x, max: 2", ["0.5", "2x"], ["0.4x", "2.1"]),
    ("type: time, min: 07:00, max: 22:00", ["07:00", "22:00"], ["06:59:59", "22:00:01"]),
    ("type: int, min: 5", ["5", "1000000"], ["4"]), ("type: int, max: 5", ["5", "-1000000"], ["6"]),
  ]

  @Test("Limits are part of what is allowed, on both sides", arguments: sides)
  func checksLimits(declaration: String, right: [String], wrong: [String]) {
    for text in right {
      #expect(Self.codes("\(declaration), default: \(text)") == [], "\(text)")
    }
    for text in wrong {
      #expect(Self.codes("\(declaration), default: \(text)") == ["T213"], "\(text)")
    }
  }

  @Test("A value beyond its limit names the limit that it breaks")
  func limitWords() throws {
    func problem(_ value: String) throws -> Diagnostic {
      try #require(
        Compiling.outcome(
          "scenario: S\ndevice: TV\nvars: { v: { type: duration, min: 1s, max: 1m, default: \(value) } }\nsteps: [{ log: \"${v}\" }]\n"
        ).diagnostics.first)
    }
    #expect(try problem("500ms").message == "`500ms` is out of range")
    #expect(try problem("500ms").primary.text == "`v` is 1s or more")
    #expect(try problem("2m").primary.text == "`v` is 1m or less")
  }

  static let choices: [(declaration: String, codes: [String])] = [
    ("type: duration, choices: [60s], default: 1m", []), ("type: duration, choices: [60s, 2m], default: 61s", ["T205"]),
    ("type: number, choices: [1.50, 2], default: 1.5", []), ("type: percent, choices: [40.0%], default: 40%", []),
    ("type: color, choices: [red], default: \"#FF0000\"", []), ("type: color, choices: [red], default: blue", ["T205"]),
    ("type: time, choices: [\"07:00:00\"], default: \"07:00\"", []),
    ("type: days, choices: [\"sat,sun\"], default: weekends", []),
    ("type: factor, choices: [1.5x], default: 1.5", []), ("type: text, choices: [a, b], default: a", []),
    ("type: text, choices: [1.50], default: 1.5", ["T205"]), ("choices: [vod, live], default: vdo", ["T205"]),
    ("type: list, choices: [[a, b], [c]], default: [c]", []),
    ("type: list, choices: [[a, b]], default: [b, a]", ["T205"]),
    ("type: map, choices: [{ a: 1, b: 2 }], default: { b: 2, a: 1 }", []),
    ("type: duration, choices: [banana]", ["T203"]), ("type: int, choices: [1, two], default: 1", ["T221"]),
    ("type: bool, choices: [\"yes\"], default: true", ["T204"]),
  ]
  @Test("A choice is of the variable's type, and is compared by what it means", arguments: choices)
  func choice(declaration: String, codes: [String]) { #expect(Self.codes(declaration).sorted() == codes.sorted()) }

  @Test("Choices and limits count for the parameters of blocks, and for values from outside")
  func elsewhere() {
    func block(_ with: String) -> [String] {
      Compiling.codes(
        "scenario: S\ndevice: TV\nblocks: { b: { params: { d: { type: date, min: 2026-01-01, choices: [2026-05-01] } }, "
          + "steps: [{ log: \"${d}\" }] } }\nsteps: [{ use: { block: b, with: { d: \(with) } } }, { expect: { player: idle } }]\n"
      )
    }
    #expect(block("2026-05-01") == [])
    #expect(block("2026-05-02") == ["T205"])
    var inputs = PlanCompiler.Inputs()
    inputs.settings = [("_d", "2025-12-31")]
    let document = scenario(
      "vars: { _d: { type: date, default: 2026-01-01, min: 2026-01-01 } }\nsteps: [{ expect: { player: idle } }]\n")
    #expect(PlanCompiler.compile(document, inputs: inputs).diagnostics.map(\.code.rawValue) == ["T213"])
  }
}
