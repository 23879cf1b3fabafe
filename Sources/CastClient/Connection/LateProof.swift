import CastTransport

/// What the device's proof is worth, and who waits for one that comes after the connection was opened.
struct LateProof: Sendable {
  /// That the socket has closed, and why, where that is known.
  struct SocketEnd: Sendable {
    var error: TransportError?
  }

  /// `nil`: none was asked, or it is not there yet.
  private(set) var report: DeviceAuthReport?
  private var waiting: [Int] = []
  /// Whether a proof is being judged.
  private(set) var isBeingJudged = false
  /// The end of the socket that came while the proof was judged.
  private var heldEnd: SocketEnd?

  mutating func wait(token: Int) { waiting.append(token) }

  /// Whether `token` waited; it no longer does.
  mutating func remove(token: Int) -> Bool {
    guard let index = waiting.firstIndex(of: token) else { return false }
    waiting.remove(at: index)
    return true
  }

  mutating func note(_ report: DeviceAuthReport?) { self.report = report }

  /// A proof was handed out to be judged.
  mutating func beginJudging() { isBeingJudged = true }

  /// Keeps the end of the socket until the proof is judged: a device may leave once it has proven itself.
  /// - Returns: Whether it is kept; `false` where no proof is being judged.
  mutating func hold(_ end: SocketEnd) -> Bool {
    if isBeingJudged, heldEnd == nil { heldEnd = end }
    return isBeingJudged
  }

  /// The proof is judged.
  /// - Returns: The end of the socket that came meanwhile.
  mutating func endJudging() -> SocketEnd? {
    isBeingJudged = false
    return heldEnd.take()
  }

  /// Removes and returns those who wait.
  mutating func takeWaiting() -> [Int] {
    defer { waiting = [] }
    return waiting
  }
}
