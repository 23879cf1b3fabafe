import ArgumentParser
import Dispatch
import Glibc
import RunReporting
import ScenarioLanguage
import Synchronization
import Workspace

/// `showcaller report`: makes the reports of a run again from its stored events.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Make the reports of a run again, from the events it left behind.",
    discussion: """
      Each is byte for byte what the run itself wrote by --report. Without an option it prints the console's report.
      Of a damaged or unfinished stream there is what can be read; standard error says which lines cannot. Exits 3 \
      where no line can.
      """)

  @Argument(
    help: ArgumentHelp(
      "A run's id or folder, `latest`, or a file of events; - is standard input.", valueName: "run"))
  var name: String

  @Option(name: .customLong("report"), help: ReportOption.help)
  var reports: [ReportOption] = []

  @Option(
    help: ArgumentHelp("Write \(ReportKind.junit.summary).", valueName: "path"), completion: .file())
  var junit: String?

  @Flag(help: "Print \(ReportKind.console.summary).")
  var console = false

  @Flag(help: "Print \(ReportKind.json.summary).")
  var json = false

  @Option(help: ArgumentHelp("Look for runs in this folder.", valueName: "folder"), completion: .directory)
  var runs = usualRuns

  /// Where runs leave their folders, below the working directory.
  static let usualRuns = ".showcaller/runs"

  private var wanted: [ReportOption] {
    var wanted = reports
    if let junit { wanted.append(ReportOption(.junit, junit)) }
    if console { wanted.append(ReportOption(.console, "-")) }
    if json { wanted.append(ReportOption(.json, "-")) }
    return wanted.isEmpty ? [ReportOption(.console, "-")] : wanted
  }

  func validate() throws {
    if name.isEmpty { throw ValidationError("the name of the run is empty") }
    if junit?.isEmpty == true { throw ValidationError("--junit is empty: it names a file") }
    if wanted.filter({ $0.path == "-" }).count > 1 {
      throw ValidationError("only one report can go to standard output")
    }
  }

  func run() throws {
    let stored = try StoredRun(name, in: runs, surroundings: .process)
    try WrittenReports.refuseSharedFiles(wanted)
    if let path = stored.path, let report = wanted.first(where: { FileIdentity.areSame($0.path, path) }) {
      throw CommandFailure(.commandLineWrong, "\(report.path) is what the reports are made from")
    }
    var sources = StoredSources()
    var ids: [String] = []
    let reader = try stored.read { event in
      sources.record(event)
      if case .runStarted(let started) = event.kind, !ids.contains(started.run) { ids.append(started.run) }
    }
    if let first = ids.first, ids.count > 1 {
      throw CommandFailure(
        .commandLineWrong, "\(stored.path ?? "standard input") has the events of \(ids.count) runs",
        help: "each has a folder of its own: `showcaller report \(first)`")
    }
    tell(reader)
    guard reader.count > 0 else {
      throw CommandFailure(
        .documentInvalid, "\(stored.path ?? "standard input") has no events of a run",
        help: "a run leaves them in its folder, in events.jsonl")
    }
    let texts = stored.texts(sources)
    let files = try wanted.map { try RemadeReport($0, texts) }
    _ = try stored.read { event in for file in files { file.record(event) } }
    let failures = files.compactMap { $0.finish() }
    for failure in failures { Terminal.tell(failure) }
    if !failures.isEmpty { throw ExitCode.reportNotWritten }
  }

  private func tell(_ reader: StoredEventReader) {
    func warn(_ text: String) { Terminal.say("warning: \(TerminalText.escaped(text))") }
    for damage in reader.damages { warn("line \(damage.line): \(damage.text)") }
    let rest = reader.damageCount - reader.damages.count
    if rest > 0 { warn("\(rest) more \(rest == 1 ? "line is" : "lines are") damaged") }
    if reader.count > 0, !reader.isFinished { warn("the run did not finish: it has no run.finished at its end") }
  }
}

/// A report that is made from stored events, and waits for whoever reads it.
private final class RemadeReport {
  private let file: any ReportDestination
  private let report: any RunReport

  /// - Throws: A failure with exit code 8.
  init(_ option: ReportOption, _ texts: [String: String]) throws {
    let file =
      option.kind.notice == nil || option.path == "-" ? try PatientFile(option.path) : try option.open(of: option.path)
    self.file = file
    report = option.kind.make(texts) { file.write($0) }
  }

  func record(_ event: Event) { report.record(event) }

  /// - Returns: Why it is not whole.
  func finish() -> String? {
    report.endOfStream()
    return file.close(until: .distantFuture)
  }
}

/// A file that is written before ``write(_:)`` returns: nothing else waits meanwhile.
private final class PatientFile: ReportDestination {
  private let path: String
  private let output: StandardStream
  private let failure = Mutex<String?>(nil)

  init(_ path: String) throws(CommandFailure) {
    self.path = path
    if path == "-" {
      output = .output
      return
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o666)
    guard descriptor >= 0 else {
      throw CommandFailure(.reportNotWritten, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    output = StandardStream(descriptor: descriptor)
  }

  func write(_ text: String) {
    failure.withLock { failure in
      if failure == nil { failure = output.writeNow(text)?.message }
    }
  }

  func close(until deadline: DispatchTime) -> String? {
    failure.withLock { failure in
      // What standard output could not take is told at the end of the process.
      if path == "-" { return nil }
      if Glibc.close(output.descriptor) != 0, failure == nil { failure = String(cString: strerror(errno)) }
      return failure.map { "cannot write \(path): \($0)" }
    }
  }
}
