import Testing

@testable import ScenarioLanguage

/// What is said of values that do not fit where a block or a loop puts them.
@Suite struct FillingWordTests {
  static func words(_ lines: String) -> [String] {
    PlanCompiler.compile(scenario(lines)).diagnostics.filter { $0.severity == .error }.map(\.words)
  }

  static let arguments: [(block: String, use: String, words: [String])] = [
    ("{ x: { default: a } }, steps: [{ log: \"${x}\" }]", "{ block: b }", []),
    (
      "{ x: { type: map, default: { a: 1 } } }, steps: [{ log: \"is ${x}\" }]", "{ block: b }",
      ["T210: `x` is a map, inside a text only one value can stand | help: `${x}` alone can be of any shape"]
    ),
    (
      "{ x: { type: list, default: [a] } }, steps: [{ log: \"is ${x}\" }]", "{ block: b }",
      ["T210: `x` is a list, inside a text only one value can stand | help: `${x}` alone can be of any shape"]
    ),
    (
      "{ x: { type: map, default: { port: 1 } } }, steps: [{ log: \"${x.prot}\" }]", "{ block: b }",
      ["N401: `x` has nothing called `prot` here | did you mean `port`?"]
    ),
    (
      "{ x: { default: a } }, steps: [{ log: \"${x.y}\" }]", "{ block: b }",
      ["N401: `x` has nothing called `y` here | help: it is one value, not a map"]
    ),
    ("{ x: { type: duration } }, steps: [{ wait: \"${x}\" }]", "{ block: b, with: { x: 3s } }", []),
    (
      "{ x: { type: duration } }, steps: [{ wait: \"${x}\" }]", "{ block: b, with: { x: 3 } }",
      ["T201: a duration needs a unit | 3 what? | help: `3s` for seconds, `3ms` for milliseconds, `3m` for minutes"]
    ),
    (
      "{ x: { type: int, min: 2, max: 4 } }, steps: [{ log: \"${x}\" }]", "{ block: b, with: { x: 5 } }",
      ["T213: `5` is out of range | `x` is 4 or less"]
    ),
    (
      "{ x: { choices: [red, green] } }, steps: [{ log: \"${x}\" }]", "{ block: b, with: { x: gren } }",
      ["T205: `gren` is not a value of `x` | did you mean `green`? | help: red, green"]
    ),
  ]

  @Test("An argument fits its parameter, and the place where it is put", arguments: arguments)
  func argument(block: String, use: String, words: [String]) {
    #expect(Self.words("blocks: { b: { params: \(block) } }\nsteps: [{ use: \(use) }]\n") == words)
  }

  @Test("A loop's item is a value of its place, or is said to be none, once")
  func items() {
    #expect(Self.words("steps: [{ for_each: { item: [1s, 2s], steps: [{ wait: \"${item}\" }] } }]\n") == [])
    #expect(
      Self.words("steps: [{ for_each: { item: [{ a: 1 }], steps: [{ log: \"x${item}\" }] } }]\n")
        == ["T210: `item` is a map, inside a text only one value can stand | help: `${item}` alone can be of any shape"]
    )
    #expect(
      Self.words("steps: [{ for_each: { item: [{ time: 1s }], steps: [{ wait: \"${item.tmie}\" }] } }]\n")
        == ["N401: `item` has nothing called `tmie` here | did you mean `time`?"])
  }

  @Test("A value of the matrix can be a map, whose parts go where values go, and one that it has not is told")
  func matrix() {
    let top = "matrix: { at: [{ x: 1s, y: { z: [2s] } }, { x: 3s, y: { z: [4s] } }] }\n"
    #expect(
      Self.words(
        top
          + "steps: [{ wait: \"${matrix.at.x}\" }, { for_each: { item: \"${matrix.at.y.z}\", steps: [{ wait: \"${item}\" }] } }]\n"
      ) == [])
    #expect(
      Self.words(top + "steps: [{ wait: \"${matrix.at.xx}\" }]\n")
        == ["N401: `matrix.at` has nothing called `xx` here | did you mean `x`?"])
    #expect(
      Self.words(top + "steps: [{ wait: \"${matrix.at.x.y}\" }]\n")
        == ["N401: `matrix.at` has nothing called `y` here | help: it is one value, not a map"])
  }

  static let limits: [(count: Int, isRight: Bool)] = [(6, true), (7, false)]

  @Test("A text of 64 KiB can be put together, no longer one", arguments: limits)
  func length(count: Int, isRight: Bool) {
    // Six or seven times 10 KiB.
    let part = String(repeating: "x", count: 10_240)
    let holes = String(repeating: "${item}", count: count)
    let found = Self.words("steps: [{ for_each: { item: [\(part)], steps: [{ log: \"\(holes)\" }] } }]\n")
    #expect(found == (isRight ? [] : ["Y311: this text is longer than 64 KiB once its values are put in | too long"]))
  }
}
