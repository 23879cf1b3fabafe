import ArgumentParser
import CastProtocol
import ScenarioLanguage
import Signage
import Workspace

/// `showcaller week`: shows what a playlist has on screen in seven days.
struct WeekCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "week", _superCommandName: ShowcallerCommand.name,
    abstract: "Show what a playlist has on screen in seven days, with gaps and quiet hours.",
    discussion: "By the clock alone: what somebody casts, and items that do not load, are not known before.")

  @OptionGroup var document: DocumentOptions

  @Option(help: ArgumentHelp("The first day, such as 2026-12-21; today unless it is given.", valueName: "date"))
  var from: String?

  @Flag(help: "Print the week as one JSON object.")
  var json = false

  @Flag(help: "Print the week as an iCalendar file, with an event for each stretch.")
  var ics = false

  func validate() throws {
    if json, ics { throw ValidationError("--json and --ics exclude each other") }
  }

  func run() async throws {
    let first = try from.map(Self.date)
    let program = try document.program()
    let now = DocumentOptions.now
    let week = WeekView(program, from: first ?? CivilDate(at: program.zone.wallTime(at: now)))
    if json {
      Terminal.print(SafeJSON.text(week.json))
    } else {
      // Both end with a line break of their own.
      StandardStream.output.write(
        ics ? week.calendar(now: now) : week.text(isColored: Terminal.usesColor(on: Terminal.outputIsTTY)))
    }
  }

  private static func date(_ text: String) throws(CommandFailure) -> CivilDate {
    guard let date = CivilDate(written: text) else {
      throw CommandFailure(
        .commandLineWrong, "`\(text)` is not a day", help: "write year, month and day: `--from 2026-12-21`")
    }
    return date
  }
}
