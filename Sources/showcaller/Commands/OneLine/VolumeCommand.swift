import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// `showcaller volume`: the device's volume, to a level or by some percent points.
struct VolumeCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume", abstract: "Set the device's volume.",
    usage: "showcaller volume <level> [--over <duration>] [<options>]",
    discussion: "Such as 40%; +5% and -5% go from what it is, and so do up and down, by 5%.")

  @Argument(
    help: "0% to 100%, with a sign by how much to change it, up or down.",
    completion: .list(["up", "down", "+5%", "-5%", "40%"]))
  var level: Word

  @Option(help: ArgumentHelp("How long the way to the level takes, such as 3s.", valueName: "duration"))
  var over: Word?

  @OptionGroup var members: MemberOptions
  @OptionGroup var options: OneLineOptions

  func prepared(
    _ target: (device: FoundDevice, opened: OpenedDevice), _ settings: Settings, times: TimeSources,
    configuration: ClientConfiguration
  ) async throws(CommandFailure) -> (device: FoundDevice, opened: OpenedDevice) {
    try await members.device(
      of: target, options: options.device, settings, times: times, configuration: configuration)
  }

  /// How far `up` and `down` go, in percent points.
  private static let stride = 5.0

  /// By how many percent points it changes; `nil`: it is set.
  private func change(_ reader: inout CommandReader) -> Double? {
    switch level.text {
    case "up": Self.stride
    case "down": -Self.stride
    default: level.hasSign ? reader.change(level.text, of: "volume") : nil
    }
  }

  func read(_ reader: inout CommandReader) {
    let change = change(&reader)
    let isChange = change != nil || level.hasSign
    var entries = [(key: "to", value: isChange ? .fixed("0%") : level.value)]
    if let over { entries.append(("over", over.value)) }
    reader.add("volume", .map(entries))
    guard let change, let step = reader.steps.first, case .volume(var action) = step.action else { return }
    action.level = .literal(change)
    reader.steps[0].action = .volume(action)
  }

  func settle(_ steps: inout [Plan.Step], on view: StatusView) throws(StepFailure) {
    let isChange = level.hasSign || ["up", "down"].contains(level.text)
    guard isChange, let step = steps.first, case .volume(var action) = step.action,
      case .literal(let change) = action.level
    else { return }
    guard let volume = view.snapshot.receiver?.volume, let level = volume.level else {
      throw StepFailure(
        .invalidState, "the device does not tell its volume", help: "set a level, such as `showcaller volume 40%`")
    }
    // Less than one of the device's steps would change nothing.
    let least = change != 0 && volume.stepInterval != nil ? volume.step * 100 : 0
    let distance = max(abs(change), least)
    action.level = .literal(max(0, min(100, level * 100 + (change < 0 ? -distance : distance))))
    steps[0].action = .volume(action)
  }
}
