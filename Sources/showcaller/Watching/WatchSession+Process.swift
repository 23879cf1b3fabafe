import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Synchronization
import Workspace

extension WatchSession.World where Unreachable == CommandFailure {
  /// The network and the clocks of this process, and the device that the options name.
  static func ofProcess(
    _ device: DeviceOptions, _ settings: Settings, _ client: ClientConfiguration, times: TimeSources
  ) -> Self {
    Self(
      open: {
        do throws(CommandFailure) {
          let selector = try device.selector(settings)
          let search = device.search(settings, times: times, configuration: client)
          do throws(StepFailure) {
            let reached = try await search.connect(selector)
            return .success((reached.device, reached.opened))
          } catch {
            throw CommandFailure(reaching: error)
          }
        } catch {
          return .failure(error)
        }
      },
      access: LiveDevices.access(times: times, configuration: client), times: times,
      timeOfDay: { Terminal.timeOfDay }, random: { Double.random(in: 0...1) })
  }
}

extension WatchSession {
  /// The first Ctrl-C ends it from now on.
  /// - Parameter giveUp: Ends the process at the second one, even when its output is blocked.
  nonisolated func endOnSignals(orElse giveUp: @escaping @Sendable (Runner.Interruption) -> Never) async {
    let count = Atomic(0)
    await SignalWatch.begin { interruption in
      self.interrupt()
      if count.add(1, ordering: .relaxed).newValue == 2 { giveUp(interruption) }
    }
  }
}
