import CastClient
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization
import Workspace

/// Does what keys ask, as the one-line commands do it, over the connection that watches.
struct WatchRemote: Sendable {
  let settings: Settings
  let device: FoundDevice
  let selector: Plan.DeviceSelector
  let times: TimeSources

  /// - Returns: Why it could not be done.
  func run(_ command: RemoteCommand, over connection: CastConnection) async -> String? {
    let document = CommandDocument([Self.step(command)], timeouts: settings.timeouts, arguments: [])
    guard var plan = try? document.compile() else { return "the command is wrong" }
    plan.device = selector
    plan.takeover = .ignore
    var configuration = RunConfiguration(
      runID: "", toolVersion: ShowcallerCommand.version, wallClock: Surroundings.process.unixTime)
    configuration.joinsRunningApp = true
    configuration.borrowsConnection = true
    let isFirst = Mutex(true)
    let access = DeviceAccess(
      find: { [device] _, _ throws(RunError) in [device] },
      connect: { _, _ throws(ClientError) in
        // A lost device is reached again by the one who watches.
        let isAllowed = isFirst.withLock { first in
          defer { first = false }
          return first
        }
        guard isAllowed else { throw ClientError(.connectionLost, "the device is lost") }
        return OpenedDevice(connection: connection, latency: .zero)
      })
    let report = OneLineReport()
    let outcome = await Runner.run(
      plan, on: access, times: times, configuration: configuration, interruptions: AsyncStream { $0.finish() },
      reportingTo: report)
    guard outcome.exitCode != 0 else { return report.warnings.first }
    return report.error?["message"]?.string ?? "the command failed"
  }

  private static func step(_ command: RemoteCommand) -> WrittenStep {
    switch command {
    case .play: WrittenStep("play")
    case .pause: WrittenStep("pause")
    case .seek(let seconds):
      WrittenStep("seek", .map([("by", .fixed("\(seconds < 0 ? "-" : "+")\(abs(seconds).decimals(3))s"))]))
    case .seekToStart: WrittenStep("seek", .map([("to", .fixed("start"))]))
    case .volume(let level): WrittenStep("volume", .map([("to", .fixed("\(level.decimals(2))%"))]))
    case .mute(let isMuted): WrittenStep("mute", .fixed(isMuted ? "true" : "false"))
    case .tracks(let ids): WrittenStep("tracks", .list(ids.map { .fixed(String($0)) }))
    case .rate(let rate): WrittenStep("rate", .map([("to", .fixed(rate.decimals(2)))]))
    case .skipAd: WrittenStep("skip_ad")
    case .next: WrittenStep("queue_jump", .fixed("next"))
    case .previous: WrittenStep("queue_jump", .fixed("previous"))
    case .stop: WrittenStep("stop")
    }
  }
}
