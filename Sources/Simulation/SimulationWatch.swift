package import CastReceiver
package import DeviceControl
package import ScenarioRunner

/// What somebody sees of a simulation besides what it tells: for searches and tests.
package struct SimulationWatch: Sendable {
  /// Everything that a virtual receiver receives and sends, with the time of the simulation. Called under a lock.
  package var message: (@Sendable (FoundDevice, ReceiverWireEvent, Duration) -> Void)?
  /// Each channel, connection and receiver that is made: all must be gone when the simulation is over.
  package var made: (@Sendable (any AnyObject & Sendable) -> Void)?

  /// Takes what goes wrong with the receivers to the events of a run.
  package var faults: FaultWatch?

  package init() {}
}
