package import CastClient
package import CastProtocol
import RunReporting
import ScenarioLanguage
import Synchronization

/// The device of a command and its connection: the first, until its session has to make another; and another device's,
/// where the command has to do with two.
package final class ConnectedDevices: Sendable {
  private struct State {
    var first: OpenedDevice?
    var connection: CastConnection
    var other: (device: FoundDevice, connection: CastConnection)?
  }

  package let device: FoundDevice
  /// What came of looking for the other device; `nil` where there is none.
  let other: Result<FoundDevice, RunError>?
  private let state: Mutex<State>

  init(_ reached: ReachedDevice, other: Result<FoundDevice, RunError>?) {
    device = reached.device
    self.other = other
    state = Mutex(State(first: reached.opened, connection: reached.opened.connection))
  }

  package var connection: CastConnection { state.withLock { $0.connection } }

  func takeFirst() -> OpenedDevice? {
    state.withLock { state in
      defer { state.first = nil }
      return state.first
    }
  }

  func note(_ connection: CastConnection, of device: FoundDevice, isFirst: Bool) {
    state.withLock { state in
      if isFirst { state.connection = connection } else { state.other = (device, connection) }
    }
  }

  /// What the device shows now.
  package func state(at times: TimeSources) async -> DeviceState {
    DeviceState(device: device, view: StatusView(await connection.snapshot, at: times.show.now))
  }

  /// The other device and what it shows now.
  package func other(at times: TimeSources) async -> DeviceState.Other? {
    guard let (device, connection) = state.withLock({ $0.other }) else { return nil }
    return DeviceState.Other(device: device, view: StatusView(await connection.snapshot, at: times.show.now))
  }
}
