import CastProtocol
import CastTransport

/// The device's proof, which may come after the connection is open.
extension ConnectionStateMachine {
  /// Ends with the device's proof once that has come, or will not come any more.
  mutating func awaitProof(token: Int) {
    if isOpen, operations.contains(where: { $0.machine.bringsProof }) {
      proof.wait(token: token)
    } else {
      finish(token, .success(.opened(proof.report)))
    }
  }

  /// The proof that was handed out to be judged is worth this.
  mutating func judged(_ report: DeviceAuthReport) {
    let end = proof.endJudging()
    for operation in operations where operation.machine.bringsProof { deliver(.judged(report), to: operation.token) }
    if let end { channelClosed(end.error) }
  }

  /// The token of the operation that waits for a late proof; callers' begin at 1.
  static let proofToken = 0

  /// Notes what the device's proof is worth, and tells those who wait for it.
  mutating func settle(_ report: DeviceAuthReport?) {
    proof.note(report)
    guard report != nil else { return }
    endWaitsForProof()
  }

  mutating func endWaitsForProof() {
    for token in proof.takeWaiting() { add(.finish(token: token, .success(.opened(proof.report)))) }
  }
}
