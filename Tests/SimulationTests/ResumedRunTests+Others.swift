import ScenarioLanguage
import TestSupport
import Testing

@testable import RunReporting
@testable import ScenarioRunner

/// What a resumed run finds changed: another sender's media, tries that were over, devices that are off.
extension ResumedRunTests {
  private static let film =
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

  /// Whether a scenario ended with an error of this class.
  private static func hasEnded(_ run: KilledRun, _ error: ErrorClass) -> Bool {
    run.last.events.contains { event in
      if case .scenarioFinished(let finished) = event.kind { finished.error?.errorClass == error } else { false }
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
