package import CastClient
package import CastProtocol
package import ScenarioLanguage

/// What a run is told besides its plan.
package struct RunConfiguration: Sendable {
  /// 26 characters, sortable by time (ULID).
  package var runID: String
  package var toolVersion: String
  /// This machine's name, for reports.
  package var hostName = ""
  package var arguments: [String] = []
  /// The command and its options that matter when it is run again, without its document, row, device of several and
  /// seed.
  package var rerun: [String] = []
  /// The only ones of the document's `devices:` that it is run on, as ``DeviceName/choice(of:selector:)`` calls them or
  /// by name; `nil`: all.
  package var onlyDevices: [String]?
  /// Drives retry jitter; printed so that a run can be repeated.
  package var seed: UInt64 = 0
  /// Document seconds per real second, or `nil` when they are the same.
  package var speed: Double?
  /// Emit `request` and `reply` events.
  package var includesWire = false
  package var failOnFlaky = false
  /// Where the run's events go, for `${run.dir}`.
  package var runDirectory: String?
  /// A failed cleanup does not fail the run.
  package var cleanupWarns = false
  /// SHA-256 of the document in lower-case hex, by its file name.
  package var documentHashes: [String: String] = [:]
  /// Steps may act on the app that runs already, without launching or joining it by name (one-line commands); to stop
  /// what is not there is then no failure.
  package var joinsRunningApp = false
  /// The connection is the caller's, who goes on with it: the run neither closes it nor looks back beyond its own begin.
  package var borrowsConnection = false
  /// How every device has to prove itself, whatever the document says; `nil`: as the document says.
  package var authentication: AuthenticationMode?
  /// The values of the plan's secrets.
  package var secrets = Secrets()
  /// Starts a program for `exec` and waits for its end; cancelling the caller kills it. `nil`: none may be
  /// started, and a step that would fails.
  package var startProgram: (@Sendable (ProgramCall) async -> ProgramCall.End)?
  /// Programs count as done without being started: a simulation.
  package var assumesPrograms = false
  /// What earlier runs started and did not end.
  package var startedSessions = StartedSessions.none
  /// Unix time in seconds, for `t` of events only.
  package var wallClock: @Sendable () -> Double

  package init(runID: String, toolVersion: String, wallClock: @escaping @Sendable () -> Double) {
    self.runID = runID
    self.toolVersion = toolVersion
    self.wallClock = wallClock
  }
}

/// A device as discovery, the command line or the simulation found it.
package struct FoundDevice: Hashable, Sendable {
  /// Where its address is from: discovery, `--host` or the document, the hosts file, the last discovery, or ourselves.
  package enum Via: String, Hashable, Sendable { case mdns, host, hosts, cache, virtual }
  package var name: String
  package var id: String?
  package var model: String?
  package var address: HostAndPort
  package var via: Via
  /// How it has to prove itself when it is connected to; `nil`: as all do.
  package var authentication: AuthenticationMode?
  /// Whether old TLS will do (`tls: legacy`).
  package var allowsLegacyTLS = false
  /// Whether it says that it shows video; `nil`: nobody asked it.
  package var hasVideoOutput: Bool?
  /// How long each stage of connecting may take, and a reply; `nil`: as long as usual.
  package var connectTimeout: Duration?
  package var replyTimeout: Duration?
  /// Further addresses of the same port, to be tried where nobody answers at the first.
  package var otherHosts: [String] = []

  /// Whether it is called by its address, for want of a name.
  package var isUnnamed: Bool { name == address.host || name == address.shortText }

  package init(name: String, id: String? = nil, model: String? = nil, address: HostAndPort, via: Via) {
    self.name = name
    self.id = id
    self.model = model
    self.address = address
    self.via = via
  }
}

/// How a run reaches devices. The executable gives it sockets and mDNS, a simulation in-memory channels.
package struct DeviceAccess: Sendable {
  /// Lists every device that fits, however many: listens for all of the time, or until there are `atLeast`.
  package var survey:
    @Sendable (
      _ selector: Plan.DeviceSelector, _ listenFor: Duration, _ atLeast: Int?, _ way: Plan.DiscoverAction.Way
    ) async throws(RunError) -> [FoundDevice]
  /// Where a device found before is now: groups and devices that moved are found again by their id.
  package var resolve: @Sendable (_ device: FoundDevice, _ limit: Duration) async throws(RunError) -> HostAndPort = {
    device, _ throws(RunError) in device.address
  }
  /// Tells each time discovery sees a device that was found before; ends at once where nothing can look.
  package var sightings: @Sendable (_ device: FoundDevice) -> AsyncStream<HostAndPort> = { _ in
    AsyncStream { $0.finish() }
  }

  /// Lists devices that fit `selector`; returns early once one is certain. Empty: none was found in time.
  package var find:
    @Sendable (_ selector: Plan.DeviceSelector, _ listenFor: Duration) async throws(RunError) -> [FoundDevice]
  /// Opens a connection (TCP, TLS, CONNECT, first RECEIVER_STATUS). The argument after the device is what to tell of each message.
  package var connect:
    @Sendable (_ device: FoundDevice, _ wireTap: (@Sendable (WireRecord) -> Void)?) async throws(ClientError) ->
      OpenedDevice

  package init(
    find: @escaping @Sendable (Plan.DeviceSelector, Duration) async throws(RunError) -> [FoundDevice],
    connect:
      @escaping @Sendable (FoundDevice, (@Sendable (WireRecord) -> Void)?) async throws(ClientError) ->
      OpenedDevice
  ) {
    self.find = find
    self.connect = connect
    survey = { selector, listenFor, _, _ throws(RunError) in try await find(selector, listenFor) }
  }
}

/// An open connection and what was learned while opening it.
package struct OpenedDevice: Sendable {
  package var connection: CastConnection
  /// `TLSv1.3`; `nil` in a simulation.
  package var tls: String?
  /// From the start of the TCP connect to the first RECEIVER_STATUS.
  package var latency: Duration
  /// What the device's proof was worth.
  package var authentication: AuthenticationFacts

  package init(
    connection: CastConnection, tls: String? = nil, latency: Duration, authentication: AuthenticationFacts = .unchecked
  ) {
    self.connection = connection
    self.tls = tls
    self.latency = latency
    self.authentication = authentication
  }
}

/// Why a run could not begin or go on, apart from what a device did.
package struct RunError: Error, Hashable, Sendable {
  package var errorClass: ErrorClass
  package var message: String
  package var help: String?
  /// Names and addresses of what was seen instead.
  package var candidates: [FoundDevice]
  /// Nothing on this computer can look for devices: asking again is no help.
  package var isFinal: Bool
  /// What else is known of the device that was asked for.
  package var notes: [String] = []

  package init(
    errorClass: ErrorClass, message: String, help: String? = nil, candidates: [FoundDevice] = [], isFinal: Bool = false
  ) {
    self.errorClass = errorClass
    self.message = message
    self.help = help
    self.candidates = candidates
    self.isFinal = isFinal
  }
}
