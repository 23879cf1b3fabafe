import ArgumentParser
import DeviceControl
import ScenarioLanguage
import Workspace

/// `showcaller queue load`: plays several addresses one after the other.
struct QueueLoadCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Play several addresses one after the other.",
    discussion: """
      They replace what plays. Addresses come from the command line, from a list with one a line, or both; M3U playlists \
      give titles, too. Queues that are too long for one message are sent in several.
      """)

  @Argument(help: ArgumentHelp("http: or https: addresses.", valueName: "url"))
  var urls: [Word] = []

  @Option(
    help: ArgumentHelp("A list with an address a line, or an M3U playlist; - is standard input.", valueName: "list"),
    completion: .file())
  var file: String?

  @Option(help: ArgumentHelp("The MIME type of all of them; by default from the endings.", valueName: "type"))
  var type: Word?

  @Option(help: ArgumentHelp("The first to play; 1 by default.", valueName: "number"))
  var startAt = 1

  @Option(
    name: .customLong("repeat"), help: ArgumentHelp("off, all, one or shuffle.", valueName: "mode"),
    completion: .list(["off", "all", "one", "shuffle"]))
  var mode: Word?

  @Option(help: ArgumentHelp("The app to play it in, eight hexadecimal digits.", valueName: "id"))
  var app: Word?

  @Option(help: ArgumentHelp("When it is done: accepted, loaded, playing or finished.", valueName: "state"))
  var until: LoadCommand.Until?

  @OptionGroup var options: OneLineOptions

  func validate() throws {
    if urls.isEmpty, file == nil { throw ValidationError("give addresses, or --file with a list of them") }
  }

  func command(_ reader: inout CommandReader) throws -> DeviceCommand? {
    var words = QueueWords()
    if let mode { words.repeatMode = try QueueRepeatCommand.repeatMode(mode) }
    let list = try AddressList(urls.map(\.text), file: file)
    if let source = list.source { reader.note(source) }
    guard (1...list.entries.count).contains(startAt) else {
      throw CommandFailure(
        .commandLineWrong, "--start-at \(startAt) is none of the \(list.entries.count) items", help: "1 is the first")
    }
    (words.type, words.app, words.until) = (type?.text, app?.text, until?.state)
    var command = DeviceCommand(queue: list.entries, from: startAt - 1, words, read: &reader)
    if until == .finished { command?.waitForTheEnd() }
    return command
  }
}

/// `showcaller queue insert`: adds to what plays.
struct QueueInsertCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert", abstract: "Add addresses to the queue, at its end unless --before names an item.",
    aliases: ["add"])

  @Argument(help: ArgumentHelp("http: or https: addresses.", valueName: "url"))
  var urls: [Word] = []

  @Option(
    help: ArgumentHelp("A list with an address a line, or an M3U playlist; - is standard input.", valueName: "list"),
    completion: .file())
  var file: String?

  @Option(help: ArgumentHelp("The MIME type of all of them; by default from the endings.", valueName: "type"))
  var type: Word?

  @Option(help: ArgumentHelp("The item they go before.", valueName: "item"))
  var before: Word?

  @OptionGroup var options: OneLineOptions

  func validate() throws {
    if urls.isEmpty, file == nil { throw ValidationError("give addresses, or --file with a list of them") }
  }

  func command(_ reader: inout CommandReader) throws -> DeviceCommand? {
    let list = try AddressList(urls.map(\.text), file: file)
    if let source = list.source { reader.note(source) }
    return DeviceCommand(insert: list.entries, type: type?.text, before: before?.text, read: &reader)
  }
}
