import ArgumentParser
import CastProtocol
import CastReceiver
import ScenarioLanguage

/// `showcaller receiver`: the person in the room with the virtual receivers that `receive` has started.
struct ReceiverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "receiver",
    abstract: "Be the person in the room: press buttons of running virtual receivers, see what they do.",
    discussion:
      "Speaks to the processes of `showcaller receive` that run under the same user, over their control sockets.",
    subcommands: [ReceiverPressCommand.self, ReceiverStatusCommand.self])
}

extension ReceiverButton: ExpressibleByArgument {}

/// `showcaller receiver press`: a button of the remote control, another phone, or the plug.
struct ReceiverPressCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "press", abstract: "Press a button of a virtual receiver, and show what it does then.",
    discussion: "Senders are told as by a device, in answer to none of them. BUTTON:\n"
      + ReceiverButton.allCases.map { "  \($0.rawValue): \($0.meaning)" }.joined(separator: "\n"))

  @Argument(help: ArgumentHelp("What is pressed.", valueName: "button"))
  var button: ReceiverButton

  @Argument(help: ArgumentHelp("The app of `takeover`: YouTube, or an app id.", valueName: "app"))
  var app: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Which receiver, where several run: its name, id, port or address.", valueName: "name|port"))
  var device: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if app != nil, button != .takeover { throw ValidationError("only `takeover` takes an app") }
    if let app, app.isEmpty || app.utf8.count > 64 {
      throw ValidationError("an app is a name or an id of 1 to 64 bytes")
    }
  }

  func run() async throws {
    do {
      let found = try await FoundReceivers()
      let name = app ?? "YouTube"
      let takeover = button == .takeover ? ControlRequest.TakeoverApp(id: try Self.appID(name), name: name) : nil
      let after = try await found.press(button, of: found.chosen(by: device), app: takeover)
      if json {
        ReceiverCommand.print(after.json)
      } else {
        for line in ReceiverText(after).lines { Terminal.print(line) }
      }
    } catch {
      try ReceiverCommand.tell(error, asJSON: json)
    }
  }
}

extension ReceiverPressCommand {
  private static func appID(_ name: String) throws(CommandFailure) -> String {
    if let id = KnownApps.id(of: name) { return id }
    let nearest = Suggestions.nearest(to: name, among: KnownApps.names)
    throw CommandFailure(
      .commandLineWrong, "unknown app `\(TerminalText.escaped(name))`",
      help: nearest.map { "did you mean `\($0)`?" } ?? "name YouTube, Netflix or Spotify, or an id such as `A1B2C3D4`")
  }
}

/// `showcaller receiver status`: what runs, and what it does.
struct ReceiverStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show which virtual receivers run on this computer, and what they do.",
    discussion: "App, media, position, volume and senders, as the receiver itself knows them; no sender is told.")

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Only this receiver: its name, id, port or address.", valueName: "name|port"))
  var device: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() async throws {
    do {
      let found = try await FoundReceivers()
      let entries = device == nil ? found.all : [try found.chosen(by: device)]
      if json {
        let receivers = JSONValue.array(entries.map { .object($0.json) })
        ReceiverCommand.print(["receivers": receivers])
      } else {
        for line in entries.flatMap({ ReceiverText($0).lines }) { Terminal.print(line) }
      }
    } catch {
      try ReceiverCommand.tell(error, asJSON: json)
    }
  }
}

extension ReceiverCommand {
  /// Says in JSON what came of it, as every command does.
  fileprivate static func print(_ members: JSONObject) {
    var object: JSONObject = ["v": 1, "ok": true, "exit": 0]
    object.members += members.members
    Terminal.print(JSONValue.object(object).serialized())
  }

  /// Says in JSON, too, why nothing could be done.
  fileprivate static func tell(_ error: any Error, asJSON json: Bool) throws {
    guard json, let failure = CommandFailure(any: error) else { throw error }
    Terminal.tell(failure.message, help: failure.help)
    Terminal.print(failure.json.serialized())
    throw failure.code
  }
}
