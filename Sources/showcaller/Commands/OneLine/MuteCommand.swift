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
  static let configuration = CommandConfiguration(
    commandName: "mute", _superCommandName: ShowcallerCommand.name, abstract: "Mute the device, or end that.")

  @Argument(
    help: ArgumentHelp("on, off or toggle; on by default.", valueName: "on|off|toggle"),
    completion: .list(["on", "off", "toggle"]))
  var state: Word?

  @OptionGroup var members: MemberOptions
  @OptionGroup var options: OneLineOptions

  var target: CommandRun.Target { members.target }

  func command(_ reader: inout CommandReader) throws -> DeviceCommand? {
    // `true` and `false` are the words of documents.
    let isOff = ["off", "false"].contains(state?.text)
    if let state, !isOff, state.text != "true" {
      try state.check(
        isOneOf: ["on", "off", "toggle"], meaning: ["yes": "on", "1": "on", "no": "off", "0": "off"])
    }
    return DeviceCommand(state?.text == "toggle" ? .toggleMute : .mute(!isOff))
  }
}
