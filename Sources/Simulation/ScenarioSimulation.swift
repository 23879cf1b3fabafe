import CastClient
package import CastProtocol
import CastReceiver
package import CastTransport
package import ScenarioLanguage
import DeviceControl
package import RunReporting
package import ScenarioRunner

/// A plan run against virtual receivers on a virtual clock, in memory: the whole length without a socket.
package struct ScenarioSimulation: Sendable {
  /// Drives the order of what is due together, the link's delays and everything that looks random.
  package var seed: UInt64 = 0
  /// What happens on the links between senders and receivers.
  package var link = LinkScript()
  /// When the device can be reached, and where.
  package var presence = DevicePresence()
  /// Document time after which the simulation is given up; a plan ends earlier by its own deadlines.
  package var limit: Duration = .seconds(400 * 86400)
  /// What answers each connection: the virtual receiver unless a test brings a peer of its own.
  package var accept: (@Sendable (any ByteChannel, TimeSources) -> Void)?
  /// Sees each attempt to connect, with its address and time.
  package var onAttempt: (@Sendable (HostAndPort, Duration) -> Void)?
  /// Whether names stand in for secrets without a value, and programs of `exec` count as done without being started:
  /// nothing leaves a simulation. A test that wants to see a run as it would be says no.
  package var standsIn = true

  package init() {}

  /// Runs `plan` to its end; events go to `sink` as they happen.
  /// - Throws: ``SimulationError`` when the code under simulation misbehaves; a scenario that fails is an outcome.
  package func run(
    _ plan: Plan, configuration: RunConfiguration, interruptions: AsyncStream<Runner.Interruption>? = nil,
    reportingTo sink: any EventSink
  ) throws -> Runner.Outcome {
    try run(RunnableDocument(plan), configuration: configuration, interruptions: interruptions, reportingTo: sink)
  }

  /// Runs the rows of a document as one run.
  package func run(
    _ document: RunnableDocument, configuration: RunConfiguration,
    interruptions: AsyncStream<Runner.Interruption>? = nil,
    reportingTo sink: any EventSink
  ) throws -> Runner.Outcome {
    let executor = SimulationExecutor(seed: seed)
    let network = SimulatedNetwork(executor: executor, seed: seed &+ 1, script: link)
    let needs = VirtualDeviceNeeds(of: document)
    let lab = VirtualDevices(for: needs)
    let receiverConfigurations = lab.devices.map { VirtualDevice.configuration(for: $0, needs: needs, seed: seed) }
    var configuration = configuration
    if standsIn {
      configuration.secrets = configuration.secrets.withStandIns
      configuration.assumesPrograms = true
    }
    let epoch = configuration.wallClock()
    configuration.wallClock = { epoch + executor.now.seconds }
    return try executor.run(limit: limit) { [configuration] _ in
      let receivers = receiverConfigurations.map { VirtualReceiver(configuration: $0, times: network.times) }
      let access = access(to: lab, on: network, receivers)
      let quiet = AsyncStream<Runner.Interruption> { $0.finish() }
      let outcome = await Runner.run(
        document, on: access, times: network.times, configuration: configuration,
        interruptions: interruptions ?? quiet, reportingTo: sink)
      for receiver in receivers { receiver.stop() }
      return outcome
    }
  }

  /// How the run reaches the receivers of the lab in memory.
  private func access(
    to lab: VirtualDevices, on network: SimulatedNetwork, _ receivers: [VirtualReceiver]
  ) -> DeviceAccess {
    let show = network.times.show
    var access = DeviceAccess(
      find: { selector, _ in lab.fitting(selector) },
      connect: { device, wireTap throws(ClientError) in
        let started = show.now
        onAttempt?(device.address, started)
        if !presence.answers(at: device.address, started) {
          throw ClientError(.unreachable, "cannot reach \(device.address.host):\(device.address.port): no route")
        }
        var client = ClientConfiguration()
        client.historyLimit = ClientConfiguration.runHistoryLimit
        client.wireTap = wireTap
        // A step may ask for another address; there is only one receiver to be found then.
        let receiver = receivers[lab.devices.firstIndex { $0.id == device.id } ?? 0]
        // A run on one device draws its delays from the seed itself.
        let name = lab.devices.count > 1 ? device.id ?? device.name : ""
        let connection = CastConnection(
          channel: connect(to: name, on: network, receiver), times: network.times, configuration: client)
        try await connection.open()
        return OpenedDevice(connection: connection, latency: show.now - started)
      })
    if !presence.moves.isEmpty {
      access.resolve = { [presence] device, _ throws(RunError) in presence.address(at: show.now) ?? device.address }
    }
    access.reappearances = { [reappearances = presence.reappearances] device in
      let (stream, continuation) = AsyncStream<HostAndPort>.makeStream()
      let telling = show.spawn {
        for time in reappearances where time > show.now {
          do { try await show.sleep(until: time) } catch { break }
          continuation.yield(device.address)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in telling.cancel() }
      return stream
    }
    return access
  }

  /// Joins a sender and the receiver, or what a test put in its place.
  private func connect(to device: String, on network: SimulatedNetwork, _ receiver: VirtualReceiver) -> any ByteChannel
  {
    let (channel, peer, _) = network.connect(to: device)
    if let accept { accept(peer, network.times) } else { receiver.accept(peer) }
    return channel
  }
}
