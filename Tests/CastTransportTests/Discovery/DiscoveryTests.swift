import Foundation
import Testing

@testable import CastTransport

/// Discovery against real daemons. Each test's body runs in a process of its own, because libdbus reads the address of
/// its bus once.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DiscoveryTests {
  static func advertisement(_ name: String, id: String = "8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b") throws
    -> DeviceAdvertisement
  {
    let id = try #require(DeviceID(id))
    return DeviceAdvertisement(id: id, name: name, model: "Showcaller Virtual Receiver", port: 8009)
  }

  static func useBus(_ address: String) { setenv("DBUS_SYSTEM_BUS_ADDRESS", address, 1) }

  /// How long `body` takes, in seconds.
  static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  @Test("Without a bus, looking and advertising fail at once, with the cure")
  func noBus() async {
    await #expect(processExitsWith: .success) {
      DiscoveryTests.useBus("unix:path=/proc/nonexistent/bus")
      let elapsed = await DiscoveryTests.seconds {
        let error = await #expect(throws: TransportError.self) { try await DeviceBrowser.discover(for: .seconds(30)) }
        #expect(error == .noDaemon)
        #expect(error?.code == .discoveryUnavailable)
        #expect(error?.message == "no mDNS daemon answers (Avahi)")
        #expect(error?.help == "install and start avahi-daemon, or name the device's address with --host")
      }
      #expect(elapsed < 1)
      let error = await #expect(throws: TransportError.self) {
        try await DeviceAdvertiser.advertise(try DiscoveryTests.advertisement("x"))
      }
      #expect(error?.code == .discoveryUnavailable)
      var changes = DeviceBrowser.changes().makeAsyncIterator()
      let failure = await #expect(throws: TransportError.self) { try await changes.next() }
      #expect(failure?.code == .discoveryUnavailable)
    }
  }

  @Test("Where too many files are open, advertising fails and says why, and leaves no wait behind")
  func noFiles() async {
    await #expect(processExitsWith: .success) {
      // What waits is made of loops that are there already.
      _ = TransportEventLoops.shared
      let advertisement = try DiscoveryTests.advertisement("x")
      var limit = rlimit(rlim_cur: 0, rlim_max: 1024)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let error = await #expect(throws: TransportError.self) { try await DeviceAdvertiser.advertise(advertisement) }
      limit.rlim_cur = 1024
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      #expect(error == TransportError(.setupFailed, "cannot start discovery: too many open files"))
    }
  }

  @Test("A bus without a daemon is no better", .enabled(if: MDNSNetwork.isAvailable))
  func noDaemon() async throws {
    let network = try MDNSNetwork(hasDaemon: false)
    await #expect(processExitsWith: .success) { [bus = network.busAddress as String] in
      DiscoveryTests.useBus(bus)
      let elapsed = await DiscoveryTests.seconds {
        let error = await #expect(throws: TransportError.self) { try await DeviceBrowser.discover(for: .seconds(30)) }
        #expect(error?.code == .discoveryUnavailable)
      }
      #expect(elapsed < 1)
    }
  }

  @Test(
    "Devices that are advertised together are all found, and are all gone when closed",
    .enabled(if: MDNSNetwork.isAvailable))
  func fleet() async throws {
    let network = try MDNSNetwork()
    await #expect(processExitsWith: .success) { [bus = network.busAddress as String] in
      DiscoveryTests.useBus(bus)
      let devices = try (1...20).map { number in
        let digits = String(number + 100)
        return try DiscoveryTests.advertisement("Screen \(number)", id: "8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4\(digits)")
      }
      let advertiser = try await DeviceAdvertiser.advertise(devices)
      #expect(advertiser.instanceNames == devices.map(\.instanceName))
      let found = try await DeviceBrowser.discover(for: .seconds(20)) { $0.count == devices.count }
      #expect(Set(found.map(\.name)) == Set(devices.map(\.name)))
      await advertiser.close()
      var left = found.count
      for _ in 0..<20 where left > 0 { left = try await DeviceBrowser.discover(for: .milliseconds(500)).count }
      #expect(left == 0)
    }
  }

  @Test(
    "What changes of a device is told to those who watch: text, name, port, and that it is gone and back",
    .enabled(if: MDNSNetwork.isAvailable))
  func updates() async throws {
    let network = try MDNSNetwork()
    await #expect(processExitsWith: .success) { [bus = network.busAddress as String] in
      DiscoveryTests.useBus(bus)
      var device = try DiscoveryTests.advertisement("Lobby TV")
      let neighbour = try DiscoveryTests.advertisement("Bar TV", id: "8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5c")
      let advertiser = try await DeviceAdvertiser.advertise([device, neighbour])
      var changes = DeviceBrowser.changes().makeAsyncIterator()
      // Each wait ends with a change that is as it should be, or with the test's time.
      while let change = try await changes.next(), change.shown != "Lobby TV 8009 " {}
      device.isAppRunning = true
      device.statusText = "Default Media Receiver"
      advertiser.update(0, device)
      while let change = try await changes.next(), change.shown != "Lobby TV 8009 Default Media Receiver" {}
      device.name = "Foyer"
      device.port = 8010
      advertiser.update(0, device)
      while let change = try await changes.next(), change.shown != "Foyer 8010 Default Media Receiver" {}
      advertiser.update(0, nil)
      while let change = try await changes.next(), change.shown != "gone Foyer" {}
      advertiser.update(0, device)
      while let change = try await changes.next(), change.shown != "Foyer 8010 Default Media Receiver" {}
      advertiser.update(7, device)
      await advertiser.close()
    }
  }

  @Test(
    "All devices share one thread and one connection to the daemon, however many they are",
    .enabled(if: MDNSNetwork.isAvailable))
  func oneConnection() async throws {
    let network = try MDNSNetwork()
    await #expect(processExitsWith: .success) { [bus = network.busAddress as String] in
      DiscoveryTests.useBus(bus)
      func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? -1
      }
      let first = try await DeviceAdvertiser.advertise(try DiscoveryTests.advertisement("One"))
      await first.close()
      let before = (files: count("fd"), threads: count("task"))
      let devices = try (0..<300).map { number in
        try DiscoveryTests.advertisement("TV \(number)", id: "8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4\(100 + number)")
      }
      let advertiser = try await DeviceAdvertiser.advertise(devices, limit: .seconds(20))
      #expect(count("task") <= before.threads + 3 && count("fd") <= before.files + 8)
      await advertiser.close()
    }
  }

  @Test("What is advertised is found with all it says, and is gone when closed", .enabled(if: MDNSNetwork.isAvailable))
  func roundTrip() async throws {
    let network = try MDNSNetwork()
    await #expect(processExitsWith: .success) { [bus = network.busAddress as String] in
      DiscoveryTests.useBus(bus)
      #expect(try await DeviceBrowser.discover(for: .zero) == [])
      #expect(try await DeviceBrowser.discover(for: .milliseconds(500)) == [])
      let advertisement = try DiscoveryTests.advertisement("Wohnzimmer \u{1F4FA}")
      let advertiser = try await DeviceAdvertiser.advertise(advertisement)
      #expect(advertiser.instanceName == advertisement.instanceName)
      let elapsed = await DiscoveryTests.seconds {
        let found = try? await DeviceBrowser.discover(for: .seconds(20)) { !$0.isEmpty }
        #expect(found?.map(\.name) == ["Wohnzimmer \u{1F4FA}"])
        #expect(found?.map(\.id) == [advertisement.id])
        #expect(found?.map(\.model) == ["Showcaller Virtual Receiver"])
        #expect(found?.map(\.port) == [8009])
        #expect(found?.map(\.preferredHost) == ["127.0.0.1"])
        #expect(found?.map(\.host) == ["runner.local"])
      }
      #expect(elapsed < 5)
      var twin = advertisement
      twin.port = 8010
      let conflict = await #expect(throws: TransportError.self) { try await DeviceAdvertiser.advertise(twin) }
      #expect(conflict?.code == .nameInUse)

      var changes = DeviceBrowser.changes().makeAsyncIterator()
      var seen: [DeviceChange] = []
      while let change = try await changes.next() {
        if seen.isEmpty { await advertiser.close() }
        seen.append(change)
        if case .removed = change { break }
      }
      guard case .found(let record) = seen.first, case .removed(let last) = seen.last else {
        Issue.record("first found, last removed, but: \(seen)")
        return
      }
      #expect(record.id == advertisement.id && last.id == advertisement.id)
    }
  }

  @Test("A daemon that dies while we look ends it with an error", .enabled(if: MDNSNetwork.isAvailable))
  func daemonDies() async throws {
    let network = try MDNSNetwork()
    await #expect(processExitsWith: .success) {
      [bus = network.busAddress as String, daemon = network.daemonProcess as Int32] in
      DiscoveryTests.useBus(bus)
      let advertiser = try await DeviceAdvertiser.advertise(try DiscoveryTests.advertisement("x"))
      var changes = DeviceBrowser.changes().makeAsyncIterator()
      _ = try await changes.next()
      kill(daemon, SIGKILL)
      let error = await #expect(throws: TransportError.self) {
        while try await changes.next() != nil {}
      }
      #expect(error?.code == .discoveryUnavailable)
      await advertiser.close()
    }
  }

  @Test("A daemon that hangs holds nobody up", .enabled(if: MDNSNetwork.isAvailable))
  func daemonHangs() async throws {
    let network = try MDNSNetwork()
    kill(network.daemonProcess, SIGSTOP)
    await #expect(processExitsWith: .success) { [bus = network.busAddress as String] in
      DiscoveryTests.useBus(bus)
      let elapsed = await DiscoveryTests.seconds {
        let error = await #expect(throws: TransportError.self) { try await DeviceBrowser.discover(for: .seconds(30)) }
        #expect(error?.code == .discoveryUnavailable)
        let advertising = await #expect(throws: TransportError.self) {
          try await DeviceAdvertiser.advertise(try DiscoveryTests.advertisement("x"), limit: .seconds(1))
        }
        #expect(advertising?.code == .discoveryUnavailable)
      }
      #expect(elapsed < 6)
    }
  }

  @Test("A cancelled look ends at once, and leaves no thread or descriptor", .enabled(if: MDNSNetwork.isAvailable))
  func cancellation() async throws {
    let network = try MDNSNetwork()
    await #expect(processExitsWith: .success) { [bus = network.busAddress as String] in
      DiscoveryTests.useBus(bus)
      func openFiles() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1 }
      func threads() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? -1 }
      _ = try await DeviceBrowser.discover(for: .milliseconds(300))
      usleep(300_000)
      let before = (openFiles(), threads())
      let elapsed = await DiscoveryTests.seconds {
        for _ in 0..<10 {
          let look = Task { try await DeviceBrowser.discover(for: .seconds(30)) }
          look.cancel()
          _ = try? await look.value
        }
      }
      #expect(elapsed < 2)
      // The threads end by themselves; give them a bounded moment.
      for _ in 0..<100 where openFiles() > before.0 || threads() > before.1 { usleep(50_000) }
      #expect(openFiles() <= before.0)
      #expect(threads() <= before.1 + 2)  // the test library's own come and go
    }
  }

  @Test(
    "Devices of another mDNS stack are found, changed and lost",
    .enabled(if: MDNSNetwork.isAvailable && MDNSNetwork.zeroconfPython != nil))
  func otherStack() async throws {
    let network = try MDNSNetwork()
    let python = try #require(MDNSNetwork.zeroconfPython)
    // Six devices with addresses of their own; the first is renamed 4 s after all are there, the last leaves a second later.
    try network.startPython(
      python,
      """
      import socket, time
      from zeroconf import IPVersion, ServiceInfo, Zeroconf
      zeroconf = Zeroconf(interfaces=["127.0.0.1"], ip_version=IPVersion.V4Only)
      def info(number, name):
          identity = f"{number:032x}"
          return ServiceInfo("_googlecast._tcp.local.", f"Chromecast-{identity}._googlecast._tcp.local.",
              addresses=[socket.inet_aton(f"192.0.2.{number + 1}")], port=8009 + number, server=f"device-{number}.local.",
              properties={"id": identity, "fn": name, "md": "Chromecast", "ca": "5", "ve": "05", "st": "0", "rs": ""})
      infos = [info(number, f"Device {number}") for number in range(6)]
      for entry in infos: zeroconf.register_service(entry, cooperating_responders=True)
      time.sleep(4)
      zeroconf.update_service(info(0, "Renamed"))
      time.sleep(1)
      zeroconf.unregister_service(infos[5])
      time.sleep(60)
      """)
    await #expect(processExitsWith: .success) { [bus = network.busAddress as String] in
      DiscoveryTests.useBus(bus)
      let found = try await DeviceBrowser.discover(for: .seconds(20)) { $0.count == 6 }
      #expect(Set(found.map(\.name)).count == 6)
      #expect(found.first?.addresses == ["192.0.2.1"] && found.first?.port == 8009)
      #expect(found.map(\.name) == found.map(\.name).sorted())
      var known: [String: String] = [:]
      var lost: [String] = []
      for try await change in DeviceBrowser.changes() {
        switch change {
        case .found(let record), .updated(let record): known[record.instanceName] = record.name
        case .removed(let record): lost.append(record.name)
        }
        if known.values.contains("Renamed"), lost == ["Device 5"] { break }
      }
      #expect(known.count == 6)
    }
  }
}

extension DeviceChange {
  /// What a test waits for, in a line.
  fileprivate var shown: String {
    switch self {
    case .found(let record), .updated(let record): "\(record.name) \(record.port) \(record.statusText)"
    case .removed(let record): "gone \(record.name)"
    }
  }
}
