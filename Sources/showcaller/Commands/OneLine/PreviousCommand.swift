import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller previous`: the item of the queue before this one.
struct PreviousCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous", _superCommandName: ShowcallerCommand.name,
    abstract: "Go to the previous item of the queue.")

  @OptionGroup var options: OneLineOptions

  func command(_ reader: inout CommandReader) -> DeviceCommand? { DeviceCommand(.queueJump(.previous)) }
}
