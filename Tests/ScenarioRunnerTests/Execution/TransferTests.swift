import CastProtocol
import ScenarioLanguage
import Synchronization
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// `transfer`: what plays on one device goes on on another.
@Suite struct TransferTests {
  private func play(_ steps: String, seed: UInt64 = 0, latency: ClosedRange<Duration>? = nil) throws -> Play {
    try Play(SeveralDevicesTests.story(steps), seed: seed, latency: latency, configure: { $0.includesWire = true })
  }

  private func passing(_ steps: String) throws -> [Play] {
    try [(0, nil), (4, .zero ... .milliseconds(60)), (8, .milliseconds(20) ... .milliseconds(300))]
      .map { (seed: Int, latency: ClosedRange<Duration>?) in
        let play = try play(steps, seed: UInt64(seed), latency: latency)
        let wrong = play.lines.filter { $0.contains("attempt.failed") || $0.contains("expect.failed") }
        #expect(play.outcome.exitCode == 0, "\(play.results) \(wrong)")
        return play
      }
  }

  private func sent(_ play: Play, _ device: String) -> [String] {
    play.events(.request).filter { $0.device == device }.compactMap { $0.fields["msg"]?["type"]?.string }
  }

  @Test("Content, position and rate go along, the volume does not, and the source stops after the target plays")
  func media() throws {
    let plays = try passing(
      """
        - { volume: 30%, role: left }
        - { load: film, role: left }
        - { seek: 2m, role: left }
        - { rate: 1.5, role: left }
        - { wait: 10s, role: left }
        - { transfer: right, role: left }
        - { expect: { player: playing, title: Film, rate: 1.5, position: { about: 2m15s, tolerance: 3s } }, role: right, within: 0s }
        - { expect: { volume: { level: { above: 50% } } }, role: right, within: 0s }
        - { expect: { player: idle }, role: left, within: 0s }
      """)
    for play in plays {
      let events = play.events.map { ($0.device ?? "", $0.fields["msg"]?["type"]?.string ?? "", $0) }
      let stop = try #require(events.lastIndex { $0.0 == "bar-left" && $0.1 == "STOP" && $0.2.fields["ns"] == "media" })
      let playing = try #require(
        events.firstIndex { $0.0 == "bar-right" && $0.2.type == .status && $0.2.fields["set"]?["player"] == "playing" })
      #expect(playing < stop)
      #expect(!sent(play, "bar-right").contains("SET_VOLUME"))
    }
  }

  @Test("What is paused stays paused, and stop_source: false leaves the source as it is")
  func paused() throws {
    _ = try passing(
      """
        - { load: film, role: left }
        - { seek: 1m, role: left }
        - { pause: {}, role: left }
        - { transfer: { to: right, stop_source: false }, role: left }
        - { expect: { player: paused, position: { about: 1m } }, role: right, within: 0s }
        - { expect: { player: paused }, role: left, within: 0s }
      """)
  }

  @Test("A queue goes along with its order, the item that plays and the repeat mode")
  func queue() throws {
    _ = try passing(
      """
        - { queue: { items: [photo, film, photo], start_at: 2, repeat: all }, role: left }
        - { seek: 30s, role: left }
        - { transfer: right, role: left }
        - { expect: { title: Film, repeat: all, position: { about: 30s, tolerance: 3s } }, role: right, within: 0s }
        - { queue_jump: next, role: right }
        - { expect: { title: Photo }, role: right }
        - { queue_jump: next, role: right }
        - { expect: { title: Photo }, role: right }
        - { queue_jump: next, role: right }
        - { expect: { title: Film }, role: right }
      """)
  }

  @Test("A device that is no role is found, connected and left like the others")
  func device() throws {
    let text = """
      scenario: Move
      device: Living Room TV
      media: { film: { url: https://cdn.example.com/film.mp4, duration: 10m } }
      steps: [{ load: film }, { transfer: Kitchen }, { expect: { player: idle }, within: 0s }]
      """
    let play = try Play(text)
    #expect(play.outcome.exitCode == 0, "\(play.lines.suffix(8))")
    #expect(play.events(.deviceConnected).compactMap(\.device) == ["living-room-tv", "kitchen"])
  }

  @Test("What an app shows is taken along where it does not answer for its queue")
  func withoutQueue() throws {
    let peers = Mutex<[FaultyDevice]>([])
    let play = try Play(
      SeveralDevicesTests.story(
        """
          - { load: film, role: left }
          - { transfer: { to: right, stop_source: false }, role: left, timeout: 60s }
          - { expect: { player: playing, content: "https://cdn.example.com/film.mp4" }, role: right, within: 0s }
        """),
      accept: { channel, times in
        // Neither answers QUEUE_GET_ITEM_IDS.
        let peer = FaultyDevice(.ignores(["QUEUE_GET_ITEM_IDS"]))
        peers.withLock { $0.append(peer) }
        peer.serve(channel, times)
      }, configure: { $0.includesWire = true })
    #expect(peers.withLock { $0.map { $0.received("QUEUE_GET_ITEM_IDS") } } == [1, 0])
    #expect(sent(play, "bar-right").contains("LOAD"), "\(play.results)")
    #expect(play.results.contains("s3 passed"), "\(play.lines.filter { $0.contains("failed") })")
  }

  @Test("Where nothing plays there is nothing to transfer")
  func nothing() throws {
    let play = try play("  - { launch: default, role: left }\n  - { transfer: right, role: left }")
    #expect(play.errorClass(of: "s2") == "invalid_state" && play.outcome.exitCode == 5)
  }

  @Test("When the other device cannot, this one plays on")
  func refused() throws {
    let play = try play(
      """
        - { load: film, role: left }
        - { disconnect: {}, role: right }
        - { transfer: right, role: left, if_fails: continue }
        - { expect: { player: playing }, role: left, within: 0s }
      """)
    #expect(play.results.contains("s3 error") && play.results.contains("s4 passed"), "\(play.results)")
    #expect(!play.events(.request).contains { $0.fields["msg"]?["type"] == "STOP" && $0.fields["ns"] == "media" })
  }
}
