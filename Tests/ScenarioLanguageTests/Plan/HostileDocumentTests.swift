import Testing

@testable import ScenarioLanguage

/// Documents made to be slow. Each would take minutes if its compiling were quadratic.
@Suite struct HostileDocumentTests {
  static func list(_ count: Int, _ entry: (Int) -> String) -> String { (0..<count).map(entry).joined(separator: ",") }

  static let documents: [(name: String, yaml: String)] = [
    (
      "unknown clips",
      "scenario: A\ndevice: TV\nmedia: { film: { url: \"https://e.com/a.mp4\", clips: {\(list(8_000) { "clip\($0): { url: \"https://e.com/\($0).mp4\" }" })}, breaks: [{ id: b, at: 1s, clips: [\(list(8_000) { "clop\($0)" })] }] } }\nsteps: [{ load: film }]"
    ),
    (
      "many tracks",
      "scenario: A\ndevice: TV\nmedia: { film: { url: \"https://e.com/a.mp4\", tracks: [\(list(20_000) { "{ id: t\($0), kind: audio }" })] } }\nsteps: [{ load: film }]"
    ),
    (
      "many rules",
      "playlist: A\ndevices: [TV]\nprogram: [\(list(10_000) { "{ during: { hours: 0\($0 % 10):\(10 + $0 % 50)-1\($0 % 10):00 }, play: [\"https://e.com/a.jpg\"] }" })]"
    ),
    (
      "many days that do not meet",
      "playlist: A\ndevices: [TV]\nprogram: [{ during: { dates: [\(list(100) { _ in "01-01..01-02" })] }, play: [\(list(10_000) { _ in "{ media: \"https://e.com/a.jpg\", valid: 02-01..03-01 }" })] }]"
    ),
    (
      "many windows in many rules",
      "playlist: A\ndevices: [TV]\nprogram: [\(list(290) { _ in "{ during: { hours: [\(list(200) { "0\($0 % 9):\(10 + $0 % 50)-1\($0 % 9):00" })] }, play: [\"https://e.com/a.jpg\"] }" })]"
    ),
    (
      "many interrupts every minute",
      "playlist: A\ndevices: [TV]\nprogram: [{ play: [\"https://e.com/a.jpg\"] }]\ninterrupts: [\(list(200) { _ in "{ every: 1m, play: [\"https://e.com/a.jpg\"] }" })]"
    ),
    (
      "many zones that are none",
      "scenario: A\ndevice: TV\nschedule: [\(list(10_000) { "{ at: \"02:30\", timezone: Europe/Pari\($0) }" })]\nsteps: [play]"
    ),
    (
      "many schedules in the hour that is missing",
      "scenario: A\ndevice: TV\nschedule: [\(list(10_000) { _ in "{ cron: \"*/7 1-4 * * *\", timezone: Europe/Paris }" })]\nsteps: [play]"
    ),
    (
      "many names that nobody saves",
      "scenario: A\ndevice: TV\nsteps: [\(list(10_000) { "{ expect_sequence: [{ player: idle }], since: stop\($0) }" })]"
    ),
    (
      "a chain of definitions",
      "scenario: A\ndevice: TV\nmedia: { a0: { url: \"https://e.com/a.mp4\" },\(list(3_000) { "a\($0 + 1): { like: a\($0) }" })}\nsteps: [{ load: a3000 }]"
    ),
    (
      "an undefined variable over and over in one text",
      "scenario: A\ndevice: TV\nsteps: [{ log: \"\(String(repeating: "${x}", count: 150_000))\" }]"
    ),
    (
      "a large text put in often",
      "scenario: A\ndevice: TV\nvars: { x: \(String(repeating: "y", count: 60_000)) }\nsteps: [\(list(40_000) { _ in "{ log: \"${x}\" }" })]"
    ),
    (
      "a large definition that many start from",
      "scenario: A\ndevice: TV\nmedia: { a: { url: \"https://e.com/a.mp4\", custom: { a: [\(list(20_000) { "\($0)" })] } },\(list(15_000) { "a\($0): { like: a }" })}\nsteps: [{ load: a0 }]"
    ),
    (
      "a large map looked into often",
      "scenario: A\ndevice: TV\nvars: { x: {\(list(20_000) { "k\($0): 1" })} }\nsteps: [\(list(20_000) { "{ log: \"${x.k\($0)}\" }" })]"
    ),
    (
      "loops in every row of a matrix",
      "scenario: A\ndevice: TV\nmatrix: { a: [\(list(900) { "a\($0)" })] }\nsteps: [{ for_each: { item: [\(list(200) { _ in "1" })], steps: [{ for_each: { item: [\(list(200) { _ in "1" })], steps: [{ log: \"${matrix.a}\" }] } }] } }]"
    ),
    (
      "a long text in every row of a matrix",
      "scenario: A\ndevice: TV\nmatrix: { a: [\(list(900) { "a\($0)" })] }\nsteps: [\(list(15) { _ in "{ log: \"${matrix.a} \(String(repeating: "x", count: 60_000))\" }" })]"
    ),
    (
      "media that no receiver can fetch",
      "scenario: A\ndevice: TV\nmedia: {\(list(30_000) { "m\($0): { url: \"ftp://x\" }" })}\nsteps: [play]"
    ),
  ]

  @Test("A part of a large variable costs what it is, not what the whole would")
  func parts() {
    let keys = Self.list(2_000) { "k\($0): v\($0)" }
    let steps = Self.list(2_000) { "{ log: \"${x.k\($0)}\" }" }
    let outcome = PlanCompiler.compile(
      SourceFile("scenario: A\ndevice: TV\nvars: { x: {\(keys)} }\nsteps: [\(steps), { expect: { player: playing } }]"))
    #expect(outcome.diagnostics == [])
  }

  @Test(
    "What is too large is said once, and is all that is said",
    arguments: [
      (
        "Y302",
        "media: { a: { url: \"https://e.com/a.mp4\", custom: { a: [\(list(20_000) { "\($0)" })] } },\(list(20) { "b\($0): { like: a }" })}\nsteps: [{ load: a }]"
      ),
      (
        "Y311",
        "vars: { x: \(String(repeating: "y", count: 60_000)) }\nsteps: [\(list(200) { _ in "{ log: \"${x}\" }" }), { log: \"${nobody}\" }]"
      ),
      ("P617", "steps: [\(list(100_001) { _ in "play" })]"),
      (
        "P617",
        "matrix: { a: [\(list(500) { "a\($0)" })] }\nsteps: [{ log: \"${matrix.a}\" }, { for_each: { item: [\(list(300) { "\($0)" })], steps: [play] } }]"
      ),
    ])
  func tooLarge(code: String, yaml: String) {
    let outcome = PlanCompiler.compile(SourceFile("scenario: A\ndevice: TV\n" + yaml))
    let errors = outcome.diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.code.rawValue) == [code])
    #expect(!outcome.isCut)
  }

  @Test(
    "A document made to be slow costs no more than a few large ones in which nothing is wrong",
    arguments: documents.map { NamedText($0.name, $0.yaml) })
  func bounded(document: NamedText) {
    let cost = Cost.of(document.text)
    #expect(cost < 8 * Cost.ofMostNodes, "\(document.testDescription) took \(cost) s")
  }
}
