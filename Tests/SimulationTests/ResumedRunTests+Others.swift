import CastReceiver
import ScenarioLanguage
import TestSupport
import Testing

@testable import RunReporting
@testable import ScenarioRunner

/// What a resumed run finds changed: another sender's media, tries that were over, devices that are off.
extension ResumedRunTests {
  static let film =
    """
    scenario: Film
    device: TV
    steps:
      - launch: default
      - load: https://cdn.example.com/film.mp4
      - wait: 60s
      - expect: { player: playing }
      - load: https://cdn.example.com/film2.mp4
    finally:
      - log: tidying

    """

  /// Whether a scenario, or the step that ran, ended with an error of this class.
  static func hasEnded(_ run: KilledRun, _ error: ErrorClass) -> Bool {
    run.last.events.contains { event in
      switch event.kind {
      case .scenarioFinished(let finished): finished.error?.errorClass == error
      case .attemptFailed(let failed): failed.error.errorClass == error
      default: false
      }
    }
  }

  @Test("Another sender's media on the device end a resumed run as they end one that was never interrupted")
  func takenOver() throws {
    let other = try Self.document(
      "scenario: Other\ndevice: TV\nsession: { leave: keep }\nsteps:\n  - load: https://cdn.example.com/other.mp4\n")
    let document = try Self.document(Self.film)
    let run = try KilledRun(document, killed: [.at(.seconds(30))], other: other)
    #expect(run.contents["https://cdn.example.com/other.mp4"] == 1)
    #expect(run.last.outcome == .init(result: .error, exitCode: 5), "\(run.results)")
    #expect(Self.hasEnded(run, .takenOver), "\(run.results)")
    #expect(run.results.contains("s2 passed taken") && run.results.contains("s3 not_run"), "\(run.results)")
    #expect(run.contents["https://cdn.example.com/film2.mp4"] == nil)
    let journal = try #require(JournaledRun(try JournalReader(run.last.journal)))
    #expect(journal.end?.exit == 5 && journal.work.cleanup(of: "r0#1")?.failure?.errorClass == .takenOver)

    let ignoring = try Self.document(Self.film.replacing("device: TV", with: "device: TV\ntakeover: ignore"))
    let going = try KilledRun(ignoring, killed: [.at(.seconds(30))], other: other)
    #expect(!Self.hasEnded(going, .takenOver) && going.results.contains("s3 passed"), "\(going.results)")
  }

  static func other(_ more: String = "") throws -> RunnableDocument {
    try document(
      "scenario: Other\ndevice: TV\n\(more)session: { leave: keep }\nsteps:\n  - load: https://cdn.example.com/other.mp4\n"
    )
  }

  static let filmURL = "https://cdn.example.com/film.mp4"
  /// The record that says that the load of ``film`` is about to be sent.
  private static let loadBegins = 5

  @Test(
    "What another sender loaded while a load was under way is a takeover, and is not loaded over",
    arguments: ["adopt", "replay", "skip"])
  func takenOverWhileLoading(rule: String) throws {
    let text = Self.film.replacing("film.mp4\n", with: "film.mp4\n    on_resume: \(rule)\n")
    let document = try Self.document(text)
    let run = try KilledRun(document, killed: [.record(Self.loadBegins)], other: try Self.other())
    // What the part that died sent on its way is not sent once more.
    #expect(run.contents[Self.filmURL] == run.parts[0].contents[Self.filmURL], "\(run.contents): \(run.results)")
    #expect(run.contents["https://cdn.example.com/film2.mp4"] == nil, "\(run.results)")
    #expect(run.last.outcome == .init(result: .error, exitCode: 5), "\(run.results)")
    #expect(Self.hasEnded(run, .takenOver), "\(run.results)")

    let ignoring = try Self.document(text.replacing("device: TV", with: "device: TV\ntakeover: ignore"))
    let going = try KilledRun(ignoring, killed: [.record(Self.loadBegins)], other: try Self.other())
    #expect(!Self.hasEnded(going, .takenOver), "\(going.results)")
    let sent = going.contents[Self.filmURL, default: 0] - going.parts[0].contents[Self.filmURL, default: 0]
    #expect(sent == (rule == "skip" ? 0 : 1), "\(going.contents): \(going.results)")
  }

