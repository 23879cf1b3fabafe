import ArgumentParser

/// `showcaller schedule`: when scenarios run by themselves.
struct ScheduleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule", abstract: "Show when scenarios run by their schedules, or have another scheduler do it.",
    subcommands: [ScheduleNextCommand.self, ScheduleExportCommand.self])
}
