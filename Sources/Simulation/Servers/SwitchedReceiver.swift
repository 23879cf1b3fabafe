import CastProtocol
import CastReceiver
import RunReporting

/// A virtual receiver on loopback that can be switched off and on again: it comes back at its address, and remembers
/// nothing.
actor SwitchedReceiver {
  private let configuration: ReceiverConfiguration
  private let times: TimeSources
  /// Where it listens, whether it is on or off.
  nonisolated let port: Int
  private var running: RunningReceiver?
  private var cuts = 0

  /// Starts one on a free port.
  init(_ configuration: ReceiverConfiguration, times: TimeSources) async throws(ReceiverServerError) {
    let first = try await Self.start(configuration, port: 0, times)
    self.configuration = configuration
    self.times = times
    port = first.port
    running = first
  }

  private static func start(
    _ configuration: ReceiverConfiguration, port: Int, _ times: TimeSources
  ) async throws(ReceiverServerError) -> RunningReceiver {
    do {
      return try await .start(configuration, hosts: ["127.0.0.1"], port: port, times: times)
    } catch {
      let help = port == 0 ? error.help : "something else listens there by now"
      throw ReceiverServerError(.noDevice, "the virtual receiver could not start: \(error.message)", help: help)
    }
  }

  /// Where it listens by now: a fault may have it start again at another port.
  var currentPort: Int {
    guard let port = running?.port, port > 0 else { return port }
    return port
  }

  /// Closes its connections, and nobody answers at its address; nothing where it is off.
  func switchOff() async {
    guard let last = running else { return }
    running = nil
    cuts += 1
    await last.stop()
  }

  /// Nothing where it is on.
  /// - Throws: Where something else has taken its port meanwhile.
  func switchOn() async throws(ReceiverServerError) {
    if running != nil { return }
    let next = try await Self.start(configuration.afterPowerCuts(cuts), port: port, times)
    // Somebody else may have switched it on while this one started.
    if running == nil { running = next } else { await next.stop() }
  }
}
