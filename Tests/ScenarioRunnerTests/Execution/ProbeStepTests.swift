import CastProtocol
import RunReporting
import ScenarioLanguage
import Synchronization
import Testing

@testable import ScenarioRunner

@Suite struct ProbeStepTests {
  private final class Calls: Sendable {
    private let calls = Mutex<[ProbeCall]>([])
    var all: [ProbeCall] { calls.withLock { $0 } }
    func take(_ call: ProbeCall) { calls.withLock { $0.append(call) } }
  }

  private static func text(_ step: String) -> String {
    """
    scenario: Probing
    device: Living Room TV
    vars: { host: cdn.example.com }
    media: { film: { url: "https://${host}/a.mp4", tracks: [{ id: en, url: https://e.com/en.vtt, language: en }] } }
    steps:
      - probe: \(step)
      - load: film

    """
  }

  @Test("A probe gets the addresses of the media and its tracks, and what to look at")
  func call() throws {
    let calls = Calls()
    let play = try Play(
      Self.text("film"),
      configure: {
        $0.probe = { call in
          calls.take(call)
          return nil
        }
      })
    #expect(play.outcome.exitCode == 0, "\(play.lines)")
    let call = try #require(calls.all.first)
    #expect(call.urls == ["https://cdn.example.com/a.mp4", "https://e.com/en.vtt"])
    #expect(call.looksAtCORS && call.asksForRange && call.limit > .zero && calls.all.count == 1)
  }

  @Test("Where a receiver would fail, the step fails with what it would fail over, before anything is loaded")
  func failure() throws {
    let play = try Play(
      Self.text("{ media: film, tracks: false, cors: false }"),
      configure: { $0.probe = { .init(message: "\($0.urls[0]): the server answers 404", help: "look at the address") } }
    )
    #expect(play.outcome.exitCode == 5)
    let text = play.lines.joined(separator: "\n")
    #expect(
      text.contains("probe_failed") && text.contains("https://cdn.example.com/a.mp4: the server answers 404"), "\(text)"
    )
    #expect(!text.contains("\"type\":\"LOAD\""))
  }

  @Test(
    "What is fetched has the values of secrets, and what is told has their names", arguments: ["4711", "long-enough"])
  func secret(value: String) throws {
    let calls = Calls()
    let play = try Play(
      Self.text("film").replacing("/a.mp4", with: "/a.mp4?k=${secret.key}") + "secrets: { key: { env: KEY } }\n",
      configure: {
        $0.secrets = Secrets(["key": value])
        $0.probe = { call in
          calls.take(call)
          return .init(message: "\(call.urls[0]): the server answers 403", help: nil)
        }
      })
    #expect(calls.all.first?.urls.first == "https://cdn.example.com/a.mp4?k=\(value)")
    let text = play.lines.joined(separator: "\n")
    #expect(text.contains("https://cdn.example.com/a.mp4?k=‹secret.key›: the server answers 403"), "\(text)")
    #expect(!text.contains(value), "\(text)")
  }

  @Test("Without a network there is nothing to be found")
  func simulated() throws {
    #expect(try Play(Self.text("film")).outcome.exitCode == 0)
  }
}
