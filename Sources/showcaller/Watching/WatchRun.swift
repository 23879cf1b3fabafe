import CastClient
import CastProtocol
import DeviceControl
import Glibc
import RunReporting
import ScenarioLanguage
import Synchronization
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
    let world = WatchSession<CommandFailure>.World(
      open: { [device, settings, client] in
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
    let session = WatchSession(world, timeouts: settings.timeouts, limit: limit, on: display)
    let signals = await UnixSignalsSequence(trapping: .sigwinch, .sigcont)
    let count = Atomic(0)
    await SignalWatch.begin { _ in
      session.interrupt()
      // The second Ctrl-C ends the watch at once, even when its output is blocked.
      guard count.add(1, ordering: .relaxed).newValue == 2 else { return }
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
