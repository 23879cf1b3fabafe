import ArgumentParser
import ScenarioLanguage

/// `showcaller next`: the next item of the queue.
struct NextCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Go to the next item of the queue.")

  @OptionGroup var options: OneLineOptions

  func read(_ reader: inout CommandReader) { reader.add("queue_jump", .fixed("next")) }
}
