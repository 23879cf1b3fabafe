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

  private var sign: Double? {
    if level.text == "up" || level.text.hasPrefix("+") { return 1 }
    return level.text == "down" || level.text.hasPrefix("-") ? -1 : nil
  }

  private var written: Written {
    if level.text == "up" || level.text == "down" { return .fixed("5%") }
    return sign == nil ? .word(level.text) : .meant(text: String(level.text.dropFirst()), shown: level.text)
  }

  func steps(timeout: Written?) -> [WrittenStep] {
    var entries = [(key: "to", value: written)]
    if let over = Written(over) { entries.append(("over", over)) }
    return [WrittenStep("volume", .map(entries), timeout: timeout)]
  }

  func settle(_ plan: inout Plan, on device: DeviceSnapshot) throws {
    guard let sign, let step = plan.steps.first, case .volume(var action) = step.action,
      case .literal(let change) = action.level
    else { return }
    guard let volume = device.receiver?.volume, let level = volume.level else {
      throw CommandFailure(
        .failed, "the device does not tell its volume", help: "set a level, such as `showcaller volume 40%`")
    }
    // Less than one of the device's steps would change nothing.
    let least = change > 0 && volume.stepInterval != nil ? volume.step * 100 : 0
    action.level = .literal(max(0, min(100, level * 100 + sign * max(change, least))))
    plan.steps[0].action = .volume(action)
  }
}
