import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller skip-ad`.
struct SkipAdCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip-ad", _superCommandName: ShowcallerCommand.name,
    abstract: "Skip the ad that plays, once it may be skipped.")

  @Flag(help: "Ask even when the ad may not be skipped yet.")
  var force = false

  @OptionGroup var options: OneLineOptions

  func command(_ reader: inout CommandReader) -> DeviceCommand? { DeviceCommand(.skipAd(force: force)) }
}
