import CastClient
import CastProtocol
import DeviceControl
import ScenarioRunner
import Simulation

/// What the runs of a process share with what else it does.
struct RunStage: Sendable {
  var times: TimeSources
  /// Unix time by that clock.
  var unixTime: @Sendable () -> Double
  /// How fast it runs; `nil`: as fast as the world's.
  var speed: Double?
  /// The virtual receivers, which stay; `nil`: devices are real.
  var servers: VirtualDeviceServers?
  /// Tells what goes wrong with ``servers``.
  var faults: FaultWatch?
  /// Gets devices from the screens of this process.
  var lending: DeviceLending?
  /// Gets the few lines that a run tells at its end.
  var tell: @Sendable (_ text: String, _ isVerdict: Bool) -> Bool
}
