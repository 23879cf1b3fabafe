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
}
