import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller seek`: moves the playhead.
struct SeekCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "seek", _superCommandName: ShowcallerCommand.name, abstract: "Move to another position of what plays.",
    usage: "showcaller seek <position> [--then <keep|play|pause>] [--tolerance <duration>] [<options>]",
    discussion: "Such as 1m30s, 1:30, start or end; +30s and -10s go from where it is.")

  @Argument(
    help: "A position, or with a sign how far to go.", completion: .list(["start", "end", "+30s", "-30s", "1m30s"]))
  var position: Word

  @Option(
    help: ArgumentHelp("Whether it plays then: keep, play or pause.", valueName: "what"),
    completion: .list(["keep", "play", "pause"]))
  var then: Word?

  @Option(help: ArgumentHelp("How near is near enough; 2s by default.", valueName: "duration"))
  var tolerance: Word?

  @OptionGroup var options: OneLineOptions

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    reader.seek(position.text, then: then?.text, tolerance: tolerance?.text).map { DeviceCommand($0) }
  }
}
