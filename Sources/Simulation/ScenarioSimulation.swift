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
  /// When each device can be reached, and where.
  package var presences = DevicePresences()
  /// What goes wrong with the virtual receivers.
  package var faults: ReceiverPlan?
  /// Document time after which the simulation is given up; a plan ends earlier by its own deadlines.
  package var limit: Duration = .seconds(400 * 86400)
  /// What answers each connection: the virtual receiver unless a test brings a peer of its own.
  package var accept: (@Sendable (any ByteChannel, TimeSources) -> Void)?
  /// Sees each attempt to connect, with its address and time.
  package var onAttempt: (@Sendable (HostAndPort, Duration) -> Void)?
  /// Whether names stand in for secrets without a value, and programs of `exec` count as done without being started:
  /// nothing leaves a simulation. A test that wants to see a run as it would be says no.
  package var standsIn = true
  /// Sees the devices and all that joins them.
  package var watch = SimulationWatch()

  package init() {}

  /// Of all devices that have no presence of their own.
  package var presence: DevicePresence {
    get { presences.usual }
    set { presences.usual = newValue }
  }

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
    var configuration = configuration
    if standsIn {
      configuration.secrets = configuration.secrets.withStandIns
      configuration.assumesPrograms = true
    }
    var watch = watch
    if faults != nil {
      let faults = FaultWatch()
      configuration.faults = faults
      watch.faults = faults
    }
    let epoch = configuration.wallClock()
    configuration.wallClock = { epoch + executor.now.seconds }
    return try executor.run(limit: limit, settling: SimulationExecutor.settlingTime + link.longestWay) {
      [configuration, watch] _ in
      var needs = VirtualDeviceNeeds(of: document)
      needs.faults = faults
      var devices = SimulatedDevices(for: needs, on: network, seed: seed, watch: watch)
      (devices.presences, devices.accept, devices.onAttempt) = (presences, accept, onAttempt)
      devices.client.historyLimit = ClientConfiguration.runHistoryLimit
      let quiet = AsyncStream<Runner.Interruption> { $0.finish() }
      let outcome = await Runner.run(
        document, on: devices.access, times: network.times, configuration: configuration,
        interruptions: interruptions ?? quiet, reportingTo: sink)
      devices.stop()
      return outcome
    }
  }
}
