import CastClient
import CastProtocol
import DeviceControl
import Glibc
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Workspace

/// A recording in this process, with its signals.
struct RecordRun {
  let device: DeviceOptions
  let settings: Settings
  let client: ClientConfiguration
  /// `nil`: until somebody ends it, or the app ends.
  let limit: Duration?
  let stopsWithApp: Bool

  /// What was seen, and of which device.
  struct Recorded {
    var recorder: ScenarioRecorder
    var device: FoundDevice
  }

  /// Records until it is over.
  func run(telling output: RecordOutput) async throws(CommandFailure) -> Recorded {
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    let world = WatchSession<CommandFailure>.World.ofProcess(device, settings, client, times: times)
    let reader = RecordingReader(times: times.show, stopsWithApp: stopsWithApp) { output.tell($0) }
    let session = WatchSession(world, timeouts: settings.timeouts, limit: limit, on: .lines(reader))
    reader.whenOver { session.interrupt() }
    await session.endOnSignals { _exit($0.exit.rawValue) }
    let end = await session.run()
    let recorded = await reader.finish()
    if case .unreachable(let failure) = end { throw failure }
    guard let recorded else {
      throw CommandFailure(.failed, "the device was not connected yet", help: "nothing was recorded")
    }
    return Recorded(recorder: recorded.0, device: recorded.1)
  }
}
