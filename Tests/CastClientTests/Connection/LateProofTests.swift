import CastTransport
import Testing

@testable import CastClient

@Suite struct LateProofTests {
  @Test("The end of the socket is kept while the proof is judged, the first one alone, and handed out once")
  func heldEnd() {
    var proof = LateProof()
    let isHeldBefore = proof.hold(.init(error: nil))
    #expect(!isHeldBefore, "nothing is judged")
    proof.beginJudging()
    let isHeld = proof.hold(.init(error: TransportError(.connectionLost, "first")))
    let isHeldAgain = proof.hold(.init(error: TransportError(.connectionLost, "second")))
    #expect(isHeld && isHeldAgain)
    let end = proof.endJudging()
    #expect(end?.error?.message == "first")
    let secondEnd = proof.endJudging()
    let isHeldAfter = proof.hold(.init(error: nil))
    #expect(secondEnd == nil && !isHeldAfter)
  }
}
