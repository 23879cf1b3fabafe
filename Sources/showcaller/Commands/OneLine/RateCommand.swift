import ArgumentParser
import ScenarioLanguage

/// `showcaller rate`: how fast it plays.
struct RateCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "rate", abstract: "Set how fast it plays.",
    discussion: "Such as 1.5; --by 1.1x changes the present rate."
  )

  @Argument(help: "The rate, 0.5 to 2.")
  var rate: Word?

  @Option(help: ArgumentHelp("A factor for the present rate, such as 1.1x.", valueName: "factor"))
  var by: Word?

  @OptionGroup var options: OneLineOptions

  func validate() throws {
    if (rate == nil) == (by == nil) {
      throw ValidationError("give a rate such as 1.5, or --by with a factor such as 1.1x")
    }
  }

  func read(_ reader: inout CommandReader) {
    let entry = by.map { (key: "by", value: $0.value) } ?? ("to", .word(rate?.text ?? ""))
    reader.add("rate", .map([entry]))
  }
}
