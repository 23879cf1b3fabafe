import ArgumentParser
import CastProtocol
import DeviceControl
import ScenarioLanguage

/// `showcaller transfer`: what plays goes on on another device.
struct TransferCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfer", _superCommandName: ShowcallerCommand.name,
    abstract: "Let what plays go on on another device.",
    discussion: """
      Content, position, rate, tracks and the queue go along, volumes stay. This device stops only once the other one \
      plays; if that fails, it plays on.
      """)

  @Option(help: ArgumentHelp("The other device: an alias, a friendly name, an id or an address.", valueName: "device"))
  var to: String?

  @Option(help: ArgumentHelp("The other device is at this address; no discovery.", valueName: "address[:port]"))
  var toHost: HostAndPort?

  @Flag(help: "Let this device play on, too.")
  var keep = false

  @OptionGroup var options: OneLineOptions

  func validate() throws {
    if (to == nil) == (toHost == nil) { throw ValidationError("say where to: --to DEVICE or --to-host ADDRESS") }
    if to?.isEmpty == true { throw ValidationError("--to is empty") }
  }

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    var target = to.flatMap { reader.device($0) } ?? Plan.DeviceSelector(span: .ofCommandLine)
    if let toHost { target.host = toHost }
    return DeviceCommand([.transfer(to: target, stopsSource: !keep)])
  }

  func answer(_ state: DeviceState) -> [String] {
    [state.other.map { DeviceState(device: $0.device, view: $0.view).line } ?? state.line]
  }
}
