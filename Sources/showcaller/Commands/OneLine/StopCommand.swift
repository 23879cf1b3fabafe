import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller stop`: ends the media, not the app.
struct StopCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", _superCommandName: ShowcallerCommand.name, abstract: "End what plays; the app stays.",
    discussion: "`showcaller stop-app` ends the app, too. Where nothing is loaded there is nothing to do.")

  @OptionGroup var options: OneLineOptions

  func command(_ reader: inout CommandReader) -> DeviceCommand? { DeviceCommand(.stop) }
}
