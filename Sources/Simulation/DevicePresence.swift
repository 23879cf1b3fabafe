package import CastProtocol

/// When a device of a simulation can be reached, and where.
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

  /// When the device does not answer new connections, in the simulation's time; open ones stay as they are.
  package var absences: [Range<Duration>] = []
  /// In the order of their times.
  package var moves: [Move] = []
  /// When discovery sees the device anew.
  package var reappearances: [Duration] = []

  /// When the device has no power, in order and apart. What is connected when one begins hears no more of the device,
  /// not even an end; when one ends the device is seen anew, and has forgotten everything.
  package var powerCuts: [Range<Duration>] = []

  package init() {}

  /// Where the device is by then; `nil`: where it was first.
  func address(at time: Duration) -> HostAndPort? { moves.last { time >= $0.time }?.address }

  /// Whether the device answers there by then.
  func answers(at address: HostAndPort, _ time: Duration) -> Bool {
    guard hasPower(at: time), !absences.contains(where: { $0.contains(time) }) else { return false }
    return self.address(at: time).map { $0 == address } ?? true
  }

  // MARK: Power

  func hasPower(at time: Duration) -> Bool { cut(at: time) == nil }

  /// The power cut that is on by then.
  func cut(at time: Duration) -> Range<Duration>? { powerCuts.first { $0.contains(time) } }

  /// When the power is cut the next time.
  func nextCut(after time: Duration) -> Duration? { powerCuts.map(\.lowerBound).filter { $0 > time }.min() }

  /// How often the power was cut and came back by then.
  func cuts(before time: Duration) -> Int { powerCuts.count { $0.upperBound <= time } }

  /// When discovery sees the device anew, in order.
  var sightings: [Duration] { (reappearances + powerCuts.map(\.upperBound)).sorted() }
}
