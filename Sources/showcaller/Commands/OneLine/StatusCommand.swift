import ArgumentParser
import CastClient
import CastProtocol
import DeviceControl
import ScenarioLanguage
import RunReporting
import ScenarioRunner
import Workspace

/// `showcaller status`: what a device shows now.
struct StatusCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", _superCommandName: ShowcallerCommand.name,
    abstract: "Tell what a device plays, where, and how loud.",
    discussion: "Of a group also who takes part, and how loud.")

  @OptionGroup var options: OneLineOptions

  var changesDevice: Bool { false }

  /// Connecting has asked for all there is to tell, but for the members of a group.
  func command(_ reader: inout CommandReader) -> DeviceCommand? { DeviceCommand([]) }

  var target: CommandRun.Target { .deviceAndMembers }

  func answer(_ state: DeviceState) -> [String] { [state.line] + state.memberLines }
}
