import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller pause`.
struct PauseCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", _superCommandName: ShowcallerCommand.name, abstract: "Pause what plays.")

  @OptionGroup var options: OneLineOptions

  func command(_ reader: inout CommandReader) -> DeviceCommand? { DeviceCommand(.pause) }
}
