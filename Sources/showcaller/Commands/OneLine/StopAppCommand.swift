import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller stop-app`: ends whatever app the device shows.
struct StopAppCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop-app", _superCommandName: ShowcallerCommand.name,
    abstract: "End the app that a device shows, whoever started it.",
    discussion: "Where no app runs there is nothing to do.")

  @OptionGroup var options: OneLineOptions

  func command(_ reader: inout CommandReader) -> DeviceCommand? { DeviceCommand(.stopApp(mayBeGone: false)) }
}
