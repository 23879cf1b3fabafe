import Testing

@testable import ScenarioLanguage

/// Compiles small documents for tests.
enum Compiling {
  static func outcome(_ yaml: String, file: String = "lobby.yaml") -> PlanCompiler.Outcome {
    PlanCompiler.compile(SourceFile(name: file, bytes: Array(yaml.utf8)))
  }

  /// The codes of all problems, in the document's order.
  static func codes(_ yaml: String) -> [String] { outcome(yaml).diagnostics.map(\.code.rawValue) }

  /// The plan; a test that cannot get it says why.
  static func plan(_ yaml: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Plan {
    try plan(SourceFile(yaml), sourceLocation: sourceLocation)
  }

  static func plan(
    _ source: SourceFile, inputs: PlanCompiler.Inputs = .init(), sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Plan {
    try plan(of: PlanCompiler.compile(source, inputs: inputs), sourceLocation: sourceLocation)
  }

  static func plan(of outcome: PlanCompiler.Outcome, sourceLocation: SourceLocation = #_sourceLocation) throws -> Plan {
    guard case .scenario(let plan)? = outcome.document else {
      Issue.record("no plan: \(outcome.diagnostics.map(\.words))", sourceLocation: sourceLocation)
      throw NoPlan()
    }
    return plan
  }

  struct NoPlan: Error {}

  /// A scenario whose last step is `step`, with definitions to refer to; `before` are earlier steps.
  static func scenario(_ step: String, before: [String] = [], top: String = "") -> String {
    let steps = (before + [step]).map { "  - " + $0.split(separator: "\n").joined(separator: "\n    ") }
    return """
      scenario: Test
      device: Living Room TV
      \(top)
      vars: { _speed: 1.5 }
      apps: { acme: A1B2C3D4 }
      text_styles: { _big: { size: 150% } }
      media:
        _film:
          url: https://cdn.example.com/film.mp4
          duration: 10m
          tracks: [{ id: en, kind: text, language: en-GB, url: https://cdn.example.com/en.vtt }]
        _photo: { url: https://cdn.example.com/photo.jpg }
      steps:
      \(steps.joined(separator: "\n"))
      """
  }

  /// The last step of such a scenario.
  static func step(
    _ step: String, before: [String] = [], top: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Plan.Step {
    try #require(plan(scenario(step, before: before, top: top), sourceLocation: sourceLocation).steps.last)
  }
}
