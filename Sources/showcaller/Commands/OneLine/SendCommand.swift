import ArgumentParser
import CastProtocol
import ScenarioLanguage

/// `showcaller send`: a message of an app's own.
struct SendCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send a message to the app that runs.",
    discussion: """
      Such as urn:x-cast:com.example.player '{"type":"NEXT"}'. The app must offer the namespace. Done when it is sent.
      """)

  @Argument(help: "Begins with urn:x-cast:.")
  var namespace: Word

  @Argument(help: ArgumentHelp("A JSON object.", valueName: "json"))
  var message: JSONWord

  @OptionGroup var options: OneLineOptions

  func steps(timeout: Written?) -> [WrittenStep] {
    let entries: [(key: String, value: Written)] = [
      ("namespace", .word(namespace.text)), ("message", .json(message.value)),
    ]
    return [WrittenStep("send", .map(entries), timeout: timeout)]
  }
  func settle(_ plan: inout Plan, on device: DeviceSnapshot) throws {
    guard let app = device.receiver?.application, !app.isIdleScreen, !app.namespaces.contains(.media) else { return }
    throw CommandFailure(.failed, "\(app.displayName) (\(app.appID)) plays no media: only apps that do can be joined")
  }
}
