import ArgumentParser
import CastProtocol
import ScenarioLanguage
import Signage
import Workspace

/// `showcaller at`: explains what a playlist has on screen at one moment.
struct AtCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "at",
    abstract: "Explain what a playlist has on screen at a moment, by which line, and what comes next.",
    discussion: "By the clock alone, which is that of the playlist's time zone.")

  @Argument(help: ArgumentHelp("A date and a time such as \"2026-12-24 18:30\", or now.", valueName: "moment"))
  var moment: String

  @OptionGroup var document: DocumentOptions

  @Flag(help: "Print the answer as one JSON object.")
  var json = false

  func run() async throws {
    let wall = moment == "now" ? nil : try Self.wall(moment)
    let program = try document.program()
    let view = wall.map { MomentView(program, at: $0) } ?? MomentView(program, atTime: DocumentOptions.now)
    if json { Terminal.print(SafeJSON.text(view.json)) } else { StandardStream.output.write(view.text) }
  }

  private static func wall(_ text: String) throws(CommandFailure) -> WallTime {
    guard let wall = MomentView.wall(written: text) else {
      throw CommandFailure(
        .commandLineWrong, "`\(text)` is not a date and a time", help: "write `\"2026-12-24 18:30\"`, or `now`")
    }
    return wall
  }
}
