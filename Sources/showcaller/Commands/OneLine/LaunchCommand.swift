import ArgumentParser
import CastProtocol

/// `showcaller launch`: starts or joins an app.
struct LaunchCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "launch", abstract: "Start an app on a device; it stays.",
    discussion: "Such as CC1AD845, eight hexadecimal digits. Without an id it is the Default Media Receiver.")

  @Argument(help: "The id of the app.")
  var app: Word?

  @Option(help: ArgumentHelp("The language the app is started in, such as pt-BR.", valueName: "tag"))
  var language: Word?

  @Option(help: ArgumentHelp("Whether one that runs will do: auto, never (start anew) or only.", valueName: "when"))
  var join: Word?

  @Option(help: ArgumentHelp("Free data for the app, a JSON object.", valueName: "json"))
  var params: JSONWord?

  @OptionGroup var options: OneLineOptions

  func steps(timeout: Written?) -> [WrittenStep] {
    var entries = [(key: "app", value: Written(app) ?? .fixed("default"))]
    if let language = Written(language) { entries.append(("language", language)) }
    if let join = Written(join) { entries.append(("join", join)) }
    if let params { entries.append(("params", .json(params.value))) }
    return [WrittenStep("launch", .map(entries), timeout: timeout)]
  }
}
