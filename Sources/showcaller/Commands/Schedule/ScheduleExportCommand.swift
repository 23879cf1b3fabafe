import ArgumentParser
import RunReporting
import ScenarioLanguage
import Workspace

/// `showcaller schedule export`: has systemd, cron or Kubernetes start a scenario.
struct ScheduleExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the files by which systemd, cron or Kubernetes run a scenario by its schedule.",
    discussion: """
      Prints them; --out writes them into a folder. What the other scheduler does differently is a warning, what it \
      cannot do an error.
      """)

  @Flag(help: "A service and a timer for systemd.")
  var systemd = false

  @Flag(help: "Lines for a crontab.")
  var cron = false

  @Flag(help: "CronJobs for Kubernetes.")
  var kubernetes = false

  @Option(help: ArgumentHelp("The folder to write the files into.", valueName: "folder"), completion: .directory)
  var out: String?

  @Option(help: ArgumentHelp("The program that is to run it; this one unless it is given.", valueName: "path"))
  var program: String?

  @Option(help: ArgumentHelp("The container image for Kubernetes.", valueName: "name"))
  var image = "showcaller:latest"

  @OptionGroup var document: DocumentOptions

  private var target: ScheduleExport.Target? {
    let wanted: [(ScheduleExport.Target, Bool)] = [(.systemd, systemd), (.cron, cron), (.kubernetes, kubernetes)]
    let chosen = wanted.filter(\.1).map(\.0)
    return chosen.count == 1 ? chosen[0] : nil
  }

  func validate() throws {
    if target == nil { throw ValidationError("name one of --systemd, --cron and --kubernetes") }
  }

  func run() async throws {
    guard let target else { return }
    guard document.file != "-" else {
      throw CommandFailure(.commandLineWrong, "standard input cannot be run later", help: "name a file")
    }
    let plan = try document.scheduled()
    let export = try Self.export(plan, try subject(of: plan), target)
    for warning in export.warnings { Terminal.say("warning: \(TerminalText.escaped(warning))") }
    do throws(FileError) {
      try write(export.files)
    } catch {
      throw CommandFailure(.reportNotWritten, "the files cannot be written: \(error.message)")
    }
  }

  private func subject(of plan: Plan) throws -> ScheduleExport.Subject {
    let options = try document.inputs.given.argumentsForScheduler()
    do throws(FileError) {
      let program = if let program { program } else { try Files.realPath(of: "/proc/self/exe") }
      return ScheduleExport.Subject(
        id: plan.id, title: plan.title, path: try Files.realPath(of: document.file), program: program,
        options: options, image: image)
    } catch {
      throw CommandFailure(.commandLineWrong, "cannot find \(document.file): \(error.message)")
    }
  }

  private static func export(
    _ plan: Plan, _ subject: ScheduleExport.Subject, _ target: ScheduleExport.Target
  ) throws(CommandFailure) -> ScheduleExport {
    do throws(ScheduleExport.Failure) {
      return try ScheduleExport(plan.schedules, of: subject, for: target)
    } catch {
      throw CommandFailure(
        .commandLineWrong, "\(error.span.file):\(error.span.line): \(error.message)", help: error.help)
    }
  }

  private func write(_ files: [ScheduleExport.File]) throws(FileError) {
    for file in files {
      guard let out else {
        // Several files in a pipe: a comment says where each begins.
        let head = files.count > 1 ? "# \(file.name)\n" : ""
        StandardStream.output.write(head + file.text + (files.last == file ? "" : "\n"))
        continue
      }
      try Files.makeFolders(out, mode: 0o755)
      let path = "\(out)/\(file.name)"
      try Files.replace(Array(file.text.utf8), at: path, mode: 0o644)
      Terminal.print(TerminalText.escaped(path))
    }
  }
}
