package import CastClient
package import CastProtocol

/// The connection to one device, and what is known of it: a value that the session alone changes.
package struct DeviceLink: Sendable {
  package private(set) var connection: CastConnection?
  /// Which connection it is, from 1; 0 before the first.
  package private(set) var number = 0
  /// Whether a first RECEIVER_STATUS has come.
  package var wasConnected: Bool { number > 0 }
  /// When the connection broke, until it is back.
  package private(set) var lostAt: Duration?
  package private(set) var wasDisconnectedByUs = false
  /// The state as of the last observation, also after the connection is gone.
  package private(set) var snapshot = DeviceSnapshot()
  /// The number of the last observation that was reported and judged.
  package private(set) var observed = 0

  package init() {}

  /// Whether there is a connection that is not known to be broken.
  package var isOpen: Bool { connection != nil && lostAt == nil }

  /// - Parameter seen: The last observation that was made before this session, which does not count.
  package mutating func open(_ connection: CastConnection, seen: Int) {
    self.connection = connection
    number += 1
    observed = seen
    wasDisconnectedByUs = false
  }

  /// - Returns: When the connection was lost that is back now; `nil` where none was.
  package mutating func endLoss() -> Duration? {
    defer { lostAt = nil }
    return lostAt
  }

  package mutating func set(_ snapshot: DeviceSnapshot) { self.snapshot = snapshot }

  package mutating func receive(_ observation: Observation) {
    observed = observation.number
    snapshot = observation.snapshot
  }

  package mutating func recordLoss(at time: Duration) { lostAt = time }

  /// The document closes it: its end is no loss.
  package mutating func recordOwnDisconnect() { wasDisconnectedByUs = true }

  package mutating func close() {
    connection = nil
    snapshot.isConnected = false
  }
}
