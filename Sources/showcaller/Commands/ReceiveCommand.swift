import ArgumentParser
import CastProtocol
import CastReceiver
import CastTransport
import Simulation
import Synchronization

/// `showcaller receive`: virtual receivers in the foreground, for any sender.
struct ReceiveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "receive", abstract: "Start virtual receivers that any Cast sender can use, until Ctrl-C.",
    discussion: """
      Prints a line with name, id and address for each receiver once it accepts connections. Without --advertise only \
      senders that are told the address find it; without --listen only those on this computer.
      """)

  @Option(
    name: .customLong("name"),
    help: ArgumentHelp("The friendly name; may be repeated, one receiver each.", valueName: "name"))
  var names: [String] = []

  @Option(
    help: ArgumentHelp("The port of the first receiver, the next ones follow; 0: any free one.", valueName: "port"))
  var port = HostAndPort.defaultPort

  @Option(help: ArgumentHelp("Listen on this address.", valueName: "address"))
  var listen: String?

  @Flag(help: "Announce the receivers by mDNS, and listen on all addresses unless --listen narrows it.")
  var advertise = false

  @Option(
    name: .customLong("app"),
    help: ArgumentHelp(
      "Launch this app id, too, as a media app that echoes what comes on its own namespaces; may be repeated.",
      valueName: "id[,urn:x-cast:...]"))
  var apps: [VirtualApp] = []

  @Option(
    name: .customLong("app-without-media"),
    help: ArgumentHelp("The same for an app that plays no media.", valueName: "id[,urn:x-cast:...]"))
  var plainApps: [VirtualApp] = []

  @Option(
    help: ArgumentHelp(
      "Start one receiver more: a group of this name, with all others as its members.", valueName: "name"))
  var group: String?

  @Option(
    help: ArgumentHelp(
      "How the volume is set: attenuation, master, or fixed, which nobody can change.", valueName: "control"))
  var volume = VirtualVolume.attenuation

  @Option(
    name: .customLong("volume-step"),
    help: ArgumentHelp("To what the volume is rounded, above 0 and at most 0.5.", valueName: "step"))
  var volumeStep = 0.05

  @Option(
    help: ArgumentHelp(
      "What a person at the device does when an app is to start: allow, refuse, or impossible where none can be asked.",
      valueName: "answer[,duration]"))
  var consent: VirtualConsent?

  @Option(
    name: .customLong("write-auth-root"),
    help: ArgumentHelp(
      "Prove itself to senders that trust the root certificates written to this file, made for this call.",
      valueName: "file"), completion: .file())
  var rootFile: String?

  @OptionGroup var log: LogOptions

  func validate() throws {
    guard (0...65535).contains(port), port == 0 || port + allNames.count - 1 <= 65535 else {
      throw ValidationError("--port is a number from 0 to 65535")
    }
    guard volumeStep > 0, volumeStep <= 0.5 else {
      throw ValidationError("--volume-step is a number above 0, at most 0.5")
    }
    if let group, group.isEmpty || memberNames.contains(group) {
      throw ValidationError("--group needs a name of its own")
    }
  }

  func run() async throws {
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    var running: [RunningReceiver] = []
    let rootOutput = try rootFile.map { path throws(CommandFailure) in try OutputFile(path, mode: 0o666) }
    let names = allNames
    let volumes = SharedVolumes()
    for (index, name) in names.enumerated() {
      var configuration = configuration(named: name)
      if group != nil { volumes.join(&configuration) }
      if let rootOutput {
        do {
          let credentials = try DeviceAuthSigner(name: name, now: Int(WallClock.now))
          configuration.credentials = credentials
          rootOutput.write(String(decoding: credentials.rootPEM, as: UTF8.self))
        } catch {
          throw CommandFailure(.bug, "\(name) could not make a certificate: \(error.message)", help: error.help)
        }
      }
      // Whoever reads the line that says it is there finds the root.
      if index == names.count - 1, let problem = rootOutput?.close() {
        throw CommandFailure(.reportNotWritten, problem)
      }
      let receiver = try await RunningReceiver.start(
        configuration, host: listen, port: port == 0 ? 0 : port + index, advertises: advertise, times: times)
      volumes.add(receiver.receiver)
      running.append(receiver)
      Terminal.print("\(name) \(configuration.id) \(receiver.address)")
    }
    await Interruptions.first()
    for receiver in running { await receiver.stop() }
  }

  private var memberNames: [String] { names.isEmpty ? [ReceiverConfiguration(id: "").name] : names }
  private var allNames: [String] { memberNames + (group.map { [$0] } ?? []) }

  private func configuration(named name: String) -> ReceiverConfiguration {
    var configuration = ReceiverConfiguration(id: VirtualDevice.id(forName: name))
    configuration.name = name
    if name == group {
      configuration.model = "Google Cast Group"
      configuration.members = memberNames.map { .init(id: VirtualDevice.id(forName: $0), name: $0) }
    }
    for app in apps + plainApps {
      configuration.appIDs.insert(app.id)
      configuration.customNamespaces[app.id, default: []] += app.namespaces
    }
    configuration.plainAppIDs = Set(plainApps.map(\.id)).subtracting(apps.map(\.id))
    configuration.volumeControl = volume.control
    configuration.volumeStep = volumeStep
    configuration.consent = consent?.consent ?? .notNeeded
    var system = SystemRandomNumberGenerator()
    configuration.seed = system.next()
    return configuration
  }
}

