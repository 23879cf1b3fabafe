import ScenarioLanguage
import TestSupport
import Testing

@testable import RunReporting
@testable import ScenarioRunner

/// What a resumed run finds changed in an app that ran before the run.
extension ResumedRunTests {
  /// A load that is the first step: the app that it joins is nobody's of the run before.
  static let bare = film.replacing("  - launch: default\n", with: "")
  /// The record that says that the load of ``bare`` is about to be sent.
  static let bareLoadBegins = 3

  private static func earlier(_ launch: String = "") throws -> RunnableDocument {
    try document(
      "scenario: Earlier\ndevice: TV\nsession: { leave: keep }\nsteps:\n\(launch)  - load: https://cdn.example.com/earlier.mp4\n"
    )
  }

  @Test(
    "A load that joined an app in which another sender's film played loads over no later film of that app",
    arguments: ["adopt", "replay", "skip"])
  func takenOverInJoinedApp(rule: String) throws {
    let document = try Self.document(Self.bare.replacing("film.mp4\n", with: "film.mp4\n    on_resume: \(rule)\n"))
    let run = try KilledRun(
      document, killed: [.record(Self.bareLoadBegins)], before: try Self.earlier(), other: try Self.other())
    let first = try #require(JournaledRun(try JournalReader(run.parts[0].journal)))
    #expect(first.work.intent("r0#1:steps/s1")?.before?.media != nil)
    #expect(run.contents[Self.filmURL] == run.parts[0].contents[Self.filmURL], "\(run.contents): \(run.results)")
    #expect(run.last.outcome == .init(result: .error, exitCode: 5), "\(run.results)")
    #expect(Self.hasEnded(run, .takenOver), "\(run.results)")
  }

  @Test("Killed at any moment of a load into an app that played, the run that goes on loads over nobody's film")
  func takenOverInJoinedAppAtAnyMoment() throws {
    let document = try Self.document(Self.bare)
    let latency = Duration.milliseconds(40)...(.milliseconds(40))
    var seen = 0
    for moment in stride(from: 50, through: 1_500, by: 50) {
      let run = try KilledRun(
        document, killed: [.at(.milliseconds(moment))], latency: latency, before: try Self.earlier(),
        other: try Self.other())
      let first = try #require(JournaledRun(try JournalReader(run.parts[0].journal)))
      guard first.work.intent("r0#1:steps/s1") != nil else { continue }
      seen += 1
      #expect(run.last.outcome.exitCode == 5 && Self.hasEnded(run, .takenOver), "\(moment) ms: \(run.results)")
      // What was on its way when the part died may come.
      #expect(run.contents[Self.filmURL, default: 0] <= 1, "\(moment) ms: \(run.contents)")
    }
    #expect(seen > 5, "\(seen)")
  }

  @Test(
    "The film that played in the app before the load began is no takeover, nor is one in another app, which is not asked",
    arguments: ["", "  - launch: A1B2C3D4\n"])
  func playedBefore(launch: String) throws {
    let run = try KilledRun(
      try Self.document(Self.bare), killed: [.record(Self.bareLoadBegins)], before: try Self.earlier(launch))
    let first = try #require(JournaledRun(try JournalReader(run.parts[0].journal)))
    let before = try #require(first.work.intent("r0#1:steps/s1")?.before)
    #expect(before.isUnsure == !launch.isEmpty && (before.media == nil) == before.isUnsure, "\(before)")
    #expect(run.last.outcome.exitCode == 0 && run.contents[Self.filmURL] == 1, "\(run.results)")
  }
}
