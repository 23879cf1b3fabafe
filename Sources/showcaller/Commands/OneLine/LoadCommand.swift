import ArgumentParser
import ScenarioLanguage
import Workspace

/// `showcaller load`: plays an address.
struct LoadCommand: OneLineCommand {
  enum Until: String, ExpressibleByArgument, CaseIterable { case accepted, loaded, playing, finished }

  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Play what is at an address.",
    discussion: """
      The device fetches it: the address must be one that the device can reach. It plays in the Default Media Receiver \
      unless --app names another app. The command ends when it plays; --until finished when it is over.
      """)

  @Argument(help: ArgumentHelp("An http: or https: address.", valueName: "url"))
  var url: Word

  @Option(help: ArgumentHelp("Its MIME type; by default from the ending of the address.", valueName: "type"))
  var type: Word?

  @Option(help: "The title on the screen.")
  var title: Word?

  @Option(help: "The second line on the screen.")
  var subtitle: Word?

  @Option(help: ArgumentHelp("A poster.", valueName: "url"))
  var image: Word?

  @Option(help: ArgumentHelp("Subtitles, WebVTT or TTML; they are on.", valueName: "url"))
  var subtitles: Word?

  @Option(help: ArgumentHelp("The language of the subtitles; en by default.", valueName: "tag"))
  var subtitlesLanguage: Word?

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
    if paused, until == .playing || until == .finished {
      throw ValidationError("--paused does not play: leave out --until \(until?.rawValue ?? "")")
    }
  }

  var watchesToTheEnd: Bool { until == .finished }

  func read(_ reader: inout CommandReader) throws {
    try MediaAddress.check(url.text)
    if let subtitles { try MediaAddress.check(subtitles.text) }
    var entries: [(key: String, value: CommandValue)] = [
      ("media", .map(media)), ("app", app?.value ?? .fixed("default")),
    ]
    if paused { entries.append(("autoplay", .fixed("false"))) }
    if let start { entries.append(("start", start.value)) }
    if let rate { entries.append(("rate", rate.value)) }
    if subtitles != nil { entries.append(("tracks", .list([.fixed("subtitles")]))) }
    if let custom { entries.append(("custom", .json(custom.value))) }
    if let until, until != .finished { entries.append(("until", .fixed(until.rawValue))) }
    reader.add("load", .map(entries))
  }

  private var media: [(key: String, value: CommandValue)] {
    var media: [(key: String, value: CommandValue)] = [("url", url.value)]
    if let type { media.append(("type", type.value)) }
    if live { media.append(("stream", .fixed("live"))) }
    if let duration { media.append(("duration", duration.value)) }
    var metadata: [(key: String, value: CommandValue)] = []
    if let title { metadata.append(("title", title.value)) }
    if let subtitle { metadata.append(("subtitle", subtitle.value)) }
    if let image { metadata.append(("images", .list([image.value]))) }
    if !metadata.isEmpty { media.append(("metadata", .map(metadata))) }
    if let subtitles {
      let track: [(key: String, value: CommandValue)] = [
        ("id", .fixed("subtitles")), ("subtype", .fixed("subtitles")),
        ("language", subtitlesLanguage?.value ?? .fixed("en")), ("url", subtitles.value),
      ]
      media.append(("tracks", .list([.map(track)])))
    }
    return media
  }
}
