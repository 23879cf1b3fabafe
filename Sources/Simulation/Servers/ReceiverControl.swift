package import CastProtocol
package import CastReceiver
import CastTransport

/// What may be asked of receivers over their control socket, and what comes of it.
package struct ReceiverControl: Sendable {
  /// Bytes of an answer; what has more leaves out the senders.
  private static let answerLimit = 900 * 1024

  private let receivers: RunningReceivers
  private let processID: Int

  package init(_ receivers: RunningReceivers, processID: Int) {
    self.receivers = receivers
    self.processID = processID
  }

  package func answer(_ request: ControlRequest) async -> ControlAnswer {
    switch request {
    case .status:
      let entries = receivers.all.map(Self.entry)
      let whole = answer(entries)
      if whole.line.count <= Self.answerLimit { return whole }
      return answer(
        entries.map { entry in
          var entry = entry
          entry.snapshot.senders = nil
          return entry
        })
    case .press(let button, let id, let app):
      guard let index = receivers.all.firstIndex(where: { $0.receiver.configuration.id == id }) else {
        return .refusal(.init(message: "no receiver with this id runs here any more"))
      }
      do {
        try await press(button, app, on: index)
        return answer([Self.entry(receivers.all[index])])
      } catch {
        return .refusal(error)
      }
    }
  }

  private func answer(_ entries: [ControlAnswer.Receiver]) -> ControlAnswer {
    .receivers(entries, processID: processID)
  }

  private static func entry(_ running: RunningReceiver) -> ControlAnswer.Receiver {
    .init(running.receiver.snapshot, address: running.address)
  }

  private func press(
    _ button: ReceiverButton, _ app: ControlRequest.TakeoverApp?, on index: Int
  ) async throws(PersonRefusal) {
    let receiver = receivers.all[index].receiver
    let isPlugged = receiver.snapshot.isPlugged
    switch button {
    case .play: try receiver.press(.play)
    case .pause: try receiver.press(.pause)
    case .stop: try receiver.press(.stop)
    case .next: try receiver.press(.next)
    case .previous: try receiver.press(.previous)
    case .volumeUp: try receiver.press(.volumeUp)
    case .volumeDown: try receiver.press(.volumeDown)
    case .mute: try receiver.press(.mute)
    case .power: try receiver.press(.power)
    case .home: try receiver.press(.home)
    case .input: try receiver.press(.input)
    case .stopApp: try receiver.press(.stopApp)
    case .takeover: try receiver.press(.takeover(appID: app?.id ?? "", name: app?.name ?? ""))
    case .unplug:
      if !isPlugged { throw PersonRefusal(message: "it is unplugged already", help: "`plug` gives it power again") }
      try await receivers.unplug(index)
    case .plug:
      if isPlugged { throw PersonRefusal(message: "it is plugged in already") }
      try await receivers.plug(index)
    }
  }
}

extension RunningReceivers {
  /// What serves their control socket.
  package func controlServer(processID: Int, time: TimeSource) -> ControlServer {
    let control = ReceiverControl(self, processID: processID)
    return ControlServer(time: time) { await control.answer($0) }
  }
}
