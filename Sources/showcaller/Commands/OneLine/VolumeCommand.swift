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
    commandName: "volume", _superCommandName: ShowcallerCommand.name, abstract: "Set the device's volume.",
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

  var target: CommandRun.Target { members.target }

  /// How far `up` and `down` go, in percent points.
  private static let stride = 5.0

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    let points = change(&reader)
    let wanted = percent(&reader)
    guard let ramp = over.map({ reader.duration($0.text) }) ?? .zero else { return nil }
    if let points { return DeviceCommand(.changeVolume(by: points, ramp: ramp)) }
    return wanted.map { DeviceCommand(.volume(level: $0, ramp: ramp)) }
  }

  /// By how many percent points it changes; `nil`: it is set.
  private func change(_ reader: inout CommandReader) -> Double? {
    switch level.text {
    case "up": Self.stride
    case "down": -Self.stride
    default: level.hasSign ? reader.change(level.text, of: "volume") : nil
    }
  }

  /// To what it is set; `nil`: it changes from what it is.
  private func percent(_ reader: inout CommandReader) -> Double? {
    level.hasSign || ["up", "down"].contains(level.text) ? nil : reader.percent(level.text, of: "volume")
  }
}
