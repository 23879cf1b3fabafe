import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// `expect_together`: several devices at the same time.
@Suite struct TogetherTests {
  private func play(_ steps: String, seed: UInt64 = 0, latency: ClosedRange<Duration>? = nil) throws -> Play {
    try Play(SeveralDevicesTests.story(steps), seed: seed, latency: latency)
  }

  @Test("Devices that do the same at once are together, also over slow links")
  func together() throws {
    let steps = """
        - { load: film, role: all }
        - expect_together: { roles: [left, right], that: { player: playing, title: Film }, skew: 900ms }
      """
    for (seed, latency) in [(0, nil), (5, .zero ... .milliseconds(80))] as [(UInt64, ClosedRange<Duration>?)] {
      let play = try play(steps, seed: seed, latency: latency)
      #expect(play.outcome.exitCode == 0, "\(play.lines.suffix(6))")
      let passed = try #require(play.events(.expectPassed).first)
      #expect(passed.fields["got"]?["left"]?["title"] == "Film" && passed.fields["skew"] != nil)
    }
  }

  @Test("It waits until the last device is there, and positions count between statuses")
  func waits() throws {
    let play = try play(
      """
        - { load: film, role: all }
        - expect_together: { roles: [left, right], that: { position: { min: 8s } }, skew: 100ms }
          within: 10s
      """)
    #expect(play.outcome.exitCode == 0, "\(play.lines.suffix(4))")
    let length = play.events(.stepFinished, step: "s2").first?.fields["duration"]?.number ?? 0
    #expect(abs(length - 8) < 0.2, "\(length)")
  }

  @Test("Devices that came to it too far apart are not together, and the failure says by how much")
  func skew() throws {
    let play = try play(
      """
        - parallel:
            - { name: left, role: left, steps: [{ load: film }] }
            - { name: right, role: right, steps: [{ wait: 2s }, { load: film }] }
        - expect_together: { roles: [left, right], that: { player: playing } }
        - expect_together: { roles: [left, right], that: { position: { min: 4s } }, skew: 300ms }
          within: 8s
      """)
    #expect(play.outcome.exitCode == 1)
    let failed = try #require(play.events(.expectFailed).first)
    let remark = failed.fields["remark"]?.string ?? ""
    #expect(remark.hasPrefix("entered 2s apart, at most 300ms is allowed: left +0s, right +2s"), "\(remark)")
    #expect(play.events(.expectPassed).count == 1)
  }

  @Test("A device that never comes to it is named with what it says")
  func missing() throws {
    let play = try play(
      """
        - { load: film, role: left }
        - expect_together: { roles: [left, right], that: { player: playing } }
          within: 2s
      """)
    #expect(play.outcome.exitCode == 1)
    let remark = play.events(.expectFailed).first?.fields["remark"]?.string
    #expect(remark == "right: player: expected playing, observed idle")
    let length = play.events(.stepFinished, step: "s2").first?.fields["duration"]?.number ?? 0
    #expect(length >= 2 && length < 2.5)
  }
}
