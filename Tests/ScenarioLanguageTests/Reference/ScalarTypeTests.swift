import Testing

@testable import ScenarioLanguage

/// What the reference says of spellings is what the checker does (docs/language/values.md "Spellings").
@Suite struct ScalarTypeTests {
  /// Where a value of the type stands in a document, and the words of the table that are no spellings.
  static let fields: [(type: String, field: String, others: Set<String>)] = [
    ("bool", "steps: [{ mute: VALUE }]", ["yes no on off y n 1 0 True"]),
    ("int", "vars: { _x: { type: int, default: VALUE } }\nsteps: [play]", []),
    ("number", "vars: { _x: { type: number, default: VALUE } }\nsteps: [play]", []),
    ("percent", "steps: [{ volume: VALUE }]", []),
    ("duration", "vars: { _x: { type: duration, default: VALUE } }\nsteps: [play]", ["ms s m h d"]),
    ("signed duration", "steps: [{ seek: { by: VALUE } }]", []),
    ("position", "steps: [{ seek: VALUE }]", []),
    ("factor", "vars: { _x: { type: factor, default: VALUE } }\nsteps: [play]", []),
    ("time", "schedule: [{ at: VALUE, timezone: UTC }]\nsteps: [play]", ["24:00"]),
    ("hours", "vars: { _x: { type: hours, default: VALUE } }\nsteps: [play]", []),
    ("days", "schedule: [{ at: 07:00, timezone: UTC, days: VALUE }]\nsteps: [play]", []),
    ("date", "vars: { _x: { type: date, default: VALUE } }\nsteps: [play]", []),
    ("dates", "vars: { _x: { type: dates, default: VALUE } }\nsteps: [play]", []),
    ("timestamp", "vars: { _x: { type: timestamp, default: VALUE } }\nsteps: [play]", ["Z"]),
    (
      "url", "media: { _x: { url: VALUE, type: video/mp4 } }\nsteps: [play]", ["https://host/path", "http://host/path"]
    ),
    ("color", "text_styles: { _x: { color: VALUE } }\nsteps: [play]", ["\"#RRGGBB\"", "\"#RRGGBBAA\"", "#…"]),
    (
      "id",
      "media: { _film: { url: https://cdn.example.com/a.mp4, clips: { VALUE: { url: https://e.com/b.mp4 } } } }\nsteps: [play]",
      ["_", "-"]
    ),
    ("language", "vars: { _x: { type: lang, default: VALUE } }\nsteps: [play]", []),
    ("MIME type", "vars: { _x: { type: mime, default: VALUE } }\nsteps: [play]", []),
    ("namespace", "steps: [{ send: { namespace: VALUE, message: { a: 1 } } }]", []),
    ("time zone", "schedule: [{ at: 07:00, timezone: VALUE }]\nsteps: [play]", []),
    ("cron", "schedule: [{ cron: VALUE, timezone: UTC }]\nsteps: [play]", []),
    ("regular expression", "steps: [{ expect: { title: { matches: VALUE } } }]", []),
    ("app id", "apps: { _x: VALUE }\nsteps: [play]", []),
    ("address", "inventory: { tv: { name: TV, host: VALUE } }\nsteps: [play]", []),
    ("path", "include: [VALUE]\nsteps: [play]", []),
    ("status field", "steps: [{ play: {}, save: { p: VALUE } }]", []),
  ]

  /// What stands between backticks, without quotes around it.
  static func spellings(_ text: String) -> [String] {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    return parts.filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  static func problems(_ field: String, _ value: String) -> [String] {
    let isQuoted = value.hasPrefix("#") || value.hasPrefix("[") || value.contains(",")
    let text = field.replacing("VALUE", with: isQuoted ? "\"\(value)\"" : value)
    let inputs = project([value: "library: Kit\n"])
    return PlanCompiler.compile(scenario(text + "\n"), inputs: inputs).diagnostics.filter { $0.severity == .error }
      .map(\.words)
  }

  @Test("A spelling of the table is right, and one that it refuses is wrong", arguments: fields)
  func spelling(type: String, field: String, others: Set<String>) throws {
    let row = try #require(ScalarKind.named(type))
    var right = Self.spellings(try #require(row.spelled))
    if type == "date" { right.append("2028-02-29") }
    for value in right where !others.contains(value) {
      #expect(Self.problems(field, value) == [], "\(type) \(value)")
    }
    for value in Self.spellings(row.refused) where !others.contains(value) {
      #expect(!Self.problems(field, value).isEmpty, "\(type) \(value)")
    }
    // A list of words in one pair of backticks.
    for value in others.filter({ $0.contains("yes") }).flatMap({ $0.split(separator: " ").map(String.init) }) {
      #expect(!Self.problems(field, value).isEmpty, "\(type) \(value)")
    }
  }

  @Test("Every type of the table is tried, and every name of a color is one")
  func complete() throws {
    #expect(Set(ScalarKind.documented.map(\.name)) == Set(Self.fields.map(\.type) + ["text"]))
    let colors = try #require(ScalarKind.named("color"))
    let names = try #require(colors.spelled?.split(separator: "(").last?.split(separator: ")").first)
    #expect(names.split(separator: " ").count == 10)
    for name in names.split(separator: " ") { #expect((try? ColorScalar.read(String(name))) != nil, "\(name)") }
  }
}
