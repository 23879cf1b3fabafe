import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller play`: goes on with what is paused.
struct PlayCommand: OneLineCommand {
  enum Until: String, ExpressibleByArgument, CaseIterable { case playing, finished }

  static let configuration = CommandConfiguration(
    commandName: "play", _superCommandName: ShowcallerCommand.name, abstract: "Go on playing what is loaded.",
    discussion: "`showcaller load URL` plays something new.")

  @Option(help: ArgumentHelp("When it is done: playing or finished.", valueName: "state"))
  var until = Until.playing

  @OptionGroup var options: OneLineOptions

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    var command = DeviceCommand(.play)
    if until == .finished { command.waitForTheEnd() }
    return command
  }
}
