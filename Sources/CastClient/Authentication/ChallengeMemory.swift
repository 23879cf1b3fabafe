import CastProtocol
import Synchronization

/// Which devices end the connection when they are asked for a proof, as long as this process lives.
///
/// A device that was connected to without the question right after is one. Where the connection is lost later, while its
/// proof is awaited, the network or a restart may be the reason: only the second time counts.
final class ChallengeMemory: Sendable {
  static let shared = ChallengeMemory()
  private static let limit = 4096

  private static let enough = 2

  private let losses = Mutex<[HostAndPort: Int]>([:])

  func closes(_ address: HostAndPort) -> Bool { losses.withLock { $0[address] ?? 0 >= Self.enough } }

  func note(_ address: HostAndPort) { add(Self.enough, to: address) }

  func noteLaterLoss(of address: HostAndPort) { add(1, to: address) }

  private func add(_ count: Int, to address: HostAndPort) {
    losses.withLock { losses in
      if losses.count < Self.limit || losses[address] != nil { losses[address] = min(losses[address] ?? 0, 1) + count }
    }
  }
}
