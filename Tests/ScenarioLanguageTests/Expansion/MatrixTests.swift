import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct MatrixTests {
  static func document(_ matrix: String, steps: String = "{ rate: \"${matrix.speed}\" }", top: String = "") -> String {
    "scenario: S\ndevice: TV\nmatrix: { \(matrix) }\n\(top)steps: [\(steps), { expect: { player: idle } }]\n"
  }

  @Test("Rows are all combinations but the excluded ones, the last variable changing fastest")
  func rows() {
    let outcome = Compiling.outcome(Self.document("lang: [en, no], speed: [1, 2], exclude: [{ lang: no, speed: 2 }]"))
    #expect(outcome.diagnostics == [])
    #expect(outcome.plans.map(\.rowText) == ["lang=en, speed=1", "lang=en, speed=2", "lang=no, speed=1"])
    #expect(outcome.plans.map { $0.steps[0].action } == [1, 2, 1].map { .rate(.to(.literal($0))) })
  }

  @Test("Values of the matrix go anywhere, definitions and variables included")
  func places() {
    let top = "vars: { host: \"${matrix.host}.example.com\" }\nmedia: { film: { url: \"https://${host}/a.mp4\" } }\n"
    let outcome = Compiling.outcome(Self.document("host: [a, b]", steps: "{ load: film }", top: top))
    #expect(outcome.diagnostics == [])
    let urls = outcome.plans.map { plan in
      if case .load(let load) = plan.steps[0].action { load.request.media.contentID } else { "" }
    }
    #expect(urls == ["https://a.example.com/a.mp4", "https://b.example.com/a.mp4"])
  }

  @Test("A definition that one row uses is not unused")
  func unused() {
    let media =
      "media: { a: { url: https://e.com/a.mp4 }, b: { url: https://e.com/b.mp4 }, c: { url: https://e.com/c.mp4 } }\n"
    let outcome = Compiling.outcome(Self.document("film: [a, b]", steps: "{ load: \"${matrix.film}\" }", top: media))
    #expect(outcome.diagnostics.map(\.message) == ["unused media `c`"])
  }

  @Test("A map is left out whatever the order of its keys, but not for another value, one more or one less")
  func maps() {
    for (excluded, isRow) in [
      ("{ x: 1, y: [a] }", true), ("{ y: [a], x: \"1\" }", true), ("{ y: [b], x: 1 }", false), ("{ x: 1 }", false),
      ("{ x: 1, y: [a], z: 1 }", false), ("{ x: 1, z: [a] }", false),
    ] {
      let outcome = Compiling.outcome(
        Self.document(
          "at: [{ x: 1, y: [a] }, { x: 2, y: [a] }], exclude: [{ at: \(excluded) }]",
          steps: "{ log: \"${matrix.at.x}\" }"))
      #expect(outcome.plans.count == (isRow ? 1 : 2), "\(excluded)")
      #expect(outcome.diagnostics.map(\.code.rawValue) == (isRow ? [] : ["P612"]), "\(excluded)")
    }
  }

  static let wrong: [(matrix: String, problems: [String])] = [
    ("speed: [1, fast]", ["T221"]),
    ("speed: [1, 2], exclude: [{ sped: 2 }]", ["K101"]),
    ("speed: [1, 2], exclude: [{ speed: 3 }]", ["P612"]),
    ("speed: [1, 2], exclude: [{ speed: \"2\" }]", []),
    ("speed: [1, 2], exclude: [{ speed: 1 }, { speed: 2 }]", ["P612"]),
    ("speed: []", ["P612"]),
    ("speed: 1", ["T210"]),
    ("speed: [1], exclude: [fast]", ["T210"]),
    ("other: [1]", ["N401"]),
  ]
  @Test("A matrix without sense is refused, a row's wrong value is shown once", arguments: wrong)
  func refused(matrix: String, problems: [String]) {
    #expect(Compiling.codes(Self.document(matrix)).filter { $0 != "N402" } == problems)
  }

  @Test("Too many rows are refused before any of them is made")
  func tooMany() {
    let list = (0..<100).map { "\($0)" }.joined(separator: ",")
    let axes = (0..<10).map { "x\($0): [\(list)]" }.joined(separator: ", ")
    let cost = Cost.of { #expect(Compiling.codes(Self.document("speed: [1], " + axes)) == ["P617"]) }
    #expect(cost < Cost.ofLargestDocument)
  }
}
