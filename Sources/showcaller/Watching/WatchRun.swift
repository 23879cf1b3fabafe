import CastClient
import CastProtocol
import DeviceControl
import Glibc
import RunReporting
import ScenarioLanguage
import UnixSignals
import Workspace

/// A watch in this process, with its signals.
struct WatchRun {
  let device: DeviceOptions
  let settings: Settings
  let client: ClientConfiguration
  /// `nil`: until somebody ends it.
  let limit: Duration?

  /// Watches until it is over.
  func run(on display: WatchDisplay) async throws(CommandFailure) {
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    let world = WatchSession<CommandFailure>.World.ofProcess(device, settings, client, times: times)
    let session = WatchSession(world, timeouts: settings.timeouts, limit: limit, on: display)
    let signals = await UnixSignalsSequence(trapping: .sigwinch, .sigcont)
    await session.endOnSignals { _ in
      ScreenTerminal.leaveNow()
      _exit(0)
    }
    let following = Task {
      for await signal in signals {
        switch signal {
        case .sigwinch: session.resize()
        case .sigcont: session.returnToForeground()
        default: break
        }
      }
    }
    let end = await session.run()
    following.cancel()
    await following.value
    switch end {
    case .left: return
    case .unreachable(let failure): throw failure
    case .lost(let reason):
      throw CommandFailure(
        .failed, "the device was lost and did not come back: \(reason)",
        help: "without --timeout it is waited for", class: .connectionLost)
    }
  }
}
