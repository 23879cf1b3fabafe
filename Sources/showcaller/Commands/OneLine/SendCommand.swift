import ArgumentParser
import CastClient
import CastProtocol
import DeviceControl
import ScenarioLanguage

/// `showcaller send`: a message of an app's own.
struct SendCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", _superCommandName: ShowcallerCommand.name, abstract: "Send a message to the app that runs.",
    discussion: """
      Such as urn:x-cast:com.example.player '{"type":"NEXT"}'. The app must offer the namespace. Done when it is sent.
      """)

  @Argument(help: "Begins with urn:x-cast:.")
  var namespace: Word

  @Argument(help: ArgumentHelp("A JSON object.", valueName: "json"))
  var message: JSONWord?

  @Option(help: ArgumentHelp("Send this text as it is, instead of JSON.", valueName: "text"))
  var text: String?

  @Option(help: ArgumentHelp("Send these bytes, two hexadecimal digits each, such as 00ff17.", valueName: "digits"))
  var hex: HexWord?

  @Flag(help: "Wait until an app runs that offers the namespace, for as long as --timeout says.")
  var wait = false

  @Flag(help: "Wait for the next message on the namespace, and print it; text and bytes as an object.")
  var reply = false

  @OptionGroup var options: OneLineOptions

  func validate() throws {
    let given = [message != nil, text != nil, hex != nil].count { $0 }
    if given != 1 { throw ValidationError("give a JSON object, --text or --hex, one of them") }
  }

  /// With `--wait` another sender starts the app, so the device must stay free for that sender.
  var changesDevice: Bool { !wait }

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    let json = message.flatMap { reader.json($0.value) }
    guard let name = reader.namespace(namespace.text, for: json) else { return nil }
    var action = Plan.SendAction(namespace: name, message: json ?? [:])
    action.payload = text.map { .text($0) } ?? hex.map { .bytes($0.bytes) }
    action.waitsForApp = wait
    if reply { action.reply = Plan.MessagePattern(.all([])) }
    return DeviceCommand(.send(action))
  }

  private func answer(in state: DeviceState) -> JSONValue? {
    guard reply else { return nil }
    return state.messages.last { $0.namespace?.rawValue == namespace.text }?.message
  }

  func fields(_ state: DeviceState) -> JSONObject {
    var fields = JSONObject()
    fields["reply"] = answer(in: state)
    return fields
  }

  func answer(_ state: DeviceState) -> [String] {
    answer(in: state).map { [TerminalText.escaped($0.serialized())] } ?? [state.line]
  }
}

/// Bytes on the command line, two hexadecimal digits each.
struct HexWord: ExpressibleByArgument {
  let bytes: [UInt8]

  init?(argument: String) {
    let digits = argument.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ":") }
    guard digits.count.isMultiple(of: 2), !digits.isEmpty else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
      // A sign is a digit to nobody else.
      guard !pair.contains("+"), !pair.contains("-"), let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
    }
    self.bytes = bytes
  }
}
