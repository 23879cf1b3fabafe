import ArgumentParser
import ScenarioLanguage

/// `showcaller pause`.
struct PauseCommand: OneLineCommand {
  static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause what plays.")

  @OptionGroup var options: OneLineOptions

  func read(_ reader: inout CommandReader) { reader.add("pause") }
}