/// Keeps the volumes of a group and of its members in step.
private final class SharedVolumes: Sendable {
  private let receivers = Mutex<[VirtualReceiver]>([])

  func join(_ configuration: inout ReceiverConfiguration) {
    let id = configuration.id
    configuration.volumeChanged = { [self] change in pass(change, from: id) }
  }

  func add(_ receiver: VirtualReceiver) { receivers.withLock { $0.append(receiver) } }

  /// What a member set is told to groups, what a group set to the member that is meant.
  private func pass(_ change: ReceiverConfiguration.VolumeChange, from id: String) {
    for receiver in receivers.withLock({ $0 }) {
      var change = change
      if let member = change.memberID {
        guard receiver.configuration.id == member else { continue }
        change.memberID = nil
      } else {
        guard receiver.configuration.members.contains(where: { $0.id == id }) else { continue }
        change.memberID = id
      }
      receiver.follow(change)
    }
  }
}

/// One virtual receiver on the network.
private struct RunningReceiver {
  let address: String
  let receiver: VirtualReceiver
  private let server: TLSServer
  private let advertiser: DeviceAdvertiser?

  static func start(
    _ configuration: ReceiverConfiguration, host: String?, port: Int, advertises: Bool, times: TimeSources
  ) async throws(CommandFailure) -> RunningReceiver {
    let receiver = VirtualReceiver(configuration: configuration, times: times)
    let hosts = host.map { [$0] } ?? (advertises ? ["::", "0.0.0.0"] : ["127.0.0.1"])
    let (server, bound) = try await listen(on: hosts, port: port, accept: receiver.accept)
    var advertiser: DeviceAdvertiser?
    if advertises {
      do {
        advertiser = try await announce(configuration, port: server.port)
      } catch {
        receiver.stop()
        await server.close()
        throw CommandFailure(
          .noDevice, "cannot announce \(configuration.name): \(error.message)",
          help: error.code == .discoveryUnavailable
            ? "install and start avahi-daemon, or leave out --advertise and give senders the address" : error.help)
      }
    }
    let shown = bound.contains(":") ? "[\(bound)]" : bound
    return RunningReceiver(
      address: "\(shown):\(server.port)", receiver: receiver, server: server, advertiser: advertiser)
  }

  private static func announce(
    _ configuration: ReceiverConfiguration, port: Int
  ) async throws(TransportError) -> DeviceAdvertiser? {
    guard let id = DeviceID(configuration.id) else { return nil }
    return try await DeviceAdvertiser.advertise(
      DeviceAdvertisement(
        id: id, name: configuration.name, model: configuration.model,
        capabilities: DeviceCapabilities(rawValue: UInt64(configuration.capabilities)), port: port))
  }

  /// Listens on the first of `hosts` that this computer has.
  private static func listen(
    on hosts: [String], port: Int, accept: @escaping @Sendable (any ByteChannel) -> Void
  ) async throws(CommandFailure) -> (TLSServer, host: String) {
    var last: TransportError?
    for host in hosts {
      do {
        return (try await TLSServer.listen(host: host, port: port, accept: accept), host)
      } catch {
        last = error
        if error.code == .addressInUse { break }
      }
    }
    let isBusy = last?.code == .addressInUse
    throw CommandFailure(
      isBusy ? .busy : .commandLineWrong, last?.message ?? "cannot listen",
      help: isBusy ? "another receiver runs there; choose another with --port, or --port 0 for a free one" : last?.help)
  }

  func stop() async {
    await advertiser?.close()
    receiver.stop()
    await server.close()
  }
}
