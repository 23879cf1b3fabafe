package import CastProtocol

/// When the device of a simulation can be reached, and where.
package struct DevicePresence: Hashable, Sendable {
  /// From a time on the device has another address; the old one answers no more.
  package struct Move: Hashable, Sendable {
    /// Of the simulation.
    package var time: Duration
    package var address: HostAndPort

    package init(at time: Duration, to address: HostAndPort) {
      self.time = time
      self.address = address
    }
  }

  /// When the device does not answer connections, in the simulation's time.
  package var absences: [Range<Duration>] = []
  /// In the order of their times.
  package var moves: [Move] = []
  /// When discovery sees the device anew.
  package var reappearances: [Duration] = []

  package init() {}

  /// Where the device is by then; `nil`: where it was first.
  func address(at time: Duration) -> HostAndPort? { moves.last { time >= $0.time }?.address }

  /// Whether the device answers there by then.
  func answers(at address: HostAndPort, _ time: Duration) -> Bool {
    guard !absences.contains(where: { $0.contains(time) }) else { return false }
    return self.address(at: time).map { $0 == address } ?? true
  }
}
