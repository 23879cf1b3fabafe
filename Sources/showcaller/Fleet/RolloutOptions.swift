import ArgumentParser
import CastProtocol
import FleetControl
import FleetMessages
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Workspace

/// How a document reaches sites.
struct RolloutOptions: ParsableArguments {
  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("The sites: a name in which * and ? stand for others.", valueName: "glob"))
  var glob: SiteGlob

  @Option(
    help: ArgumentHelp(
      "The first wave: so many sites, or those of these names; 1 unless it is given.", valueName: "count|glob"),
    transform: RolloutOptions.canary)
  var canary: RolloutWaves.Canary?

  @Option(
    help: ArgumentHelp("The size of the other waves; 25% unless it is given.", valueName: "count|percent%"),
    transform: RolloutOptions.size)
  var wave: RolloutWaves.Size?

  @Option(
    help: ArgumentHelp(
      "How long the canary is watched, and the other waves a fifth of that; 5m unless it is given, and not at all where a document is taken off.",
      valueName: "time"))
  var watch: TimeLimit?

  @Flag(help: "Give it to all sites in one wave.")
  var atOnce = false

  @Flag(help: "Leave it where it is when a site is worse off with it.")
  var noRollback = false

  @Flag(help: "Show the waves, and do nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp("The operator's private key; without it that of the state folder.", valueName: "file"),
    completion: .file(extensions: ["pem"]))
  var key: String?

  func validate() throws {
    if atOnce, canary != nil || wave != nil { throw ValidationError("--at-once has no canary and no waves") }
    if let watch, watch.duration < .zero { throw ValidationError("--watch is not below 0") }
  }

  private static func canary(_ text: String) throws -> RolloutWaves.Canary {
    if let count = Int(text) {
      guard count > 0 else { throw ValidationError("--canary is at least one site; `--at-once` has none") }
      return .count(count)
    }
    guard let glob = SiteGlob(text) else { throw ValidationError("--canary \(text): no site can have such a name") }
    return .sites(glob)
  }

  private static func size(_ text: String) throws -> RolloutWaves.Size {
    if text.hasSuffix("%"), let percent = Int(text.dropLast()), (1...100).contains(percent) { return .percent(percent) }
    if let count = Int(text), count > 0 { return .count(count) }
    throw ValidationError("--wave is a number of sites, or a share such as 25%")
  }

  /// Rolls it out, tells how it goes, and ends as it ended.
  func perform(_ offer: RolloutOffer, id: String, _ options: FleetOptions) async throws {
    let key = try OperatorKeys.key(key, makes: false)
    let wish = FleetRollout.Wish(
      id: id, offer: offer, glob: glob, canary: atOnce ? .count(.max) : canary ?? .count(1), size: wave ?? .percent(25),
      watch: watch?.duration ?? offer.usualWatch, putsBack: !noRollback, isDryRun: dryRun)
    let printer = RolloutPrinter(isJSON: options.json)
    var generator = SystemRandomNumberGenerator()
    let name = RunID.make(
      unixMilliseconds: UInt64(max(0, Surroundings.process.unixTime() * 1_000)), using: &generator)
    let connection = try await options.begin()
    switch try await connection.perform(FleetRollout(connection, wish, name: name, by: key) { printer.tell($0) }) {
    case .failed(let failure): throw failure
    case .nothing(let contents, let waves): try tell(contents, waves, isJSON: options.json)
    case .ended(let end, let contents): try tell(end, contents, isJSON: options.json)
    }
  }

  private static func names(_ sites: [SiteName]) -> JSONValue { .array(sites.map { .string($0.text) }) }

  private static func lines(_ contents: RolloutContents) -> [String] {
    [("have it already", contents.have), ("have nothing of it", contents.without)].compactMap { words, sites in
      sites.isEmpty ? nil : "\(words): \(RolloutWaves.names(sites))"
    }
  }

  private func tell(_ contents: RolloutContents, _ waves: RolloutWaves?, isJSON: Bool) throws {
    // Who wanted something brought back that is not there has not got it.
    let isRight = waves != nil || !contents.have.isEmpty || contents.without.isEmpty
    if isJSON {
      var object: JSONObject = [
        "v": 1, "event": waves == nil ? "end" : "dry_run", "ok": .bool(isRight), "have": Self.names(contents.have),
        "without": Self.names(contents.without),
      ]
      object["waves"] = waves.map { .array($0.waves.map(Self.names)) }
      object["absent"] = waves.map { Self.names($0.absent) }
      Terminal.print(JSONValue.object(object).serialized())
    } else {
      FleetOptions.print((waves?.lines ?? []) + Self.lines(contents) + (waves == nil ? ["nothing to do"] : []))
    }
    if !isRight { throw ExitCode.expectationFailed }
  }

  private func tell(_ end: RolloutEnd, _ contents: RolloutContents, isJSON: Bool) throws {
    if isJSON {
      Terminal.print(end.json.serialized())
    } else {
      FleetOptions.print((end.lines + Self.lines(contents)).map { TerminalText.escaped($0) })
    }
    let goesOn = "the same command goes on with the sites that do not have it"
    switch end {
    case .done: return
    case .stopped: throw ExitCode.expectationFailed
    case .interrupted:
      if !isJSON { Terminal.say("help: \(goesOn)") }
      throw ExitCode(SignalWatch.first?.exit ?? .interrupted)
    case .connectionLost:
      if !isJSON { Terminal.say("help: \(goesOn)") }
      throw ExitCode(RunExit.deadlinePassed)
    }
  }
}

extension RolloutOffer {
  /// A document that is taken off does no harm that shows later.
  fileprivate var usualWatch: Duration {
    switch self {
    case .files, .previous: .seconds(300)
    case .removal: .zero
    }
  }
}
