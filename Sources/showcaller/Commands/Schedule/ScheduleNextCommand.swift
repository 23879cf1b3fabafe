import ArgumentParser
import CastProtocol
import RunReporting
import ScenarioLanguage
import Signage
import Workspace

/// `showcaller schedule next`: the next times of schedules.
struct ScheduleNextCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Show the next times at which a scenario runs by its schedule.",
    discussion: "Times with jitter begin up to that much later.")

  @Option(name: .shortAndLong, help: ArgumentHelp("How many times, 1 to 1000.", valueName: "count"))
  var number = 5

  @Option(
    help: ArgumentHelp(
      "After this moment, such as \"2026-12-24 18:30\" by the clock of each schedule; now unless it is given.",
      valueName: "moment"))
  var from: String?

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @OptionGroup var document: DocumentOptions

  func validate() throws {
    guard (1...1_000).contains(number) else { throw ValidationError("-n is a number from 1 to 1000") }
  }

  func run() async throws {
    let start = try from.map { text in
      guard let moment = MomentText(written: text) else {
        throw CommandFailure(.commandLineWrong, "`\(text)` is not a date and a time", help: MomentText.usage)
      }
      return moment
    }
    let plan = try document.scheduled()
    var times: [ScheduledTime] = []
    for schedule in plan.schedules {
      let zone = try SystemTime(.process).clocks(ofZone: schedule.timeZone)
      times += ScheduledTime.next(number, of: schedule, from: start, now: DocumentOptions.now, in: zone)
    }
    times = Array(times.sorted { $0.time < $1.time }.prefix(number))
    for time in times {
      Terminal.print(json ? SafeJSON.text(time.json) : TerminalText.escaped(time.text))
    }
  }
}

extension DocumentOptions {
  /// The scenario with its schedules.
  func scheduled() throws -> Plan {
    let (compiled, _) = try loader.compile()
    switch compiled {
    case .scenario(let plan):
      guard !plan.schedules.isEmpty else {
        throw CommandFailure(
          .commandLineWrong, "\(file) has no `schedule`",
          help: "add one: `schedule: [{ at: \"04:30\", days: weekdays, timezone: Europe/Paris }]`")
      }
      return plan
    case .playlist:
      throw CommandFailure(
        .commandLineWrong, "\(file) is a playlist, which has no schedule: it is always on",
        help: "`showcaller week \(file)` shows what is on when")
    case .library: throw loader.isLibrary
    }
  }
}
