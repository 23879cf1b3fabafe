import ArgumentParser
import CastProtocol
import FleetControl
import FleetMessages
import RunReporting
import ScenarioLanguage
import Workspace

extension FleetOrder.Verb: ExpressibleByArgument {}

/// `showcaller fleet order`: something to be done now.
struct FleetOrderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "order", abstract: "Have sites do something now: skip, pause, resume, play, fire or clear.",
    discussion: """
      Sites that are not online do not get it. Exits 0 where all have done it, 1 where one has refused it or is not \
      there, 6 where one did not answer in time, and 4 where no site matches.
      """)

  @Argument(help: ArgumentHelp("What to do.", valueName: "verb"))
  var verb: FleetOrder.Verb

  @Argument(
    help: ArgumentHelp("The id or address of an item, for play; a trigger, for fire and clear.", valueName: "name"))
  var subject: String?

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("The sites: a name in which * and ? stand for others.", valueName: "glob"))
  var glob: SiteGlob

  @Option(help: ArgumentHelp("Only this playlist.", valueName: "id"))
  var playlist: String?

  @Option(help: ArgumentHelp("Only this screen.", valueName: "name"))
  var screen: String?

  @Option(
    help: ArgumentHelp("How long to wait for the answers; 15s unless it is given, 60s at most.", valueName: "time"))
  var timeout: TimeLimit?

  @Option(
    help: ArgumentHelp("The operator's private key; without it that of the state folder.", valueName: "file"),
    completion: .file(extensions: ["pem"]))
  var key: String?

  @OptionGroup var options: FleetOptions

  func validate() throws {
    switch verb {
    case .skip, .pause, .resume:
      if subject != nil { throw ValidationError("`\(verb.rawValue)` takes no name: --screen and --playlist say where") }
    case .play: if subject?.isEmpty ?? true { throw ValidationError("`play` names an item: its id or address") }
    case .fire, .clear: if subject?.isEmpty ?? true { throw ValidationError("`\(verb.rawValue)` names a trigger") }
    }
    if let timeout, timeout.duration <= .zero || timeout.duration > .seconds(60) {
      throw ValidationError("--timeout is above 0 and 60s at most: an order is good for a minute")
    }
  }

  func run() async throws {
    let key = try OperatorKeys.key(key, makes: false)
    var generator = SystemRandomNumberGenerator()
    let time = Surroundings.process.unixTime()
    let id = RunID.make(unixMilliseconds: UInt64(max(0, time * 1_000)), using: &generator)
    let connection = try await options.begin()
    var order = FleetOrder(id: id, issued: Int(time), verb: verb)
    (order.playlist, order.screen) = (playlist, screen)
    switch verb {
    case .play: order.item = subject
    case .fire, .clear: order.trigger = subject
    case .skip, .pause, .resume: break
    }
    let ordering = FleetOrdering(
      connection, glob, order, by: key.key, limit: timeout?.duration ?? .seconds(15))
    let answered = try await connection.perform(ordering).get()
    tell(answered)
    if !answered.round.missing.isEmpty { throw ExitCode(RunExit.deadlinePassed) }
    if !answered.round.isObeyed || !answered.absent.isEmpty { throw ExitCode.expectationFailed }
  }

  private func tell(_ answered: FleetOrdering.Answered) {
    if options.json {
      var object = answered.round.json.object ?? JSONObject()
      object["absent"] = .array(answered.absent.map { .string($0.text) })
      if !answered.absent.isEmpty { object["ok"] = false }
      return Terminal.print(JSONValue.object(object).serialized())
    }
    var lines = answered.round.answers.keys.sorted().map { TerminalText.escaped(answered.round.line(of: $0)) }
    lines += answered.absent.map { "\($0): is not online" }
    FleetOptions.print(lines)
  }
}
