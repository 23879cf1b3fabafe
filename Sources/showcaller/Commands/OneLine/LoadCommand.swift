import ArgumentParser
import CastProtocol
import DeviceControl
import MediaServer
import ScenarioLanguage
import Workspace

/// `showcaller load`: plays an address.
struct LoadCommand: OneLineCommand {
  enum Until: String, ExpressibleByArgument, CaseIterable { case accepted, loaded, playing, finished }

  static let configuration = CommandConfiguration(
    commandName: "load", _superCommandName: ShowcallerCommand.name, abstract: "Play what is at an address.",
    discussion: """
      The device fetches it: the address must be one that the device can reach. A file of this computer is served to \
      the device, and only to it, for as long as the command runs: until it is over, or Ctrl-C. It plays in the Default \
      Media Receiver unless --app names another app. The command ends when an address plays; with --until finished when \
      it is over.
      """)

  @Argument(help: ArgumentHelp("An http: or https: address, or a file.", valueName: "url"))
  var url: Word

  @Option(help: ArgumentHelp("Its MIME type; by default from the ending of the address.", valueName: "type"))
  var type: Word?

  @Option(help: "The title on the screen.")
  var title: Word?

  @Option(help: "The second line on the screen.")
  var subtitle: Word?

  @Option(help: ArgumentHelp("A poster.", valueName: "url"))
  var image: Word?

  @Option(help: ArgumentHelp("Subtitles, WebVTT or TTML, or a file, also of SubRip; they are on.", valueName: "url"))
  var subtitles: Word?

  @Option(help: ArgumentHelp("The language of the subtitles; en by default.", valueName: "tag"))
  var subtitlesLanguage: Word?

  @Option(
    help: ArgumentHelp(
      "The encoding of a file of subtitles, such as windows-1250; found out by default.", valueName: "name"))
  var subtitlesEncoding: Word?

  @Option(help: ArgumentHelp("Where playing begins, such as 1m30s.", valueName: "position"))
  var start: Word?

  @Option(help: "How fast it plays, 0.5 to 2.")
  var rate: Word?

  @Option(help: ArgumentHelp("How long it is.", valueName: "duration"))
  var duration: Word?

  @Flag(help: "It is a live stream.")
  var live = false

  @Flag(help: "Load it, but do not play.")
  var paused = false

  @Option(help: ArgumentHelp("The app to play it in, eight hexadecimal digits.", valueName: "id"))
  var app: Word?

  @Option(help: ArgumentHelp("Free data for the app, a JSON object.", valueName: "json"))
  var custom: JSONWord?

  @Option(help: ArgumentHelp("When it is done: accepted, loaded, playing or finished.", valueName: "state"))
  var until: Until?

  @OptionGroup var options: OneLineOptions

  func validate() throws {
    if subtitlesLanguage != nil, subtitles == nil { throw ValidationError("--subtitles-language needs --subtitles") }
    if subtitlesEncoding != nil, subtitles == nil { throw ValidationError("--subtitles-encoding needs --subtitles") }
    if paused, until == .playing || until == .finished {
      throw ValidationError("--paused does not play: leave out --until \(until?.rawValue ?? "")")
    }
  }

  func command(_ reader: inout CommandReader) throws -> DeviceCommand? {
    let address = try MediaAddress.own(url.text)
    let subtitleAddress = try subtitles.map { try MediaAddress.own($0.text) }
    if let encoding = subtitlesEncoding {
      guard let subtitleAddress, MediaAddress.isFile(subtitleAddress) else {
        throw WorkspaceError(.commandLineWrong, "--subtitles-encoding is for a file of this computer")
      }
      guard TextEncoding(encoding.text) != nil else {
        throw WorkspaceError(
          .commandLineWrong, "`\(encoding.text)` is no encoding that is known",
          help: "write one of \(TextEncoding.known.joined(separator: ", "))")
      }
    }
    let isServed = [address, subtitleAddress].contains { $0.map(MediaAddress.isFile) ?? false }
    if isServed, paused {
      throw WorkspaceError(
        .commandLineWrong, "a file is served only while this command runs, so it cannot be left paused",
        help: "leave out --paused, or put it on a web server")
    }
    var words = LoadWords(url: address)
    (words.type, words.title, words.subtitle, words.image) = (type?.text, title?.text, subtitle?.text, image?.text)
    (words.subtitles, words.subtitlesLanguage) = (subtitleAddress, subtitlesLanguage?.text)
    words.subtitlesEncoding = subtitlesEncoding?.text
    (words.start, words.rate, words.duration) = (start?.text, rate?.text, duration?.text)
    (words.isLive, words.isPaused) = (live, paused)
    (words.app, words.custom, words.until) = (app?.text, custom?.value, until?.state)
    guard let load = reader.load(words) else { return nil }
    var command = DeviceCommand(.load(load))
    // A picture has no end, and was fetched whole when it is on.
    let isPicture = load.request.media.contentType?.hasPrefix("image/") == true
    if until == .finished || isServed && until == nil && !isPicture { command.waitForTheEnd() }
    if isServed, !isPicture, !options.json {
      Terminal.say("note: the file is served for as long as this command runs; Ctrl-C ends it")
    }
    return command
  }
}

extension LoadCommand.Until {
  /// The state that ends the load; `nil`: the usual one, before more is waited for.
  var state: Plan.LoadAction.Until? {
    switch self {
    case .accepted: .accepted
    case .loaded: .loaded
    case .playing: .playing
    case .finished: nil
    }
  }
}
