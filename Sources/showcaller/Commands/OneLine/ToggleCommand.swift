import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller toggle`: one key for play and pause.
struct ToggleCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", _superCommandName: ShowcallerCommand.name,
    abstract: "Pause what plays, or play what is paused.")

  @OptionGroup var options: OneLineOptions

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    DeviceCommand([.action(.togglePlayback)], limitIsForAll: true)
  }
}
