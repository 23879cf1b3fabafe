import ArgumentParser
import CastClient
import CastProtocol
import DeviceControl
import Glibc
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Workspace

/// `showcaller record`: observes a device while somebody uses it, and writes a scenario that does the same.
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Write a scenario while somebody uses a device from a phone or any other sender.",
    discussion: """
      Joins the device as an observer and changes nothing on it. What senders do (launch, load, queue, pause, seek, \
      tracks, volume) becomes steps, and what the device then said becomes expectations, with tolerances from how \
      steady it was. Check the scenario, edit it, and run it: on the device, or with `run --virtual`.

      Ends on Ctrl-C, when --for is over, and 5 s after the app has ended unless another one comes (--keep-going waits \
      for it). What senders say on namespaces of the app's own nobody else can see. Tokens in addresses become \
      secrets.

      `receive --record` is something else: it keeps the messages of a virtual receiver, for `receive --replay`.
      Exits 0 when the scenario is written, 4 when there is no device, 5 when nothing happened that could be written.
      """)

  @Argument(
    help: ArgumentHelp("The device, as --device takes it: a name, an alias, an id or an address.", valueName: "device"))
  var named: String?

  @OptionGroup var device: DeviceOptions

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write this file; without it, or with -, standard output.", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var output: String?

  @Flag(help: "Replace the file if it is there.")
  var force = false

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("How long to record once the device is connected, such as 10m.", valueName: "time"))
  var length: TimeLimit?

  @Flag(help: "Go on after the app has ended.")
  var keepGoing = false

  @Flag(help: "Print one JSON object for each step that is noticed; with --output FILE.")
  var json = false

  @OptionGroup var auth: AuthOptions

  @OptionGroup var log: LogOptions

  /// The file to write; `nil`: standard output.
  private var file: String? { output == "-" ? nil : output }

  func validate() throws {
    if let named {
      if named.isEmpty { throw ValidationError("the name of the device is empty") }
      if device.device != nil || device.host != nil {
        throw ValidationError("name the device once: as an argument, with --device or with --host")
      }
    }
    if output?.isEmpty == true { throw ValidationError("--output is empty: it names a file") }
    if let length, length.duration <= .zero || length.duration > .seconds(86_400) {
      throw ValidationError("--for is above 0 and at most 24 hours")
    }
    if json, file == nil { throw ValidationError("--json needs --output FILE: both would go to standard output") }
    if force, file == nil { throw ValidationError("--force needs --output FILE: nothing else is replaced") }
  }

  func run() async throws {
    let settings = try Settings.load()
    var choice = device
    if let named { choice.device = named }
    // Nobody records for an hour to learn that the device is not named, or that the file cannot be written.
    _ = try choice.selector(settings)
    try checkFile()
    // No status may be missed while others are read.
    let client = try ClientConfiguration(settings, auth, historyLimit: 1_024)
    let day = SystemTime(.process).today?.iso ?? ""
    let begun = "\(day) \(Terminal.timeOfDay.prefix(5))"
    let output = RecordOutput(isJSON: json)
    do throws(CommandFailure) {
      let recorded = try await RecordRun(
        device: choice, settings: settings, client: client, limit: length?.duration, stopsWithApp: !keepGoing
      ).run(telling: output)
      let subject = ScenarioWriter.Subject(device: recorded.device, date: begun)
      guard let outcome = ScenarioWriter.write(recorded.recorder, of: subject) else {
        throw CommandFailure(
          .failed, "nothing happened on \(recorded.device.name) that a scenario could do",
          help: "play something on it while `record` runs")
      }
      try write(outcome)
      let problem = RecordedTrial.problem(of: outcome.text, named: file ?? "recorded")
      output.wrote(outcome, to: file, problem: problem)
    } catch {
      output.ended(error)
      throw error
    }
  }

  private func checkFile() throws(CommandFailure) {
    guard let file else { return }
    let kind = Files.kind(of: file)
    if kind == .folder {
      throw CommandFailure(
        .commandLineWrong, "cannot write \(file): it is a folder",
        help: "name a file in it: -o \(ShellWord.quoted((file.hasSuffix("/") ? file : file + "/") + "recorded.yaml"))")
    }
    if kind != nil, !force {
      throw CommandFailure(
        .commandLineWrong, "\(file) is there already", help: "--force replaces it, or choose another name")
    }
    // One that is there and linked to is replaced where it really is.
    let folder = Files.folder(of: (try? Files.realPath(of: file)) ?? file)
    guard Files.kind(of: folder) == .folder else {
      let problem = Files.kind(of: folder) == nil ? "is not there" : "is no folder"
      throw CommandFailure(
        .reportNotWritten, "cannot write \(file): \(folder) \(problem)",
        help: problem == "is not there" ? "make it: mkdir -p \(ShellWord.quoted(folder))" : "choose another name")
    }
    guard access(folder, W_OK | X_OK) == 0 else {
      throw CommandFailure(
        .reportNotWritten, "cannot write \(file): \(String(cString: strerror(errno)))", help: "choose another folder")
    }
  }

  private func write(_ outcome: ScenarioWriter.Outcome) throws(CommandFailure) {
    guard let file else {
      StandardStream.output.write(outcome.text)
      return
    }
    let bytes = Array(outcome.text.utf8)
    do throws(FileError) {
      // Addresses may let somebody in where nobody could tell: it is for its owner.
      if force {
        try Files.replace(bytes, at: file, mode: 0o600)
      } else {
        try Files.create(bytes, at: file, mode: 0o600)
      }
    } catch {
      // An evening's work is not thrown away for a folder that is gone.
      StandardStream.output.write(outcome.text)
      throw CommandFailure(
        .reportNotWritten, "cannot write \(file): \(error.message)",
        help: "the scenario was printed to standard output instead")
    }
  }
}
