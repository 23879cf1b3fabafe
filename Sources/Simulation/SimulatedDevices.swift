package import CastClient
package import CastProtocol
import CastReceiver
package import CastTransport
package import DeviceControl
import RunReporting
import ScenarioLanguage

/// The virtual devices of a simulation, and how they are reached in memory.
package struct SimulatedDevices: Sendable {
  /// When each can be reached, and where.
  package var presences = DevicePresences()
  /// What answers each connection in place of the virtual receivers.
  package var accept: (@Sendable (any ByteChannel, TimeSources) -> Void)?
  /// Sees each attempt to connect, with its address and time.
  package var onAttempt: (@Sendable (HostAndPort, Duration) -> Void)?
  /// Of who connects.
  package var client = ClientConfiguration()

  /// Sees the devices and all that joins them.
  private let watch: SimulationWatch
  private let devices: VirtualDevices
  /// In the order of ``devices``.
  private let receivers: [SimulatedReceiver]
  private let network: SimulatedNetwork

  /// Makes those that are needed.
  /// - Parameter seed: Drives everything about them that looks random, for each in its own way.
  package init(
    for needs: VirtualDeviceNeeds, on network: SimulatedNetwork, seed: UInt64,
    watch: SimulationWatch = SimulationWatch()
  ) {
    self.watch = watch
    let devices = VirtualDevices(for: needs)
    self.devices = devices
    self.network = network
    receivers = devices.devices.map { device in
      var configuration = VirtualDevice.configuration(for: device, needs: needs, seed: seed)
      if let message = watch.message { configuration.wireTap = { message(device, $0, network.times.show.now) } }
      configuration.faultCame = watch.faults?.listener(of: device.name, needs.faults)
      return SimulatedReceiver(configuration, times: network.times, made: watch.made)
    }
  }

  /// All of them, present or not.
  package var all: [FoundDevice] { devices.devices }

  /// Ends them.
  package func stop() { for receiver in receivers { receiver.stop() } }

  /// How they are reached.
  package var access: DeviceAccess {
    var access = DeviceAccess(
      find: { selector, listenFor in await find(selector, for: listenFor) },
      connect: { device, wireTap throws(ClientError) in try await connect(to: device, wireTap: wireTap) })
    access.resolve = { device, _ throws(RunError) in
      presence(of: device).address(at: network.times.show.now) ?? address(of: device)
    }
    access.reappearances = reappearances
    return access
  }

  /// Where a device listens now; a fault may have it start again at another port.
  private func address(of device: FoundDevice) -> HostAndPort {
    guard let index = devices.devices.firstIndex(where: { $0.id == device.id }) else { return device.address }
    let first = devices.devices[index].address
    let now = receivers[index].address(from: first)
    return now == first ? device.address : now
  }

  /// A document may call the device by another name: its id counts.
  private func presence(of device: FoundDevice) -> DevicePresence {
    presences[all.first { $0.id == device.id } ?? device]
  }

  /// Those that fit and have power; waits for one to come back while there is time.
  private func find(_ selector: Plan.DeviceSelector, for limit: Duration) async -> [FoundDevice] {
    let show = network.times.show
    let fitting = devices.fitting(selector)
    // Nobody has to see a device whose address is known.
    if selector.host != nil { return fitting }
    let present = fitting.filter { presences[$0].hasPower(at: show.now) }
    let returns = fitting.compactMap { presences[$0].cut(at: show.now)?.upperBound }
    guard present.isEmpty, let next = returns.min() else { return present }
    let end = min(next, show.now + limit)
    try? await show.sleep(until: end)
    return fitting.filter { presences[$0].hasPower(at: end) }
  }

  /// Connects, and once more where the device ends the connection before it has told its status: a run that asks for a
  /// proof without needing it takes that for a device that does not like the question.
  private func connect(
    to device: FoundDevice, wireTap: WireTap?
  ) async throws(ClientError) -> OpenedDevice {
    do throws(ClientError) {
      return try await connectOnce(to: device, wireTap: wireTap)
    } catch {
      let needsProof = device.authentication?.demandsProof ?? false
      // Who brings peers of its own sees each attempt.
      guard error.class == .connectionLost, !needsProof, accept == nil, !Task.isCancelled else { throw error }
      do throws(ClientError) { return try await connectOnce(to: device, wireTap: wireTap) } catch _ { throw error }
    }
  }

  private func connectOnce(
    to device: FoundDevice, wireTap: WireTap?
  ) async throws(ClientError) -> OpenedDevice {
    let show = network.times.show
    let started = show.now
    onAttempt?(device.address, started)
    // A step may ask for another address; there is only one receiver to be found then.
    let index = devices.devices.firstIndex { $0.id == device.id } ?? 0
    let presence = presences[devices.devices[index]]
    if !presence.answers(at: device.address, started) || device.address != address(of: device) {
      throw ClientError(.unreachable, "cannot reach \(device.address.host):\(device.address.port): no route")
    }
    var configuration = client
    configuration.wireTap = wireTap
    // A run on one device draws its delays from the seed itself.
    let name = devices.devices.count > 1 ? device.id ?? device.name : ""
    let (channel, peer, _) = network.connect(to: name, cutAt: presence.nextCut(after: started))
    let receiver = receivers[index].receiver(afterCuts: presence.cuts(before: started))
    if let accept { accept(peer, network.times) } else { receiver.accept(peer) }
    let connection = CastConnection(channel: channel, times: network.times, configuration: configuration)
    if let made = watch.made {
      for object in [channel, peer, connection] as [any AnyObject & Sendable] { made(object) }
    }
    do throws(ClientError) {
      try await connection.open()
    } catch {
      await connection.disconnect(abruptly: true)
      throw error
    }
    return OpenedDevice(connection: connection, latency: show.now - started)
  }

  /// Each time discovery sees a device anew.
  private func reappearances(of device: FoundDevice) -> AsyncStream<HostAndPort> {
    let show = network.times.show
    let (stream, continuation) = AsyncStream<HostAndPort>.makeStream()
    let telling = show.spawn { [times = presence(of: device).sightings] in
      for time in times where time > show.now {
        do { try await show.sleep(until: time) } catch { break }
        continuation.yield(device.address)
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in telling.cancel() }
    return stream
  }
}
