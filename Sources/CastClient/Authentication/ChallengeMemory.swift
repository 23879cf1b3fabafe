import CastProtocol
import Synchronization

/// Which devices end the connection when they are asked for a proof, as long as this process lives.
final class ChallengeMemory: Sendable {
  static let shared = ChallengeMemory()
  private static let limit = 4096

  private let closing = Mutex<Set<HostAndPort>>([])

  func closes(_ address: HostAndPort) -> Bool { closing.withLock { $0.contains(address) } }

  func note(_ address: HostAndPort) {
    closing.withLock { closing in
      if closing.count < Self.limit { closing.insert(address) }
    }
  }
}
