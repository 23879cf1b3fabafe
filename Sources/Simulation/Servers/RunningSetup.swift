package import CastReceiver
import CastTransport
package import CastProtocol

/// The ports beside a receiver's own, where senders ask who it is.
package struct RunningSetup: Sendable {
  private static let plainPort = 8008
  private static let securePort = 8443

  private var plain: PlainServer?
  private var secure: TLSServer?
  /// The ports that somebody else has.
  package private(set) var busy: [Int] = []

  /// One that answers nowhere.
  package init() {}

  package static func start(
    _ configuration: ReceiverConfiguration, host: String, times: TimeSources
  ) async -> RunningSetup {
    let server = SetupServer(configuration: configuration, time: times.network)
    var running = RunningSetup()
    do {
      running.plain = try await PlainServer.listen(host: host, port: plainPort, accept: server.accept)
    } catch {
      running.busy.append(plainPort)
    }
    do {
      running.secure = try await TLSServer.listen(
        host: host, port: securePort, commonName: configuration.name, accept: server.accept)
    } catch {
      running.busy.append(securePort)
    }
    return running
  }

  package func stop() async {
    await plain?.close()
    await secure?.close()
  }
}
