import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import ScenarioRunner

/// `showcaller mute`: mutes the device, or not.
struct MuteCommand: OneLineCommand {
  static let configuration = CommandConfiguration(commandName: "mute", abstract: "Mute the device, or end that.")

  @Argument(help: ArgumentHelp("on, off or toggle; on by itself.", valueName: "on|off|toggle"))
  var state: Word?

  @OptionGroup var members: MemberOptions
  @OptionGroup var options: OneLineOptions

  func prepared(
    _ target: (device: FoundDevice, opened: OpenedDevice), _ settings: Settings, times: TimeSources,
    configuration: ClientConfiguration
  ) async throws(CommandFailure) -> (device: FoundDevice, opened: OpenedDevice) {
    try await members.device(
      of: target, options: options.device, settings, times: times, configuration: configuration)
  }

  func steps(timeout: Written?) -> [WrittenStep] {
    let value: Written =
      switch state?.text {
      case nil, "on", "toggle": .fixed("true")
      case "off": .fixed("false")
      case let word?: .word(word)
      }
    return [WrittenStep("mute", value, timeout: timeout)]
  }

  func settle(_ plan: inout Plan, on device: DeviceSnapshot) {
    guard state?.text == "toggle", !plan.steps.isEmpty else { return }
    plan.steps[0].action = .mute(device.receiver?.volume.muted != true)
  }
}
