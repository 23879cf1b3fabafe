import Signage
import Testing

@Suite struct PaceTests {
  @Test("Decisions that follow each other at once wait a second each time the fourth comes; others never")
  func waits() {
    var pace = Pace()
    #expect(
      (0..<9).map { pace.wait(at: .milliseconds($0)) != nil } == [
        false, false, false, false, true, true, true, true, true,
      ])
    var calm = Pace()
    #expect((0..<100).allSatisfy { calm.wait(at: .milliseconds($0 * 60)) == nil })
    // A pause begins anew.
    #expect(pace.wait(at: .seconds(2)) == nil && pace.wait(at: .seconds(2)) == nil)
  }

  @Test("Connections that break at once are made again after 0, 1, 2, 4 ... 30 s; a good one begins anew")
  func returns() {
    var pace = ReturnPace()
    var time = Duration.zero
    let waits = (0..<9).map { _ in
      pace.connected(at: time)
      time += .milliseconds(200)
      let wait = pace.wait(afterLossAt: time)
      time += wait ?? .zero
      return wait
    }
    #expect(
      waits == [
        nil, .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(30), .seconds(30), .seconds(30),
      ])
    pace.connected(at: time)
    #expect(pace.wait(afterLossAt: time + .seconds(10)) == nil)
    pace.connected(at: time + .seconds(11))
    #expect(pace.wait(afterLossAt: time + .seconds(12)) == nil)
  }
}
