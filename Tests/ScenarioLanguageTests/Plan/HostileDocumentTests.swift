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
  ]

  @Test("A document made to be slow is answered within seconds", arguments: documents)
  func bounded(name: String, yaml: String) {
    let time = ContinuousClock().measure {
      _ = PlanCompiler.compile(SourceFile(name: "lobby.yaml", bytes: Array(yaml.utf8)), inputs: Golden.inputs)
    }
    #expect(time < .seconds(20), "\(name) took \(time)")
  }
}
