import ArgumentParser
import CastProtocol
import DeviceControl
import ScenarioLanguage

/// `showcaller launch`: starts or joins an app.
struct LaunchCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "launch", _superCommandName: ShowcallerCommand.name, abstract: "Start an app on a device; it stays.",
    discussion: """
      Such as CC1AD845, eight hexadecimal digits. Without an id it is the Default Media Receiver. An app that runs is \
      told the language, the data and the credentials, too; nothing restarts.
      """)

  @Argument(help: "The id of the app.")
  var app: Word?

  @Option(help: ArgumentHelp("The language the app is started in, such as pt-BR.", valueName: "tag"))
  var language: Word?

  @Option(help: ArgumentHelp("Whether one that runs will do: auto, never (start anew) or only.", valueName: "when"))
  var join: Word?

  @Option(help: ArgumentHelp("Free data for the app, a JSON object.", valueName: "json"))
  var params: JSONWord?

  @Option(help: ArgumentHelp("Who is logged in, for apps on Android TV that ask for it.", valueName: "text"))
  var credentials: Word?

  @Option(help: ArgumentHelp("From which kind of sender the credentials are: web, android, ios.", valueName: "type"))
  var credentialsType: Word?

  @Option(
    name: .customLong("app-type"),
    help: ArgumentHelp(
      "What may be started, web or android-tv; may be repeated. By default the device decides.", valueName: "type"))
  var appTypes: [AppType] = []

  @OptionGroup var options: OneLineOptions

  func validate() throws {
    if credentialsType != nil, credentials == nil { throw ValidationError("--credentials-type needs --credentials") }
    if credentials != nil, params?.value["launchCheckerParams"] != nil {
      throw ValidationError("use --credentials or `launchCheckerParams` in --params, not both")
    }
  }

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    let id = reader.app(app?.text ?? "default")
    let language = language.flatMap { reader.language($0.text) }
    let join = join.flatMap { reader.joinRule($0.text) }
    let params = data.flatMap { reader.json($0) }
    guard let id else { return nil }
    var launch = Plan.LaunchAction(appID: id)
    (launch.language, launch.join, launch.params) = (language, join ?? .auto, params)
    if !appTypes.isEmpty { launch.appTypes = appTypes.map(\.wireWord) }
    return DeviceCommand(.launch(launch))
  }

  /// The free data with the credentials where the platform looks for them (docs/protocol.md 3.2).
  private var data: JSONValue? {
    guard let credentials else { return params?.value }
    var object = params?.value.object ?? [:]
    let login: JSONObject = [
      "credentials": .string(credentials.text), "credentialsType": .string(credentialsType?.text ?? "web"),
    ]
    object["launchCheckerParams"] = ["credentialsData": .object(login)]
    return .object(object)
  }
}

/// What kind of receiver app a device may start.
enum AppType: String, ExpressibleByArgument, CaseIterable {
  case web
  case androidTV = "android-tv"

  /// In the words of the wire (docs/protocol.md 3.1).
  var wireWord: String {
    switch self {
    case .web: "WEB"
    case .androidTV: "ANDROID_TV"
    }
  }
}
