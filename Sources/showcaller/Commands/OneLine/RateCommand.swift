import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller rate`: how fast it plays.
struct RateCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "rate", _superCommandName: ShowcallerCommand.name, abstract: "Set how fast it plays.",
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

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    let target =
      by.map { reader.factor($0.text).map(SetRate.Target.by) } ?? reader.rate(rate?.text ?? "").map { .to($0) }
    return target.map { DeviceCommand(.rate($0)) }
  }
}
