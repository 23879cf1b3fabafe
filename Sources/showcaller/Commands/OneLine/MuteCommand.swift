import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// `showcaller mute`: mutes the device, or not.
struct MuteCommand: OneLineCommand {
  static let configuration = CommandConfiguration(commandName: "mute", abstract: "Mute the device, or end that.")

  @Argument(
    help: ArgumentHelp("on, off or toggle; on by default.", valueName: "on|off|toggle"),
    completion: .list(["on", "off", "toggle"]))
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

  func read(_ reader: inout CommandReader) throws {
    // `true` and `false` are the words of documents.
    let isOff = ["off", "false"].contains(state?.text)
    if let state, !isOff, state.text != "true" {
      try state.check(
        isOneOf: ["on", "off", "toggle"], meaning: ["yes": "on", "1": "on", "no": "off", "0": "off"])
    }
    reader.add("mute", .fixed(isOff ? "false" : "true"))
  }

  func settle(_ steps: inout [Plan.Step], on view: StatusView) {
    guard state?.text == "toggle", !steps.isEmpty else { return }
    steps[0].action = .mute(view.snapshot.receiver?.volume.muted != true)
  }
}
