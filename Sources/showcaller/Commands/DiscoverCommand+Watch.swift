import CastProtocol
import CastTransport
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// `discover --watch`: a line for each device that comes, moves, changes and goes.
extension DiscoverCommand {
  /// Until Ctrl-C, or for as long as `--timeout` says.
  func watchDevices() async throws(CommandFailure) {
    let clock = TimeSource(ContinuousClock())
    let limit = timeout?.duration
    let interruptions = await Interruptions.begin()
    let failure = await withTaskGroup(of: CommandFailure?.self) { group in
      group.addTask { await follow(clock) }
      group.addTask {
        await interruptions.first()
        return nil
      }
      if let limit {
        group.addTask {
          try? await clock.sleep(for: limit)
          return nil
        }
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    if let failure { throw failure }
  }

  /// - Returns: Why nothing can be watched.
  private func follow(_ clock: TimeSource) async -> CommandFailure? {
    var roster = DeviceRoster()
    do throws(TransportError) {
      for try await event in DeviceWatch(clock: { clock.now }) {
        switch event {
        case .changed(let change):
          if let event = roster.receive(change) { tell(event) }
        case .lost(let error):
          json
            ? say("lost", ["message": .string(error.message)])
            : Terminal.say("warning: \(error.message): waiting until it is back")
        case .back: json ? say("back", [:]) : Terminal.say("the mDNS daemon is back")
        }
      }
      return nil
    } catch {
      return CommandFailure(.noDevice, error.message, help: error.help)
    }
  }

  private func tell(_ event: DeviceRoster.Event) {
    switch event {
    case .came(let record):
      let device = ListedDevice(record)
      KnownDevices.process.remember(.init(record))
      guard device.can(can) else { return }
      json ? say("came", ["device": device.json]) : line("came", DeviceTable.line(device))
    case .gone(let record):
      let device = ListedDevice(record)
      guard device.can(can) else { return }
      json ? say("gone", ["device": device.json]) : line("gone", DeviceTable.line(device))
    case .moved(let from, let to):
      let (before, device) = (ListedDevice(from), ListedDevice(to))
      KnownDevices.process.remember(.init(to))
      guard device.can(can) else { return }
      json
        ? say("moved", ["device": device.json, "before": before.json])
        : line("moved", "\(TerminalText.escaped(device.name))  \(before.address.text) -> \(device.address.text)")
    case .changed(let from, let to):
      let (before, device) = (ListedDevice(from), ListedDevice(to))
      KnownDevices.process.remember(.init(to))
      guard device.can(can) || before.can(can) else { return }
      json
        ? say("changed", ["device": device.json, "before": before.json])
        : line("changed", "\(TerminalText.escaped(device.name))  \(Self.differences(before, device))")
    }
  }

  /// What is another: `shows Sintel -> nothing`.
  private static func differences(_ before: ListedDevice, _ after: ListedDevice) -> String {
    func word(_ text: String?) -> String { text.flatMap { $0.isEmpty ? nil : TerminalText.escaped($0) } ?? "nothing" }
    var parts: [String] = []
    for (name, path) in [
      ("name", \ListedDevice.name as KeyPath<ListedDevice, String>), ("model", \.model.orEmpty),
      ("can", \.joinedCapabilities), ("shows", \.shows.orEmpty),
    ] where before[keyPath: path] != after[keyPath: path] {
      parts.append("\(name) \(word(before[keyPath: path])) -> \(word(after[keyPath: path]))")
    }
    return parts.isEmpty ? "something else it says of itself" : parts.joined(separator: ", ")
  }

  private func say(_ event: String, _ fields: JSONObject) {
    var object: JSONObject = [
      "event": .string(event), "t": .string(UTCTime(unixSeconds: Surroundings.process.unixTime()).text),
    ]
    object.members += fields.members
    Terminal.print(JSONValue.object(object).serialized())
  }

  /// A line for people begins with the time of day here.
  private func line(_ event: String, _ text: String) {
    Terminal.print(
      "\(Terminal.timeOfDay)  \(event.count < 7 ? event + String(repeating: " ", count: 7 - event.count) : event)  \(text)"
    )
  }
}

extension ListedDevice {
  fileprivate var joinedCapabilities: String { capabilityWords.joined(separator: ",") }
}

extension String? {
  fileprivate var orEmpty: String { self ?? "" }
}
