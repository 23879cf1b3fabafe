import ScenarioLanguage
import Testing

@testable import Simulation

@Suite struct DocumentCheckTests {
  private static func check(_ text: String, simulates: Bool = true) -> CheckResult {
    DocumentCheck.check(
      SourceFile(name: "a.yaml", bytes: Array(text.utf8)), inputs: PlanCompiler.Inputs(), isNamed: true,
      simulates: simulates)
  }

  @Test("A valid document is told by its kind, title and steps; one with errors is not")
  func identity() {
    let log = "{ log: hello }"
    let cases: [(text: String, title: String?, details: String)] = [
      ("scenario: One\ndevice: TV\nsteps: [\(log)]\n", "One", "1 step"),
      (
        "scenario: Two\ndevice: TV\nsetup: [\(log)]\nsteps: [\(log)]\nfinally: [\(log)]\n", "Two",
        "2 steps, 1 in finally"
      ),
      ("library: Kit\nvars: { n: 1 }\n", "Kit", ""), ("scenario: Bad\nstep: []\n", nil, ""),
    ]
    for (text, title, details) in cases {
      let identity = Self.check(text).identity
      #expect(identity?.title == title && identity?.details ?? "" == details, "\(text)")
    }
  }

  @Test("What a run does not do yet is a note of a valid document, once for each place")
  func notes() {
    let asking = """
      scenario: Asking
      inventory: { tv: { name: TV, expect: [rate] } }
      roles: { left: tv, right: tv }
      steps: [{ log: hello, role: left }, { log: hello, role: right }]

      """
    let result = Self.check(asking)
    #expect(result.diagnostics.filter { $0.severity == .note }.map(\.code) == [.k110], "\(result.diagnostics)")
    let broken = Self.check(asking + "stepz: []\n")
    #expect(broken.errors == 1 && !broken.diagnostics.contains { $0.severity == .note })
  }

  @Test("Of a playlist all is done: files of this computer are served, and secrets filled in")
  func playlist() {
    let text = """
      playlist: Shop
      timezone: UTC
      device: TV
      secrets: { key: { env: KEY } }
      program: [{ play: ["file:a.png", "https://a.example/a.png?k=${secret.key}"] }]
      fallback: "file:a.png"

      """
    #expect(Self.check(text).diagnostics.map(\.message) == [])
  }

  @Test("Only a valid document is simulated, and only if it is asked for")
  func proof() {
    let late = PlanProofTests.scenario("- load: film\n- expect: { break: { id: mid } }")
    func claims(_ result: CheckResult) -> Int {
      result.diagnostics.count { [.p602, .p609, .p616].contains($0.code) }
    }
    #expect(claims(Self.check(late)) == 1)
    #expect(claims(Self.check(late, simulates: false)) == 0 && claims(Self.check(late + "stepz: []\n")) == 0)
  }
}
