import CastProtocol
import Testing

@testable import ScenarioLanguage

/// `receiver:` of an inventory entry (docs/language/devices.md "Inventory").
@Suite struct ReceiverPageKeyTests {
  private static func document(_ inventory: String, device: String = "lab", kind: String = "scenario: S") -> String {
    let body =
      kind.hasPrefix("playlist") ? "timezone: UTC\nprogram: [{ play: [https://e.com/a.jpg] }]" : "steps: [pause]"
    return "\(kind)\ndevice: \(device)\ninventory: \(inventory)\n\(body)\n"
  }

  static let entries: [(inventory: String, device: String, name: String?, page: String?)] = [
    ("{ lab: { receiver: \"http://localhost:3000/\" } }", "lab", "lab", "http://localhost:3000/"),
    ("{ lab: { name: Lab TV, receiver: \"http://localhost:3000/\" } }", "lab", "Lab TV", "http://localhost:3000/"),
    ("{ lab: { name: Lab TV } }", "lab", "Lab TV", nil),
    (
      "{ base: { receiver: \"https://e.com/r\" }, lab: { like: base, name: Lab TV } }", "lab", "Lab TV",
      "https://e.com/r"
    ),
  ]
  @Test("A page stands for a device under its name, or the entry's", arguments: entries)
  func page(inventory: String, device: String, name: String?, page: String?) throws {
    let plan = try Compiling.plan(Self.document(inventory, device: device))
    #expect(plan.device.name == name && plan.device.requirements.page == page)
    #expect(plan.device.isPage == (page != nil))
    #expect(plan.device.json["receiver"]?.string == page)
  }

  @Test("A tag means pages where all of its devices are pages")
  func tags() throws {
    let pages = "a: { tags: [x], receiver: \"http://e.com/1\" }, b: { tags: [x], receiver: \"http://e.com/2\" }"
    for (more, isPage) in [("", true), (", c: { name: C, tags: [x] }", false)] {
      let plan = try Compiling.plan(Self.document("{ \(pages)\(more) }", device: "{ tag: x }"))
      #expect(plan.device.isPage == isPage)
    }
  }

  static let wrong = [
    Example(document("{ lab: { receiver: \"file:page.html\" } }"), ["T215 \"file:page.html\""]),
    Example(document("{ lab: { receiver: \"localhost:3000\" } }"), ["T215 \"localhost:3000\""]),
    Example(document("{ lab: { receiver: [] } }"), ["T210 []"]),
    Example(
      document("{ lab: { receiver: \"http://e.com/\" } }", kind: "playlist: P"), ["K110 receiver"]),
    Example(
      document("{ lab: { receiver: \"http://e.com/\" }, tv: { name: TV } }", device: "tv", kind: "playlist: P"), []),
  ]
  @Test("What is no web address is refused, and so is a page that a playlist is to be shown on", arguments: wrong)
  func refused(example: Example) {
    let source = SourceFile(example.text)
    let outcome = PlanCompiler.compile(source)
    let text = SourceText(source)
    let found = outcome.diagnostics.filter { $0.severity == .error }
      .map { "\($0.code) \(text.text(at: $0.primary.span) ?? "")" }
    #expect(found == example.expected)
  }
}
