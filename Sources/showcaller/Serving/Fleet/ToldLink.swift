import CastProtocol
import FleetMessages
import ScenarioLanguage

/// A link that tells people once of each change of its connection.
struct ToldLink: BrokerLink {
  let link: any BrokerLink
  let address: String

  var events: AsyncStream<BrokerEvent> {
    AsyncStream { [self] in
      // An element each: what nobody reads is not taken from the link.
      for await event in link.events {
        tell(event)
        return event
      }
      return nil
    }
  }

  private func tell(_ event: BrokerEvent) {
    switch event {
    case .connected: Terminal.say("connected with the broker \(TerminalText.escaped(address))")
    case .disconnected(let failure):
      let help = failure.help.map { " (\($0))" } ?? ""
      Terminal.say(
        "warning: no connection with the broker: \(TerminalText.escaped(failure.message + help)); the screens go on, and it is tried again"
      )
    case .message, .acknowledged, .denied: break
    }
  }

  func send(_ command: BrokerCommand) -> Bool { link.send(command) }

  func close() async { await link.close() }
}
