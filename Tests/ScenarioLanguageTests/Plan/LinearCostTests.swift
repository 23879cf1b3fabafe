import CastProtocol
import Testing

@testable import ScenarioLanguage

/// Documents that are made to be slow, in two sizes: the larger one costs no more than its size.
@Suite struct LinearCostTests {
  struct Family: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// How many entries the smaller document has.
    var size: Int
    var document: @Sendable (Int) -> String

    init(_ name: String, _ size: Int, _ document: @escaping @Sendable (Int) -> String) {
      testDescription = name
      self.size = size
      self.document = document
    }
  }

  private static let head = "scenario: A\ndevice: TV\n"
  private static let playlist =
    "playlist: A\ntimezone: UTC\ndevices: [TV]\nprogram: [{ play: [https://e.com/a.jpg] }]\n"

  static func list(_ count: Int, _ entry: (Int) -> String) -> String { (0..<count).map(entry).joined(separator: ",") }

  private static func windows(_ count: Int) -> String {
    list(count) { index in
      func clock(_ second: Int) -> String {
        [second / 3_600 % 24, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      }
      return "\(clock(2 * index))-\(clock(2 * index + 1))"
    }
  }

  static let families: [Family] = [
    Family("variables from the environment", 1_000) { count in
      head + "vars: {\(list(count) { "a\($0): { env: PATH }" })}\nsteps: [play]"
    },
    Family("roles in one expectation", 1_500) { count in
      "scenario: A\nroles: {\(list(count) { "r\($0): TV\($0)" })}\n"
        + "steps: [{ expect_together: { roles: [\(list(count) { "r\($0)" })], that: { player: idle } } }]"
    },
    Family("selectors that ask for the same tag", 600) { count in
      "scenario: A\ndevices: [\(list(count) { _ in "{ tag: a }" })]\n"
        + "inventory: {\(list(count) { "i\($0): { name: TV, tags: [a] }" })}\nsteps: [play]"
    },
    Family("arguments that no block knows", 1_000) { count in
      head + "blocks: { b: { params: {\(list(count) { "p\($0): x" })}, steps: [play] } }\n"
        + "steps: [{ use: { block: b, with: {\(list(count) { "q\($0): x" })} } }]"
    },
    Family("parameters with a default, and uses of them", 400) { count in
      head + "blocks: { b: { params: {\(list(count) { "p\($0): x" })}, steps: [play] } }\n"
        + "steps: [\(list(count) { _ in "{ use: b }" })]"
    },
    Family("unknown variables in exclude", 1_000) { count in
      head + "matrix: {\(list(count) { "a\($0): [x]" }), b: [x, y], exclude: [{\(list(count) { "z\($0): x" })}] }\n"
        + "steps: [play]"
    },
    Family("variables in exclude", 1_500) { count in
      head + "matrix: {\(list(count) { "a\($0): [x]" }), b: [x, y], exclude: [{\(list(count) { "a\($0): x" })}] }\n"
        + "steps: [play]"
    },
    Family("tracks that are switched on", 800) { count in
      head
        + "media: { f: { url: \"https://e.com/a.mp4\", tracks: [\(list(count) { "{ id: t\($0), kind: audio }" })] } }\n"
        + "steps: [{ load: { media: f, tracks: [\(list(count) { "t\($0)" })] } }]"
    },
    Family("steps that switch a track on", 500) { count in
      head
        + "media: { f: { url: \"https://e.com/a.mp4\", tracks: [\(list(count) { "{ id: t\($0), kind: audio }" })] } }\n"
        + "steps: [{ load: f }, \(list(count) { "{ tracks: [t\($0)] }" })]"
    },
    Family("loads of media with tracks", 250) { count in
      head
        + "media: { f: { url: \"https://e.com/a.mp4\", tracks: [\(list(count) { "{ id: t\($0), kind: audio }" })] } }\n"
        + "steps: [\(list(count) { _ in "{ load: f }" })]"
    },
    Family("dayparts that leave out a daypart of many windows", 500) { count in
      playlist + "dayparts: { big: { hours: [\(windows(count))] },\(list(count) { "d\($0): { not: big }" })}"
    },
    Family("choices of a variable", 3_000) { count in
      head + "vars: { a: { choices: [\(list(count) { "c\($0)" })], default: x } }\nsteps: [play]"
    },
    Family("fields of custom data in one condition", 1_500) { count in
      head + "steps: [{ expect: {\(list(count) { "custom.a\($0): 1" })} }]"
    },
    Family("media in one queue", 400) { count in
      head + "media: {\(list(count) { "m\($0): { url: \"https://e.com/a.mp4\" }" })}\n"
        + "steps: [{ queue: [\(list(count) { "m\($0)" })] }]"
    },
    Family("secrets without a value", 400) { count in
      head + "secrets: {\(list(count) { "s\($0): { env: NOPE }" })}\n"
        + "steps: [\(list(count) { "{ log: \"${secret.s\($0)}\" }" })]"
    },
    Family("braces of variables that nobody quoted", 200) { count in
      head + "vars: { x: a }\nsteps:\n" + String(repeating: "  - tracks: [${x}]\n", count: count)
    },
    Family("characters that nobody can see", 8_000) { count in
      head + "steps: [{ log: \(String(repeating: "\u{200B}", count: count))x }]"
    },
    Family("variables of a matrix", 1_000) { count in
      head + "matrix: {\(list(count) { "a\($0): [1]" })}\n"
        + "steps: [\(list(count) { "{ log: \"${matrix.a\($0)}\" }" })]"
    },
    Family("parameters of one block", 1_000) { count in
      head + "blocks: { b: { params: {\(list(count) { "p\($0): x" })}, steps: [{ log: \"${p1}\" }] } }\n"
        + "steps: [use: b]"
    },
    Family("aliases in settings", 1_000) { count in "aliases: {\(list(count) { "a\($0): { name: TV \($0) }" })}\n" },
  ]

  @Test("A document four times as long costs about four times as much", arguments: families)
  func linear(family: Family) {
    var inputs = Golden.inputs
    inputs.environment = { $0 == "PATH" ? "x" : nil }
    let isOfSettings = family.testDescription.contains("settings")
    #expect(
      Cost.isLinear(family.size) { count in
        let document = family.document(count)
        if isOfSettings { return Cost.of { _ = SettingsFile.read(SourceFile(document)) } }
        return Cost.of(document, inputs: inputs)
      })
  }

  @Test("Names under `only` are looked up, not searched for")
  func only() {
    let linear = Cost.isLinear(500) { count in
      let library = "library: L\nvars: {\(Self.list(count) { "v\($0): 1" })}\n"
      var inputs = Golden.inputs
      inputs.includedFile = { _, _ in .success(SourceFile(library, name: "lib.yaml")) }
      let names = Self.list(count) { $0.isMultiple(of: 2) ? "v\($0)" : "w\($0)" }
      return Cost.of(
        Self.head + "include: [{ file: lib.yaml, only: [\(names)] }]\nsteps: [play]", inputs: inputs)
    }
    #expect(linear)
  }

  @Test("A long line is formatted in time linear in its parts")
  func formatted() {
    let linear = Cost.isLinear(10_000) { count in
      let source = SourceFile("a: [\(Self.list(count) { _ in " x" })]\n")
      return Cost.of { _ = DocumentFormatter.format(source) }
    }
    #expect(linear)
  }

  @Test("A condition of many fields is put into words for events in time linear in them")
  func json() throws {
    let linear = Cost.isLinear(1_000) { count in
      let outcome = Compiling.outcome(Self.head + "steps: [{ expect: {\(Self.list(count) { "custom.a\($0): 1" })} }]")
      guard case .scenario(let plan)? = outcome.document, case .expect(let action) = plan.steps[0].action else {
        return .infinity
      }
      return Cost.of { _ = action.condition.json() }
    }
    #expect(linear)
  }
}
