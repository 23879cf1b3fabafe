package import CastProtocol
package import CastReceiver
import CastTransport
import RunReporting

/// Virtual receivers that were started together: they share one certificate, one announcer and one control socket.
package struct RunningReceivers: Sendable {
  package let all: [RunningReceiver]
  private let announcements: ReceiverAnnouncements

  /// Starts them in their order; when one cannot be, the others are stopped.
  /// - Parameters:
  ///   - host: The address that they listen on; `nil`: loopback, or all where they are announced.
  ///   - port: Of the first, the next ones follow; 0: any free ones. Groups are at any free one.
  ///   - fixedPorts: Ports of their own, by name, unless `port` is 0.
  ///   - moved: Told by name which of them listens at another port from now on, or nowhere.
  package static func start(
    _ configurations: [ReceiverConfiguration], host: String?, port: Int, advertises: Bool, times: TimeSources,
    fixedPorts: [String: Int] = [:],
    moved: @escaping @Sendable (_ name: String, ReceiverMove) -> Void = { _, _ in }
  ) async throws(ReceiverServerError) -> RunningReceivers {
    let identity: ServerIdentity
    do {
      identity = try ServerIdentity()
    } catch {
      throw ReceiverServerError(.bug, "no certificate could be made: \(error.message)", help: error.help)
    }
    let hosts = host.map { [$0] } ?? (advertises ? ["::", "0.0.0.0"] : ["127.0.0.1"])
    let announcements = ReceiverAnnouncements(configurations)
    var running: [RunningReceiver] = []
    let taken = Set(fixedPorts.values)
    var next = port
    do throws(ReceiverServerError) {
      for (index, configuration) in configurations.enumerated() {
        var configuration = configuration
        if advertises { configuration.showingChanged = { announcements.shows($0, at: index) } }
        let (name, tell) = (configuration.name, moved)
        // A group is at a port of its own, as on devices, where that of its leader is taken.
        while next > 0, taken.contains(next) { next += 1 }
        let fixed = port == 0 ? nil : fixedPorts[name]
        let followsOn = fixed == nil && configuration.members.isEmpty
        let receiver = try await RunningReceiver.start(
          configuration, hosts: hosts, port: fixed ?? (followsOn ? next : 0), identity: identity, times: times
        ) { move in
          switch move {
          case .listens(let port): announcements.listens(at: port, at: index)
          case .staysAway: announcements.setAway(true, at: index)
          }
          tell(name, move)
        }
        announcements.listens(at: receiver.port, at: index)
        running.append(receiver)
        if next > 0, followsOn { next += 1 }
      }
      if advertises { try await announcements.begin() }
      return RunningReceivers(all: running, announcements: announcements)
    } catch {
      await stop(running)
      throw error
    }
  }

  /// Pulls the plug of one of them: the network forgets it, too.
  func unplug(_ index: Int) async throws(PersonRefusal) {
    try await all[index].unplug()
    announcements.setAway(true, at: index)
  }

  /// Puts it in again.
  func plug(_ index: Int) async throws(PersonRefusal) {
    try await all[index].plug()
    announcements.setAway(false, at: index)
  }

  package func stop() async {
    await announcements.end()
    await Self.stop(all)
  }

  private static func stop(_ receivers: [RunningReceiver]) async {
    await withTaskGroup(of: Void.self) { group in
      for receiver in receivers { group.addTask { await receiver.stop() } }
    }
  }
}
