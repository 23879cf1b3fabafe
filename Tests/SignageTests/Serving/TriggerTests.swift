import CastProtocol
import DeviceControl
import ScenarioLanguage
import Signage
import Simulation
import Testing

/// Interrupts that wait for something outside, on simulated receivers.
@Suite struct TriggerTests {
  private static let alarm = "triggers: { fire: { webhook: true } }\n"

  /// Serves a playlist while the trigger `fire` is fired between the given seconds.
  private static func serve(
    _ lines: String, fired: [ClosedRange<Int>], for length: Duration = .seconds(120)
  ) throws -> Serving {
    try Serving(alarm + lines, for: length) { simulation in
      simulation.beside = { stage in
        for stretch in fired {
          try? await stage.times.show.sleep(until: .seconds(stretch.lowerBound))
          stage.triggers.fire("fire", at: stage.unixTime())
          try? await stage.times.show.sleep(until: .seconds(stretch.upperBound))
          stage.triggers.clear("fire")
        }
      }
    }
  }

  @Test("An alarm cuts a film at once, goes on until it is cleared, and the film goes on where it was")
  func alarm() throws {
    let serving = try Self.serve(
      "program: [{ play: [x, a] }]\ninterrupts: [{ on: fire, play: [b, c], until: cleared, cut: immediately }]",
      fired: [20...55], for: .seconds(130))
    #expect(serving.plays.map(\.item).prefix(6) == ["x", "b", "c", "b", "c", "x"], "\(serving.records)")
    let (cut, rest) = (serving.plays[0], serving.plays[5])
    #expect(cut.endReason == .interrupted && abs(serving.seconds(cut.end) - 20) < 1, "at once")
    #expect(abs(serving.seconds(rest.start) - 55) < 2, "as soon as it is cleared")
    #expect(rest.endReason == .finished && abs(cut.shown + rest.shown - 60) < 4)
    #expect(serving.holes == [])
  }

  @Test("An alarm cuts what a clock has cut in, and an alarm below it waits")
  func precedence() throws {
    let serving = try Self.serve(
      """
      program: [{ play: [a] }]
      interrupts:
        - { at: "12:00:10", play: [y], cut: immediately }
        - { on: fire, play: [b], until: cleared, cut: immediately, then: next }
      """, fired: [20...40], for: .seconds(60))
    #expect(serving.plays.map(\.item).prefix(5) == ["a", "y", "b", "b", "a"], "\(serving.records)")
    #expect(abs(serving.seconds(serving.plays[1].end) - 20) < 1)
    #expect(serving.holes == [])
  }

  @Test("Without `until` an interrupt is shown once for each time the trigger fires")
  func once() throws {
    let serving = try Self.serve(
      "program: [{ play: [{ media: a, for: 20s }] }]\ninterrupts: [{ on: fire, play: [b] }]",
      fired: [5...70, 90...95], for: .seconds(130))
    #expect(serving.plays.map(\.item).filter { $0 == "b" }.count == 2, "\(serving.records)")
    #expect(serving.plays.map(\.item).prefix(3) == ["a", "b", "a"])
    #expect(abs(serving.seconds(serving.plays[1].start) - 20) < 2, "it waits for the item that is on")
    #expect(serving.holes == [])
  }

  @Test("What lasts for too long ends, and does not come back before it was cleared and fired again")
  func atMost() throws {
    let serving = try Self.serve(
      "program: [{ play: [a] }]\ninterrupts: [{ on: fire, play: [y], until: cleared, at_most: 15s, cut: immediately }]",
      fired: [10...60, 80...200], for: .seconds(120))
    let alarms = serving.plays.filter { $0.item == "y" }
    #expect(alarms.map { Int(serving.seconds($0.start).rounded()) } == [10, 80], "\(serving.records)")
    #expect(alarms.allSatisfy { abs($0.end - $0.start - 15) < 2 })
    #expect(serving.holes == [])
  }

  @Test("Quiet hours and the times of an interrupt win over a trigger")
  func quiet() throws {
    let quiet = try Self.serve(
      "program: [{ play: [a] }]\nquiet: { hours: 11:00-12:01 }\ninterrupts: [{ on: fire, play: [b], until: cleared }]",
      fired: [10...200], for: .seconds(90))
    #expect(abs(quiet.seconds(try #require(quiet.plays.first).start) - 60) < 2)
    #expect(quiet.plays.first?.item == "b", "it is still fired when they end")
    let closed = try Self.serve(
      """
      program: [{ play: [a] }]
      interrupts: [{ on: fire, play: [b], until: cleared, cut: immediately, during: { hours: 13:00-14:00 } }]
      """, fired: [10...50], for: .seconds(60))
    #expect(!closed.plays.contains { $0.item == "b" })
  }

  @Test("Where no rule is on a trigger has the screen all the same")
  func nothing() throws {
    let serving = try Self.serve(
      """
      program: [{ during: { hours: 20:00-21:00 }, play: [a] }]
      interrupts: [{ on: fire, play: [b], until: cleared }]
      """, fired: [30...50], for: .seconds(70))
    #expect(abs(serving.seconds(try #require(serving.plays.first).start) - 30) < 2)
    #expect(serving.holes == [])
  }

  @Test("A screen that starts again while an alarm lasts shows it, and a bell that rang before is not rung again")
  func restart() throws {
    let lines = """
      program: [{ play: [a] }]
      triggers: { fire: { webhook: true }, bell: { webhook: true } }
      interrupts: [{ on: fire, play: [b], until: cleared, cut: immediately }, { on: bell, play: [c] }]
      """
    let serving = try Serving(lines, for: .seconds(100)) { simulation in
      simulation.pauses = [.seconds(50) ..< .seconds(60)]
      simulation.beside = { stage in
        try? await stage.times.show.sleep(until: .seconds(5))
        stage.triggers.fire("bell", at: stage.unixTime())
        try? await stage.times.show.sleep(until: .seconds(30))
        stage.triggers.fire("fire", at: stage.unixTime())
        try? await stage.times.show.sleep(until: .seconds(80))
        stage.triggers.clear("fire")
        try? await stage.times.show.sleep(until: .seconds(100))
      }
    }
    #expect(serving.plays.filter { $0.item == "c" }.count == 1, "\(serving.records)")
    #expect(serving.plays.contains { $0.item == "b" && serving.seconds($0.start) >= 60 })
    #expect(serving.plays.last?.item == "a")
  }
}
