import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller next`: the next item of the queue.
struct NextCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", _superCommandName: ShowcallerCommand.name, abstract: "Go to the next item of the queue.")

  @OptionGroup var options: OneLineOptions

  func command(_ reader: inout CommandReader) -> DeviceCommand? { DeviceCommand(.queueJump(.next)) }
}