  @Test("Killed at any moment of a load, the run that goes on loads over nobody's film")
  func takenOverAtAnyMoment() throws {
    let document = try Self.document(Self.film)
    let latency = Duration.milliseconds(40)...(.milliseconds(40))
    var seen = 0
    for moment in stride(from: 50, through: 2_000, by: 50) {
      let run = try KilledRun(
        document, killed: [.at(.milliseconds(moment))], latency: latency, other: try Self.other())
      let first = try #require(JournaledRun(try JournalReader(run.parts[0].journal)))
      guard first.work.intent("r0#1:steps/s2") != nil else { continue }
      seen += 1
      #expect(run.last.outcome.exitCode == 5 && Self.hasEnded(run, .takenOver), "\(moment) ms: \(run.results)")
      #expect(run.contents["https://cdn.example.com/film.mp4", default: 0] <= 1, "\(moment) ms: \(run.contents)")
      #expect(run.contents["https://cdn.example.com/film2.mp4"] == nil, "\(moment) ms: \(run.results)")
    }
    #expect(seen > 5, "\(seen)")
  }

  @Test("What was on before a load began is no takeover, nor is an app that another sender left idle")
  func notTakenOver() throws {
    let document = try Self.document(Self.film)
    let run = try KilledRun(document, killed: [.record(Self.loadBegins)], before: try Self.other())
    #expect(run.last.outcome.exitCode == 0, "\(run.results)")
    #expect(run.contents["https://cdn.example.com/film.mp4"] == 1, "\(run.contents)")

    let idle = try Self.document(
      "scenario: Idle\ndevice: TV\nsession: { leave: keep }\nsteps:\n  - launch: default\n")
    // Before the app of ours is there.
    let going = try KilledRun(try Self.document(Self.bare), killed: [.record(Self.bareLoadBegins)], other: idle)
    #expect(going.last.outcome.exitCode == 0, "\(going.results)")
  }

  @Test("Another sender's app that came while a load was under way is a takeover")
  func appWhileLoading() throws {
    let other = try Self.document(
      "scenario: Other\ndevice: TV\nsession: { leave: keep }\nsteps:\n  - launch: A1B2C3D4\n")
    let run = try KilledRun(try Self.document(Self.film), killed: [.record(Self.loadBegins)], other: other)
    #expect(Self.hasEnded(run, .takenOver) && run.contents == run.parts[0].contents, "\(run.results)")
  }

