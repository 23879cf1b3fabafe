import ArgumentParser
import CastProtocol
import RunReporting
import Workspace
import ScenarioLanguage

/// A speed such as `20x`, 0.1 to 100.
struct Speed: ExpressibleByArgument {
  let factor: Double

  init?(argument: String) {
    let digits = argument.hasSuffix("x") ? String(argument.dropLast()) : argument
    guard let factor = Double(digits), factor >= 0.1, factor <= 100 else { return nil }
    self.factor = factor
  }
}

/// An address such as `192.0.2.14`, `tv.local:8009`, `[2001:db8::1]:8009` or `fe80::1%eth0`, as documents write it.
extension HostAndPort: ExpressibleByArgument {
  init?(argument: String) {
    guard let address = try? NameScalar.host(argument) else { return nil }
    self = address
  }
}

/// A report such as `junit=out.xml`.
extension ReportTarget: ExpressibleByArgument {
  init?(argument: String) { self.init(spelled: argument) }

  /// What help says of `--report`.
  static var help: ArgumentHelp {
    ArgumentHelp("Write a report: \(ReportKind.names); - is standard output.", valueName: "kind=path")
  }
}

/// What `run` may be told besides its document.
struct RunOptions: ParsableArguments {
  @Flag(name: .customLong("virtual"), help: "Run against a virtual receiver in this process, over real TLS.")
  var isVirtual = false

  @Option(
    name: .customLong("receiver"),
    help: ArgumentHelp(
      "Run against a virtual receiver that shows this page in a browser, in place of every app or of the one named; may be repeated.",
      valueName: "[id=]url"), transform: PageAddress.read)
  var pages: [PageAddress] = []

  @Option(
    help: ArgumentHelp(
      "With --virtual: run the document's time 0.1 to 100 times as fast.", valueName: "factor, such as 20x"))
  var speed: Speed?

  @OptionGroup var faults: FaultOptions

  @Option(help: ArgumentHelp("Connect to this address; no discovery.", valueName: "address[:port]"))
  var host: HostAndPort?

  @Option(
    name: [.customShort("d"), .customLong("device")],
    help: ArgumentHelp(
      "Use this device: an inventory id, an alias, a friendly name, an id or an address; with roles role=name; with --virtual one of devices:.",
      valueName: "name"))
  var devices: [String] = []

  @Option(name: .customLong("report"), help: ReportTarget.help)
  var reports: [ReportTarget] = []

  /// Those that are asked for, and those that a workflow gets unasked.
  var allReports: [ReportTarget] { reports + ReportTarget.ofWorkflow(besides: reports, Terminal.environment) }

  @Option(help: ArgumentHelp("Repeat a run's jitter and identifiers.", valueName: "number"))
  var seed: UInt64?

  @Option(
    help: ArgumentHelp("Keep what runs leave behind in this folder.", valueName: "folder"), completion: .directory)
  var runs = ".showcaller/runs"

  @Option(
    help: ArgumentHelp("Keep the newest runs of that folder and remove older ones.", valueName: "number"))
  var keep = 100

  @Flag(help: "Keep the folder of every run that did not exit with 0, too.")
  var keepFailed = false

  @Flag(name: [.customShort("v"), .long], help: "Tell every status change.")
  var verbose = false

  @Flag(name: [.customShort("q"), .long], help: "Tell only the verdict.")
  var quiet = false

  @Flag(help: "Tell every message sent and received.")
  var wire = false

  @Flag(help: "A run that passed only after retries exits 7.")
  var failOnFlaky = false

  @Flag(help: "A failed cleanup does not fail the run.")
  var cleanupWarn = false

  @Option(
    name: .customLong("row"),
    help: ArgumentHelp("Run the row of the matrix with this value, as often as it takes.", valueName: "name=value"))
  var row: [String] = []

  @Option(
    name: [.customShort("j", allowingJoined: true), .customLong("jobs")],
    help: ArgumentHelp(
      "Run so many rows and documents at the same time, where they use different devices.", valueName: "number"))
  var jobs = 1

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "Run every scenario so often, one after the other; one that fails does not keep the others from being run.",
      valueName: "number"))
  var repeats: Int?

  @Option(
    help: ArgumentHelp(
      "Run one of several parts of all documents, rows and repeats, such as 2/5: all parts together are everything, once.",
      valueName: "part/parts"), transform: RunShard.read)
  var shard: RunShard?

  @Flag(help: "Let the document's `exec` steps start programs on this computer.")
  var allowExec = false

  private static let mostRepeats = 10_000
  private static let mostJobs = 1000

  /// Whether the run brings its own receivers.
  var bringsReceivers: Bool { isVirtual || !pages.isEmpty }

  var deviceChoice: DeviceChoice {
    var choice = DeviceChoice(line: .own) { () throws(WorkspaceError) in try Settings.load(in: .process) }
    choice.host = host
    choice.devices = devices
    choice.isVirtual = bringsReceivers
    return choice
  }

  /// Those that decide how a run ends, but for row and seed.
  var rerunArguments: [String] {
    var words = isVirtual ? ["--virtual"] : []
    words += pages.flatMap { ["--receiver", $0.text] }
    if let speed { words += ["--speed", "\(speed.factor.decimals(6))x"] }
    words += faults.rerunArguments
    if let host { words += ["--host", host.text] }
    words += devices.flatMap { ["--device", $0] }
    if allowExec { words.append("--allow-exec") }
    if failOnFlaky { words.append("--fail-on-flaky") }
    if cleanupWarn { words.append("--cleanup-warn") }
    return words
  }

  func validate() throws {
    if speed != nil, !pages.isEmpty {
      throw ValidationError("--speed is not for --receiver: a page keeps its own time")
    }
    if speed != nil, !isVirtual {
      throw ValidationError(
        "--speed needs --virtual: a real device, and a page that the inventory has as `receiver:`, keep their own time")
    }
    if !faults.files.isEmpty, !bringsReceivers {
      throw ValidationError(
        "--faults needs --virtual or --receiver: a real device has faults of its own, and a page is given them as "
          + "--receiver URL")
    }
    if pages.filter({ $0.appID == nil }).count > 1 {
      throw ValidationError("only one --receiver can be for every app: name the apps of the others, as in A1B2C3D4=URL")
    }
    if bringsReceivers, host != nil {
      throw ValidationError(
        "\(isVirtual ? "--virtual" : "--receiver") brings its own device; leave out --host and --device")
    }
    if host != nil, !devices.isEmpty { throw ValidationError("use --host or --device, not both") }
    if runs.isEmpty { throw ValidationError("--runs is empty: it names a folder") }
    if keep < 1 { throw ValidationError("--keep is at least 1: the run itself leaves a folder") }
    if !(1...Self.mostJobs).contains(jobs) { throw ValidationError("--jobs is from 1 to \(Self.mostJobs)") }
    if let repeats, !(1...Self.mostRepeats).contains(repeats) {
      throw ValidationError("--repeat is from 1 to \(Self.mostRepeats)")
    }
    if quiet, verbose { throw ValidationError("use -q or -v, not both") }
    if reports.filter({ $0.path == "-" }).count > 1 {
      throw ValidationError("only one report can go to standard output")
    }
  }
}

extension RunShard {
  /// Reads what `--shard` is given.
  fileprivate static func read(_ text: String) throws -> RunShard {
    guard let shard = RunShard(text) else {
      throw ValidationError("`\(text)` is no part of a whole: the second of five is 2/5")
    }
    return shard
  }
}
