package import CastClient
package import CastProtocol
package import CastTransport
import RunReporting
import ScenarioLanguage

/// The devices of the real network.
package enum LiveDevices {
  /// Finds by mDNS unless an address is known, connects by TLS.
  package static func access(
    times: TimeSources, configuration: ClientConfiguration, knowing book: DeviceBook
  ) -> DeviceAccess {
    let resolver = resolver(knowing: book)
    var access = DeviceAccess(
      find: { selector, listenFor throws(RunError) in
        do throws(RunError) { return try await resolver.find(selector, for: listenFor) } catch {
          guard error.errorClass == .notFound else { throw error }
          // A mistake in the hosts file may be why.
          book.tellMistakes()
          var explained = error
          if let note = book.note(selector) { explained.notes.append(note) }
          throw explained
        }
      },
      connect: { device, wireTap throws(ClientError) in
        try await connect(to: device, times: times, configuration: configuration, wireTap: wireTap)
      })
    access.discoverAll = { selector, listenFor, atLeast, way throws(RunError) in
      // All entries of the hosts file are meant.
      if way != .mdns { book.tellMistakes() }
      return try await resolver.discoverAll(selector, for: listenFor, atLeast: atLeast, way: way)
    }
    access.resolve = { device, limit throws(RunError) in try await resolver.address(of: device, within: limit) }
    access.reappearances = { device in reappearances(of: device, on: times.network) }
    return access
  }

  /// The hosts file, the last discovery, and the machine's mDNS daemon.
  package static func resolver(knowing book: DeviceBook) -> DeviceResolver {
    DeviceResolver(
      hosts: book.hosts, remembered: book.remembered,
      listen: { listenFor, isEnough throws(RunError) in
        do throws(TransportError) {
          let records = try await DeviceBrowser.discover(for: listenFor) { isEnough($0.map { FoundDevice($0) }) }
          return records.map { FoundDevice($0) }
        } catch {
          throw RunError(errorClass: .notFound, message: error.message, help: error.help, isFinal: true)
        }
      })
  }

  package static func connect(
    to device: FoundDevice, times: TimeSources, configuration: ClientConfiguration,
    wireTap: WireTap? = nil
  ) async throws(ClientError) -> OpenedDevice {
    var configuration = configuration
    configuration.connectTimeout = device.connectTimeout ?? configuration.connectTimeout
    configuration.replyTimeout = device.replyTimeout ?? configuration.replyTimeout
    let mode = device.authentication ?? configuration.authentication?.mode ?? .none
    let notes = configuration.authentication?.expectKey(of: device, in: mode) ?? []
    let connector = DeviceConnector(times: times, configuration: configuration)
    var others = device.otherHosts.prefix(triedAddresses - 1)
    var address = device.address
    while true {
      do throws(ClientError) {
        let opened = try await connector.connect(
          to: address, authentication: device.authentication, hasVideoOutput: device.hasVideoOutput,
          isLegacy: device.allowsLegacyTLS, wireTap: wireTap)
        var facts = opened.authentication
        facts.keyNotes += notes
        // What could not be read is not written over.
        if mode == .pin, notes.isEmpty, let rules = configuration.authentication {
          do throws(ClientError) { try rules.keepKey(of: device, &facts) } catch {
            await opened.connection.disconnect(abruptly: true)
            throw error
          }
        }
        return OpenedDevice(
          connection: opened.connection, tls: opened.tls, latency: opened.latency, authentication: facts)
      } catch {
        // No way to this address says nothing about the next one: of another family, or of another network.
        guard error.class == .unreachable, let next = others.popFirst(), !Task.isCancelled else { throw error }
        address.host = next
      }
    }
  }

  private static let triedAddresses = 3

  /// Each time mDNS tells of a device that was found by it; ends where no daemon answers.
  private static func reappearances(of device: FoundDevice, on clock: TimeSource) -> AsyncStream<HostAndPort> {
    let id = device.id.flatMap { DeviceID($0) }
    guard let id, device.via == .mdns || device.via == .cache else { return AsyncStream { $0.finish() } }
    let (stream, continuation) = AsyncStream<HostAndPort>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let watching = clock.spawn {
      defer { continuation.finish() }
      do throws(TransportError) {
        for try await change in DeviceBrowser.changes() {
          switch change {
          case .found(let record) where record.id == id, .updated(let record) where record.id == id:
            continuation.yield(HostAndPort(host: record.preferredHost, port: record.port))
          default: continue
          }
        }
      } catch {}
    }
    continuation.onTermination = { _ in watching.cancel() }
    return stream
  }
}

extension FoundDevice {
  /// A device that answered to mDNS.
  package init(_ record: DeviceRecord) {
    self.init(
      name: record.name, id: record.id.description, model: record.model,
      address: HostAndPort(host: record.preferredHost, port: record.port), via: .mdns)
    hasVideoOutput = record.capabilities.contains(.videoOut)
    otherHosts = Array(record.addresses.dropFirst())
  }
}
