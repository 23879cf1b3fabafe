import CastClient
import CastProtocol
import CastReceiver
import CastTransport
import ScenarioLanguage
import ScenarioRunner
import Simulation

/// The virtual receivers of `run --virtual`: in this process, on loopback, behind real TLS (design.md 10).
struct VirtualLab: Sendable {
  private let receiver: VirtualReceiver
  private let server: TLSServer
  private let device: FoundDevice

  /// Starts one receiver that answers to whatever `plan` asks of its device.
  static func start(for plan: Plan, times: TimeSources, seed: UInt64) async throws(CommandFailure) -> VirtualLab {
    var device = VirtualDevice.answering(plan.device)
    let configuration = VirtualDevice.configuration(for: device, plan: plan, seed: seed)
    let receiver = VirtualReceiver(configuration: configuration, times: times)
    do {
      let server = try await TLSServer.listen(host: "127.0.0.1", port: 0, accept: receiver.accept)
      device.address = HostAndPort(host: "127.0.0.1", port: server.port)
      return VirtualLab(receiver: receiver, server: server, device: device)
    } catch {
      throw CommandFailure(.noDevice, "the virtual receiver could not start: \(error.message)", help: error.help)
    }
  }

  /// How a run reaches the receiver: by the same TLS client that reaches real devices.
  func access(times: TimeSources, configuration: ClientConfiguration) -> DeviceAccess {
    DeviceAccess(
      find: { [device] _, _ in [device] },
      connect: { device, wireTap throws(ClientError) in
        try await LiveDevices.connect(to: device, times: times, configuration: configuration, wireTap: wireTap)
      })
  }

  func stop() async {
    receiver.stop()
    await server.close()
  }
}
