import ArgumentParser
import CastProtocol
import Conformance
import RunReporting
import ScenarioLanguage
import WebClient
import Workspace

extension ConformanceMatrix.Format: ExpressibleByArgument {}

/// `showcaller conform`: a suite of checks on devices, as a matrix, compared with the last time.
struct ConformCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conform",
    abstract: "Check how devices keep to the Cast protocol, and what changed since the last time.",
    discussion: """
      Runs built-in scenarios on each device, one after the other, and prints checks by model and firmware. What plays on \
      the device ends; its volume is put back. It plays a quiet tone that this computer serves, or what --media names.

      The result is kept, and compared with the next one; not with --only or --faults. Exits 0 when every check passed or \
      was skipped, 1 when one failed, 4 without a device, 5 when one could not be judged, 6 when the time was over, 130 \
      after Ctrl-C. With --baseline, what is there in the same way is no failure.
      """)

  @Argument(
    help: ArgumentHelp("The devices: names, aliases, ids or addresses; else the default device.", valueName: "device"))
  var devices: [String] = []

  @Option(
    name: .customLong("host"),
    help: ArgumentHelp("The device at this address, no discovery; may be repeated.", valueName: "address[:port]"))
  var hosts: [HostAndPort] = []

  @Flag(name: .customLong("virtual"), help: "Check a virtual receiver in this process, over real TLS.")
  var isVirtual = false

  @Option(help: ArgumentHelp("With --virtual: 0.1 to 100 times as fast.", valueName: "factor, such as 20x"))
  var speed: Speed?

  @OptionGroup var faults: FaultOptions

  @Option(
    help: ArgumentHelp(
      "Only these checks, by id or area, with commas between; may be repeated. Their result is not kept.",
      valueName: "checks"))
  var only: [String] = []

  @Flag(help: "List the checks.")
  var list = false

  @Option(name: .customLong("print"), help: ArgumentHelp("Print the scenario of a check.", valueName: "check"))
  var printed: String?

  @Option(
    name: .customLong("export"),
    help: ArgumentHelp("Write the scenarios, and what they play, into a folder: for `run`.", valueName: "folder"),
    completion: .directory)
  var exported: String?

  @Option(help: "The format of the matrix: markdown, csv or json.")
  var format = ConformanceMatrix.Format.markdown

  @Flag(help: "As --format json.")
  var json = false

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write the matrix to a file.", valueName: "file"), completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Compare with this result, which --format json wrote, and not with the last.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var baseline: String?

  @Option(
    help: ArgumentHelp(
      "Play this in place of the tone: at least 40 seconds that the device can fetch.", valueName: "url"))
  var media: String?

  @Option(help: ArgumentHelp("How long the checks of a device may take; 15m unless it is given.", valueName: "time"))
  var timeout: TimeLimit?

  @Flag(name: .shortAndLong, help: "Tell no progress.")
  var quiet = false

  @OptionGroup var lock: LockOptions
  @OptionGroup(title: "Device authentication") var authentication: AuthOptions
  @OptionGroup var log: LogOptions

  static let mostDevices = 50

  func validate() throws {
    let isAboutSuite = list || printed != nil || exported != nil
    if isAboutSuite, !devices.isEmpty || !hosts.isEmpty || isVirtual {
      throw ValidationError("--list, --print and --export are about the suite: leave out the devices")
    }
    if [list, printed != nil, exported != nil].count(where: { $0 }) > 1 {
      throw ValidationError("use one of --list, --print and --export")
    }
    if isVirtual, !devices.isEmpty || !hosts.isEmpty {
      throw ValidationError("--virtual brings its own device; leave out the others")
    }
    if devices.contains(where: \.isEmpty) { throw ValidationError("the name of a device is empty") }
    if devices.count + hosts.count > Self.mostDevices {
      throw ValidationError("at most \(Self.mostDevices) devices at once")
    }
    if speed != nil, !isVirtual { throw ValidationError("--speed needs --virtual: a real device keeps its own time") }
    if !faults.files.isEmpty, !isVirtual {
      throw ValidationError("--faults needs --virtual: a real device has faults of its own")
    }
    if json, format == .csv { throw ValidationError("use --json or --format csv, not both") }
    if exported?.isEmpty == true { throw ValidationError("--export is empty: it names a folder") }
    if output?.isEmpty == true { throw ValidationError("--output is empty: it names a file") }
    if baseline?.isEmpty == true { throw ValidationError("--baseline is empty: it names a file") }
    if let media {
      do throws(WebError) { _ = try WebURL(parsing: media) } catch {
        throw ValidationError("--media: \(error.message)")
      }
    }
    if let timeout, timeout.duration <= .zero || timeout.duration > .seconds(86_400) {
      throw ValidationError("--timeout is above 0 and at most a day")
    }
  }

  func run() async throws {
    if list { return tellChecks(try chosen) }
    if let printed {
      guard let check = try checks([printed]).first(where: { $0.id == printed }) else {
        throw CommandFailure(
          .commandLineWrong, "`\(printed)` is an area of checks", help: "`showcaller conform --list` has their ids")
      }
      return Terminal.print(String(check.text.dropLast()))
    }
    if let exported {
      let folder = try ConformanceFolder.exported(to: exported, try chosen)
      Terminal.say("\(TerminalText.escaped(folder.path)): \(try chosen.count) scenarios, and what they play")
      Terminal.say("run them with: showcaller run \(TerminalText.escaped(folder.path)) --device NAME")
      return
    }
    throw try await ConformRun(options: self, checks: chosen).perform()
  }

  /// Those of `--only`, else all.
  private var chosen: [ConformanceCheck] {
    get throws(CommandFailure) {
      let words = only.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        .map(Self.trimmed)
      return only.isEmpty ? ConformanceCheck.all : try checks(words)
    }
  }

  private static func trimmed(_ word: Substring) -> String {
    let rest = word.drop(while: \.isWhitespace)
    return String(rest.lastIndex { !$0.isWhitespace }.map { rest[...$0] } ?? "")
  }

  private func checks(_ words: [String]) throws(CommandFailure) -> [ConformanceCheck] {
    do throws(ConformanceCheck.Unknown) {
      return try ConformanceCheck.named(words)
    } catch {
      throw CommandFailure(
        .commandLineWrong, "there is no check `\(error.word)`",
        help: error.nearest.map { "did you mean `\($0)`?" } ?? "`showcaller conform --list` lists them")
    }
  }

  private func tellChecks(_ checks: [ConformanceCheck]) {
    if json || format == .json {
      for check in checks {
        let object: JSONValue = [
          "id": .string(check.id), "area": .string(check.area), "statement": .string(check.statement),
          "observed": .array(check.facts.map { .string($0.rawValue) }),
        ]
        Terminal.print(object.serialized())
      }
      return
    }
    let width = checks.map(\.id.count).max() ?? 0
    for check in checks {
      Terminal.print(check.id + String(repeating: " ", count: width - check.id.count + 2) + check.statement)
    }
  }
}
