import ArgumentParser
import ScenarioLanguage

/// `showcaller previous`: the item of the queue before this one.
struct PreviousCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous", abstract: "Go to the previous item of the queue.")

  @OptionGroup var options: OneLineOptions

  func read(_ reader: inout CommandReader) { reader.add("queue_jump", .fixed("previous")) }
}