  @Test(
    "The app that a killed run's own load launched is no other sender's, at whatever moment it comes",
    arguments: ["adopt", "replay", "skip"])
  func ownAppWhileLoading(rule: String) throws {
    let document = try Self.document(
      """
      scenario: Film
      device: TV
      steps:
        - launch: A1B2C3D4
        - log: on air
        - load: { media: "\(Self.filmURL)", app: CC1AD845 }
          on_resume: \(rule)
        - wait: 1s

      """)
    let latency = Duration.milliseconds(40)...(.milliseconds(40))
    var seen = 0
    for moment in stride(from: 50, through: 3_000, by: 50) {
      let run = try KilledRun(document, killed: [.at(.milliseconds(moment))], latency: latency, deviceLatency: .device)
      let first = try #require(JournaledRun(try JournalReader(run.parts[0].journal)))
      guard first.work.intent("r0#1:steps/s3") != nil, first.work.done("r0#1:steps/s3") == nil else { continue }
      seen += 1
      #expect(run.last.outcome.exitCode == 0, "\(moment) ms: \(run.results)")
      if rule == "adopt" { #expect(run.contents == [Self.filmURL: 1], "\(moment) ms: \(run.contents)") }
    }
    #expect(seen > 5, "\(seen)")
  }

  @Test("A try of a single step that had begun is not prepared again, one that had not is")
  func singleStepPreparedOnce() throws {
    let document = try Self.document(
      """
      scenario: Tries
      device: TV
      media: { broken: { url: https://cdn.example.com/broken.bin, type: application/x-none } }
      steps:
        - load: broken
          retry: { attempts: 3, wait: 2s, before: relaunch, errors: [load_failed] }

      """)
    let whole = try KilledRun(document, killed: [])
    #expect(whole.contents["https://cdn.example.com/broken.bin"] == 3 && whole.launches == 3, "\(whole.results)")
    // The second try is prepared, and has sent nothing.
    let run = try KilledRun(document, killed: [.record(4)])
    #expect(run.last.outcome == whole.last.outcome, "\(run.results)")
    #expect(run.launches == whole.launches && run.contents == whole.contents, "\(run.launches): \(run.contents)")
    // Between the first try and the second.
    let between = try KilledRun(document, killed: [.at(.seconds(2))])
    #expect(between.launches == whole.launches, "\(between.launches): \(between.results)")
  }

  @Test("No try that had begun is prepared again: what it has sent stays on the device", arguments: [14, 20])
  func preparedOnce(second: Int) throws {
    let document = try Self.document(
      """
      scenario: Tries
      device: TV
      steps:
        - launch: default
        - group:
            steps:
              - load: https://cdn.example.com/film.mp4
              - wait: 10s
              - expect: { player: paused }
                within: 1s
          retry: { attempts: 3, wait: 1s, before: relaunch, errors: [expectation] }

      """)
    let whole = try KilledRun(document, killed: [])
    #expect(whole.contents["https://cdn.example.com/film.mp4"] == 3 && whole.launches >= 3, "\(whole.launches)")
    // Within the wait of the second try.
    let run = try KilledRun(document, killed: [.at(.seconds(second))])
    #expect(run.last.outcome == whole.last.outcome, "\(run.results)")
    #expect(run.contents == whole.contents && run.launches == whole.launches, "\(run.launches): \(run.results)")
  }

  private static func rows(_ retry: String) throws -> RunnableDocument {
    try document(
      """
      scenario: Rows
      device: TV
      matrix: { item: [a, b] }
      retry: \(retry)
      steps:
        - load: "https://cdn.example.com/${matrix.item}.mp4"
        - expect: { player: paused }
          within: 2s

      """)
  }

  @Test("A scenario that died between two tries is tried again")
  func betweenTries() throws {
    let document = try Self.rows("{ attempts: 2, wait: 30s, errors: [expectation] }")
    let whole = try KilledRun(document, killed: [])
    #expect(whole.contents.values.allSatisfy { $0 == 2 } && whole.contents.count == 2, "\(whole.contents)")
    let run = try KilledRun(document, killed: [.at(.seconds(15))])
    #expect(run.last.outcome == whole.last.outcome && run.contents == whole.contents, "\(run.contents)")
  }

  @Test("A scenario whose time for tries was over is not tried again")
  func withinIsOver() throws {
    let document = try Self.rows("{ attempts: 2, wait: 30s, within: 20s, errors: [expectation] }")
    let whole = try KilledRun(document, killed: [])
    #expect(whole.contents.values.allSatisfy { $0 == 1 } && whole.contents.count == 2, "\(whole.contents)")
    let records = whole.last.journal.count { $0 == UInt8(ascii: "\n") }
    let run = try KilledRun(document, killed: [.record(records - 2)])
    #expect(run.last.outcome == whole.last.outcome && run.contents == whole.contents, "\(run.contents)")
  }

  @Test("Where the device is off, what was done before is told as done")
  func doneBefore() throws {
    let run = try KilledRun(try Self.document(Self.film), killed: [.at(.seconds(30))], away: "TV")
    #expect(run.last.outcome.exitCode == 4)
    #expect(run.results == ["s1 passed taken", "s2 passed taken", "s3 not_run", "s4 not_run", "s5 not_run"])
  }

  @Test("A list of devices of which one is off leaves the run open, and the other is cleaned up")
  func listed() throws {
    let document = try Self.document(
      """
      scenario: Each
      devices: [One, Two]
      steps:
        - load: https://cdn.example.com/1.mp4
        - wait: 20s
      finally:
        - log: tidying

      """)
    let run = try KilledRun(document, killed: [.at(.seconds(10))], away: "Two")
    #expect(run.last.outcome.exitCode == 4, "\(run.results)")
    let past = try #require(JournaledRun(try JournalReader(run.last.journal)))
    #expect(past.end == nil)
    let ends = past.work.devices(ofRow: "r0").map { past.work.end(of: "r0@\($0)#1")?.result }
    #expect(ends.count == 2 && ends.contains(.passed) && ends.contains(nil), "\(ends): \(run.results)")
  }

  @Test("No record of the journal holds a secret", arguments: [false, true])
  func secrets(isTaken: Bool) throws {
    let secret = "canary-4711-secret"
    let text =
      """
      scenario: Secrets
      device: TV
      secrets: { token: { env: TOKEN } }
      media:
        film:
          url: "https://cdn.example.com/film.mp4?k=${secret.token}"
          duration: 5m
          tracks: [{ id: en, url: "https://cdn.example.com/en.vtt?k=${secret.token}" }]
        other:
          url: "https://cdn.example.com/other.mp4?k=${secret.token}"
          duration: 5m
          tracks: [{ id: de, url: "https://cdn.example.com/de.vtt" }]
      steps:
        - load: film
        - queue: [film, other]
        - wait: 60s
        - expect: { content: { contains: nowhere } }
          within: 1s

      """
    let other = try Self.document(
      "scenario: Other\ndevice: TV\nsession: { leave: keep }\nsteps:\n  - load: https://cdn.example.com/\(secret).mp4\n"
    )
    let run = try KilledRun(
      try Self.document(text, environment: ["TOKEN": secret]), killed: [.at(.seconds(40))], other: isTaken ? other : nil
    ) { $0.secrets = Secrets(["token": secret]) }
    #expect(Self.hasEnded(run, .takenOver) == isTaken, "\(run.results)")
    for part in run.parts {
      let journal = String(decoding: part.journal, as: UTF8.self)
      #expect(!journal.contains(secret) && journal.contains("secret.token"), "\(journal)")
    }
  }
}
