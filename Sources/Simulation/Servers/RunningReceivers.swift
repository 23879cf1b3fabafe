package import CastProtocol
package import CastReceiver
import CastTransport
import RunReporting

/// Virtual receivers that were started together: they share one certificate and one announcer.
package struct RunningReceivers: Sendable {
  package let all: [RunningReceiver]
  private let advertiser: DeviceAdvertiser?

  /// Starts them in their order; when one cannot be, the others are stopped.
  /// - Parameters:
  ///   - host: The address that they listen on; `nil`: loopback, or all where they are announced.
  ///   - port: Of the first, the next ones follow; 0: any free ones.
  package static func start(
    _ configurations: [ReceiverConfiguration], host: String?, port: Int, advertises: Bool, times: TimeSources
  ) async throws(ReceiverServerError) -> RunningReceivers {
    let identity: ServerIdentity
    do {
      identity = try ServerIdentity()
    } catch {
      throw ReceiverServerError(.bug, "no certificate could be made: \(error.message)", help: error.help)
    }
    let hosts = host.map { [$0] } ?? (advertises ? ["::", "0.0.0.0"] : ["127.0.0.1"])
    var running: [RunningReceiver] = []
    do throws(ReceiverServerError) {
      for (index, configuration) in configurations.enumerated() {
        running.append(
          try await RunningReceiver.start(
            configuration, hosts: hosts, port: port == 0 ? 0 : port + index, identity: identity, times: times))
      }
      let advertiser = advertises ? try await announce(running) : nil
      return RunningReceivers(all: running, advertiser: advertiser)
    } catch {
      await stop(running)
      throw error
    }
  }

  private static func announce(_ receivers: [RunningReceiver]) async throws(ReceiverServerError) -> DeviceAdvertiser {
    let devices = receivers.compactMap { receiver -> DeviceAdvertisement? in
      let configuration = receiver.receiver.configuration
      return DeviceID(configuration.id).map {
        DeviceAdvertisement(
          id: $0, name: configuration.name, model: configuration.model,
          capabilities: DeviceCapabilities(rawValue: UInt64(configuration.capabilities)), port: receiver.port)
      }
    }
    do {
      return try await DeviceAdvertiser.advertise(devices, limit: .seconds(5) + .milliseconds(20) * devices.count)
    } catch {
      let names = receivers.count == 1 ? receivers[0].receiver.configuration.name : "\(receivers.count) receivers"
      throw ReceiverServerError(
        .noDevice, "cannot announce \(names): \(error.message)",
        help: error.code == .discoveryUnavailable
          ? "install and start avahi-daemon, or leave out --advertise and give senders the address" : error.help)
    }
  }

  package func stop() async {
    await advertiser?.close()
    await Self.stop(all)
  }

  private static func stop(_ receivers: [RunningReceiver]) async {
    await withTaskGroup(of: Void.self) { group in
      for receiver in receivers { group.addTask { await receiver.stop() } }
    }
  }
}
