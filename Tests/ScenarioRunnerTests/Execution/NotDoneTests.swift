import CastClient
import CastProtocol
import ScenarioLanguage
import Simulation
import Synchronization
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// What a device does not do is no pass, and what is told says what there is instead.
@Suite struct NotDoneTests {
  private static let film = """
    media:
      film:
        url: https://cdn.example.com/film.mp4
        tracks: [{ id: en, kind: text, language: en, url: https://cdn.example.com/en.vtt }]
    """

  private static func play(_ behaviour: FaultyDevice.Behaviour, _ steps: String...) throws -> Play {
    let peer = FaultyDevice(behaviour)
    return try Play(
      "scenario: N\ndevice: TV\n\(film)\nsteps:\n" + steps.map { "  - \($0)\n" }.joined(),
      accept: { peer.serve($0, $1) })
  }

  private func message(_ play: Play) -> String {
    play.events(.attemptFailed).last?.fields["error"]?["message"]?.string ?? ""
  }

  @Test("A text style that nobody answers is a timeout; one that is answered and not echoed is a warning")
  func style() throws {
    let silent = try Self.play(.ignores(["EDIT_TRACKS_INFO"]), "load: film", "text_style: { size: 150% }")
    #expect(silent.outcome.exitCode == 6 && silent.errorClass(of: "s2") == "timeout", "\(silent.results)")
    let polite = try Self.play(.ignores([]), "load: film", "text_style: { size: 150% }")
    #expect(polite.outcome.exitCode == 0, "\(polite.lines.suffix(5))")
    #expect(polite.events(.diagnostic).contains { $0.fields["severity"] == "warning" })
  }

  @Test("Subtitles that a load asked for and that are not on are no pass; some devices tell of them late")
  func subtitles() throws {
    let load = "load: { media: film, tracks: [en] }\n    timeout: 20s"
    let late = try Self.play(.tracks([1], after: .seconds(3)), load)
    #expect(late.outcome.exitCode == 0, "\(late.lines.suffix(5))")
    for (tracks, text) in [([], "none is on"), ([7], "on are [7]"), (nil, "the app names none")] as [([Int]?, String)] {
      let play = try Self.play(.tracks(tracks, after: .zero), load)
      #expect(play.outcome.exitCode == 6, "\(play.results)")
      #expect(message(play).contains("waited for the active tracks to be [en]; \(text)"), "\(message(play))")
    }
    let accepted = try Self.play(.tracks([], after: .zero), "load: { media: film, tracks: [en], until: accepted }")
    #expect(accepted.outcome.exitCode == 0)
  }

  @Test("What an app that keeps its media session said of the tracks of an earlier load counts for no later one")
  func keptTracks() throws {
    let load = "load: { media: film, tracks: [en] }\n    timeout: 20s"
    let play = try Self.play(.firstLoadHasTracks, load, load)
    #expect(play.results.first == "s1 passed" && play.outcome.exitCode == 6, "\(play.results)")
    #expect(message(play).contains("none is on"), "\(message(play))")
  }

  @Test("A command whose effect does not come says how things are")
  func state() throws {
    let seek = try Self.play(.ignores([]), "load: film", "seek: 2m\n    timeout: 20s")
    #expect(
      message(seek).hasPrefix("no reply to SEEK; it is ") && message(seek).hasSuffix("s, playing"), "\(message(seek))")
    let rate = try Self.play(.ignores([]), "load: film", "rate: 2\n    timeout: 20s")
    #expect(message(rate).hasPrefix("no reply to SET_PLAYBACK_RATE; it is 1"), "\(message(rate))")
    let pause = try Self.play(.ignores([]), "load: film", "pause: {}\n    timeout: 20s")
    #expect(message(pause) == "no reply to PAUSE; the player is playing", "\(message(pause))")
  }

  @Test("A LOAD_FAILED that comes with the loading status is the end of the load")
  func loadFailed() throws {
    let play = try Self.play(.failsLoad, "load: film\n    timeout: 20s")
    #expect(play.outcome.exitCode == 5 && play.errorClass(of: "s1") == "load_failed", "\(play.lines.suffix(5))")
    #expect(play.events(.attemptFailed).first.map { $0.elapsed < 1 } == true)
  }

  @Test("An app that lists no namespaces is not recommended to be launched again, and has one class")
  func nameless() throws {
    for steps in [
      ["load: film\n    timeout: 20s"], ["launch: { app: A1B2C3D4 }", "load: { media: film, app: A1B2C3D4 }"],
    ] {
      let peer = FaultyDevice(.nameless)
      let play = try Play(
        "scenario: N\ndevice: TV\n\(Self.film)\nsteps:\n" + steps.map { "  - \($0)\n" }.joined(),
        accept: { peer.serve($0, $1) })
      let error = play.events(.attemptFailed).last?.fields["error"]
      #expect(error?["class"] == "invalid_state", "\(play.lines.suffix(4))")
      #expect(message(play).contains("lists no namespaces"), "\(message(play))")
      #expect(error?["help"]?.string?.contains("CC1AD845") != true)
    }
  }

  @Test("A document's limits of connecting and of replies are those of its connections")
  func limits() throws {
    let plan = try Play.plan(
      "scenario: L\ndevice: TV\ndefaults: { timeout: { connect: 1s, reply: 2s } }\nsteps: [{ log: a }]\n")
    let executor = SimulationExecutor(seed: 0)
    let network = SimulatedNetwork(executor: executor, seed: 0)
    let seen = Mutex<FoundDevice?>(nil)
    _ = try executor.run { _ in
      let access = DeviceAccess(
        find: { _, _ throws(RunError) in
          [FoundDevice(name: "TV", address: HostAndPort(host: "192.0.2.1"), via: .mdns)]
        },
        connect: { device, _ throws(ClientError) in
          seen.withLock { $0 = device }
          throw ClientError(.unreachable, "nobody there")
        })
      return await Runner.run(
        plan, on: access, times: network.times,
        configuration: RunConfiguration(runID: "T", toolVersion: "0", wallClock: { 0 }),
        interruptions: AsyncStream { $0.finish() }, reportingTo: RecordingSink())
    }
    let device = try #require(seen.withLock { $0 })
    #expect(device.connectTimeout == .seconds(1) && device.replyTimeout == .seconds(2))
  }

  @Test("A rule that is broken before anything was loaded says so")
  func ruleBeforeLoad() throws {
    let play = try Play(
      "scenario: R\ndevice: TV\nwatch: [{ name: Plays, never: { player: idle } }]\n\(Self.film)\nsteps: [{ load: film }]\n"
    )
    let broken = try #require(play.events(.monitorFailed).first)
    #expect(broken.fields["remark"]?.string?.contains("nothing was loaded yet") == true, "\(broken.fields)")
    let later = try Play(
      "scenario: R\ndevice: TV\nwatch: [{ name: Plays, never: { player: idle, idle_reason: { exists: true } } }]\n\(Self.film)\n"
        + "steps: [{ load: film }, { wait: 2s }, { stop: {} }, { wait: 1s }]\n")
    #expect(later.events(.monitorFailed).map { $0.fields["remark"] } == [nil])
    #expect((later.events(.monitorFailed).first?.elapsed ?? 0) >= 2)
  }

  @Test("A connection that breaks says which request was not answered")
  func brokenRequest() throws {
    let play = try Self.play(.closesAfterLaunch(.seconds(2)), "load: film", "wait: 1s", "pause: {}\n    timeout: 20s")
    #expect(play.errorClass(of: "s3") == "connection_lost")
    #expect(message(play).hasSuffix("; PAUSE was not answered"), "\(message(play))")
  }
}
