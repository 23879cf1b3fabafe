import CastProtocol
import Testing

@testable import ScenarioLanguage

/// `on_resume`: what becomes of a step that was under way when its run died.
@Suite struct OnResumeTests {
  private static func document(_ step: String) -> String {
    "scenario: A\ndevice: TV\nsteps:\n  - load: https://cdn.example.com/a.mp4\n  - \(step)\n"
  }

  @Test("A step says what becomes of it; without a word a load is adopted, everything else is done again")
  func rules() throws {
    for rule in ["replay", "skip"] {
      let plan = try Compiling.plan(Self.document("seek: 10s\n    on_resume: \(rule)"))
      let step = try #require(plan.steps.last)
      #expect(step.onResume?.rawValue == rule && step.resumeRule.rawValue == rule)
      #expect(step.json["onResume"]?.string == rule)
    }
    let plan = try Compiling.plan(Self.document("pause"))
    #expect(plan.steps.map(\.resumeRule) == [.adopt, .replay])
    #expect(plan.steps.allSatisfy { $0.json["onResume"] == nil }, "plans without it stay as they were")
  }

  @Test("Only a verb that launches, ends or loads may change which app or media are ours, and it leaves traces")
  func changingApps() throws {
    #expect(Verb.allCases.filter(\.changesApp) == Verb.allCases.filter { Self.changing.contains($0.rawValue) })
    #expect(Verb.allCases.allSatisfy { !$0.changesApp || !$0.resumeRules.isEmpty })
    let plan = try Compiling.plan(Self.document("pause"))
    #expect(plan.steps.map(\.changesApp) == [true, false])
  }

  private static let changing: Set = ["launch", "stop_app", "load", "queue", "transfer"]

  @Test("What changes nothing takes no `on_resume`, and only loads can be adopted (K107)")
  func refused() {
    for step in [
      "wait: 1s\n    on_resume: skip", "expect: { player: playing }\n    on_resume: replay",
      "group: { steps: [pause] }\n    on_resume: replay", "volume: 40%\n    on_resume: adopt",
      "connect: {}\n    on_resume: skip", "disconnect: {}\n    on_resume: skip",
      "refresh: {}\n    on_resume: skip",
    ] {
      #expect(Compiling.codes(Self.document(step)).contains("K107"), "\(step)")
    }
    for step in [
      "queue: [https://cdn.example.com/b.mp4]\n    on_resume: adopt",
      "exec: { command: [sync] }\n    on_resume: skip",
    ] {
      #expect(!Compiling.codes(Self.document(step)).contains("K107"), "\(step)")
    }
  }
}
