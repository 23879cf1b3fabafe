import CastProtocol
import Foundation
import Testing

/// `discover`, `receive --advertise` and `run` by name: against a real Avahi daemon, and without any.
@Suite struct DiscoveryTests {
  /// Whether this machine lets us make a network of our own.
  static let canMakeNetworks: Bool = {
    let probe = Process()
    probe.executableURL = URL(filePath: "/usr/bin/unshare")
    probe.arguments = ["--net", "--mount", "sh", "-c", "command -v avahi-daemon dbus-daemon ip"]
    probe.standardOutput = FileHandle.nullDevice
    probe.standardError = FileHandle.nullDevice
    if (try? probe.run()) != nil {
      probe.waitUntilExit()
      if probe.terminationStatus == 0 { return true }
    }
    print("SKIPPED: no network namespaces or no Avahi here; discovery is not tested")
    return false
  }()

  @Test("Receivers that advertise are listed, found by name and run on", .enabled(if: canMakeNetworks))
  func network() async throws {
    let folder = try TemporaryFolder()
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/discovery.sh").path
    let running = try Running(
      URL(filePath: "/usr/bin/unshare"), ["--net", "--mount", script, Showcaller.binary.path, folder.url.path],
      in: Showcaller.root)
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    let parts = finished.output.components(separatedBy: "== ").map { $0.split(separator: "\n").map(String.init) }
    let sections = Dictionary(parts.filter { !$0.isEmpty }.map { ($0[0], Array($0.dropFirst())) }) { $1 }

    #expect(sections["discover"]?.count == 2)
    #expect(
      sections["discover"]?.first?.hasPrefix("Kitchen         Showcaller Virtual Receiver  127.0.0.1:") == true)
    #expect(sections["discover"]?.first?.contains("  video,audio  -  ") == true)
    #expect(sections["discover"]?.last?.hasPrefix("Living Room TV  ") == true)
    let devices = try (sections["json"] ?? []).map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(devices.map { $0["name"] } == ["Kitchen", "Living Room TV"])
    #expect(devices.allSatisfy { $0["addresses"]?.array?.contains("127.0.0.1") == true })

    // What was found is known to completions, and to its owner only.
    let known = try #require(sections["known"])
    #expect(known.prefix(2).map { $0.prefix { $0 != "\t" } } == ["Kitchen", "Living Room TV"])
    #expect(known.dropFirst(2) == ["700", "600", "devices.json"])

    let events = try EventStream.read(folder.path("events.jsonl"))
    try EventStream.check(events, exitCode: 0)
    let found = events.first { $0["type"] == "device.found" }
    #expect(found?["via"] == "mdns" && found?["name"] == "Living Room TV")
    #expect(found?["id"] == devices.last?["id"])
    #expect(events.contains { $0["code"] == "R706" })

    #expect(sections["missing"]?.last == "exit 4")
    #expect(finished.errors.contains("error[R701]: no device called `Living Rom TV`"))
    #expect(finished.errors.contains("did you mean `Living Room TV`?"))

    // All that recorded devices say of themselves.
    let txt = try #require(sections["txt"]?.first)
    for key in ["id", "cd", "rm", "ve", "md", "ic", "fn", "ca", "st", "bs", "nf", "rs"] {
      #expect(txt.contains("\"\(key)="), "\(key) \(txt)")
    }
    #expect(sections["person"]?.first?.hasPrefix("Kitchen  ") == true)
    #expect(sections["person"]?.last?.contains("  unplugged  ") == true)

    let fleet = try (sections["fleet"] ?? []).map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(fleet.map { $0["name"] } == ["Attic", "Loft"] && fleet.first?["port"] == 18100)
    #expect(fleet.map { $0["model"] } == ["Chromecast", "Google Cast Group"])
    let groupPort = try #require(fleet.last?["port"]?.int)
    #expect(![18100, 18200, 18201].contains(groupPort) && fleet.last?["group"] == true)
    let moved = try #require(sections["moved"])
    let port = try #require(try JSONValue(parsing: Array(moved[0].utf8))["port"]?.int)
    #expect(port != 18100 && moved.contains("Attic listens at port \(port) now"), "\(moved)")
  }

  /// A Python with another mDNS stack; `nil`, loudly, where there is none.
  static let python: String? = {
    if let peers = ProcessInfo.processInfo.environment["SHOWCALLER_PEERS"],
      FileManager.default.isExecutableFile(atPath: "\(peers)/bin/python")
    {
      return "\(peers)/bin/python"
    }
    print("SKIPPED: SHOWCALLER_PEERS names no Python with zeroconf; discovery between two computers is not tested")
    return nil
  }()

  @Test(
    "Between two computers: another stack's devices are found, filtered, asked, reached by IPv6 and watched over restarts",
    .enabled(if: canMakeNetworks && python != nil))
  func twoComputers() async throws {
    let folder = try TemporaryFolder()
    let peers = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers")
    let running = try Running(
      URL(filePath: "/usr/bin/unshare"),
      [
        "--net", "--mount", peers.appending(path: "network.sh").path, Showcaller.binary.path, folder.url.path,
        try #require(Self.python), peers.appending(path: "mdns.py").path,
      ], in: Showcaller.root, limit: 180)
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    let parts = finished.output.components(separatedBy: "== ").map { $0.split(separator: "\n").map(String.init) }
    let sections = Dictionary(parts.filter { !$0.isEmpty }.map { ($0[0], Array($0.dropFirst())) }) { $1 }
    func objects(_ section: String) throws -> [JSONValue] {
      try (sections[section] ?? []).map { try JSONValue(parsing: Array($0.utf8)) }
    }

    // What breaks a limit, or has no id, is no device; orders to the terminal are not obeyed.
    let devices = try objects("json")
    #expect(devices.map { $0["name"] } == ["Far TV", "Ground floor", "Red \u{FFFD}[31m TV", "Six", "Speaker"])
    #expect(devices.map { $0["group"] } == [false, true, false, false, false])
    #expect(devices[1]["port"] == 42001 && devices[1]["can"] == ["audio", "group"] && devices[4]["can"] == ["audio"])
    #expect(devices[0]["addresses"]?.array?.contains("fe80::2:2%here") == true)
    #expect(devices[3]["host"] == "fe80::2:2%here" && devices[3]["addresses"] == ["fe80::2:2%here"])
    #expect(!finished.output.contains("\u{1B}") && !finished.errors.contains("\u{1B}"))
    #expect(sections["table"]?.map { $0.prefix { $0 != " " } } == ["Far", "Ground", "Red", "Six", "Speaker"])
    #expect(sections["group"]?.count == 1 && sections["group"]?[0].hasPrefix("Ground floor") == true)

    // The devices themselves say what they run; those that cannot be asked are named.
    #expect(sections["runs"]?.map { $0.prefix(6) } == ["Far TV", "Six   "])
    #expect(finished.errors.contains("warning: Speaker could not be asked: cannot reach 10.77.0.2:9"))
    #expect(sections["none"] == ["exit 4"] && finished.errors.contains("error: no device can run 0F0F0F0F"))

    // An address with its interface needs no discovery, and a device that has nothing else is run on.
    let asked = try #require(try objects("address").first)
    #expect(asked["name"] == "Hidden" && asked["model"] == "Showcaller Virtual Receiver" && asked["via"] == "host")
    #expect(asked["can"] == ["video", "audio"] && asked["shows"] == "")
    let found = try EventStream.read(folder.path("six.jsonl")).first { $0["type"] == "device.found" }
    #expect(found?["ip"] == "fe80::2:2%here" && found?["port"] == 8010)

    // Another stack sees our advertising as a Cast device's, before and after its daemon is restarted.
    let seen = try #require(try objects("browser").first)
    #expect(seen["port"] == 8009 && seen["txt"]?["ve"] == "05" && seen["txt"]?["ca"] == "5")
    #expect(seen["txt"]?["id"]?.string?.count == 32 && seen["txt"]?["md"] == "Showcaller Virtual Receiver")
    #expect(seen["addresses"]?.array?.contains("10.77.0.2") == true)
    #expect(sections["again"] != nil)

    // Nothing is told of those that only the daemon's restart made go and come.
    let events = try objects("watch")
    func names(_ event: JSONValue) -> [JSONValue?] {
      events.filter { $0["event"] == event }.map { $0["device"]?["name"] }
    }
    #expect(Set(names("came").compactMap { $0?.string }).count == 6 && names("came").count == 6)
    #expect(names("came").last == "Late" && names("gone") == ["Red \u{FFFD}[31m TV"])
    #expect(names("changed") == ["Speaker"] && names("moved") == ["Ground floor"])
    let moved = events.first { $0["event"] == "moved" }
    #expect(moved?["before"]?["port"] == 42001 && moved?["device"]?["port"] == 42777)
    let order = events.compactMap { $0["event"]?.string }.filter { ["lost", "back"].contains($0) }
    #expect(order == ["lost", "back"] && sections["end"] == ["exit 0"])
  }

  @Test("Addresses and the hosts file are listed without a daemon; who does not answer is named")
  func withoutDaemon() async throws {
    let folder = try TemporaryFolder()
    let receiver = try Showcaller.start(["receive", "--port", "0", "--name", "Lobby TV"])
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
    _ = try folder.write("showcaller/hosts", "\(address) The lobby\n127.0.0.1:1 Nobody\n")
    let environment = Self.nowhere.merging(["XDG_CONFIG_HOME": folder.url.path]) { $1 }
    let listed = try await Showcaller.start(["discover", "--json"], environment: environment).finish()
    #expect(listed.exitCode == 0, "\(listed.errors)")
    let device = try JSONValue(parsing: Array(listed.output.utf8))
    #expect(device["name"] == "The lobby" && device["via"] == "hosts" && device["can"] == ["video", "audio"])
    #expect(listed.errors.contains("warning: Nobody: cannot reach 127.0.0.1:1: connection refused"))
    #expect(listed.errors.contains("warning: no mDNS daemon answers (Avahi)"))

    let asked = try await Showcaller.start(
      ["discover", "--host", address, "--can", "audio", "--runs", "CC1AD845"], environment: environment
    ).finish()
    #expect(asked.exitCode == 0 && asked.errors.isEmpty && asked.output.hasPrefix("Lobby TV  "), "\(asked.errors)")
    for (wish, says) in [
      (["--can", "group"], "no device can do group"), (["--runs", "0F0F0F0F"], "no device can run 0F0F0F0F"),
    ] {
      let unfit = try await Showcaller.start(["discover", "--host", address] + wish, environment: environment).finish()
      #expect(unfit.exitCode == 4 && unfit.output.isEmpty && unfit.errors.contains(says), "\(unfit.errors)")
    }
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
    let gone = try await Showcaller.start(["discover", "--host", address], environment: environment).finish()
    #expect(gone.exitCode == 4 && gone.errors.contains("no Cast device answered"))
  }

  static let nowhere = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/proc/nonexistent/bus"]

  @Test(
    "Without an mDNS daemon every command that needs one says so in a sentence, with the cure and the way round",
    arguments: [
      ["discover"], ["discover", "--json"], ["discover", "--watch"], ["run", "examples/hello.yaml"],
      ["receive", "--advertise", "--port", "0"],
    ])
  func noDaemon(arguments: [String]) async throws {
    let folder = try TemporaryFolder()
    let runs = arguments[0] == "run" ? ["--runs", folder.path("runs")] : []
    let finished = try await Showcaller.start(arguments + runs, environment: Self.nowhere).finish()
    #expect(finished.exitCode == 4, "\(finished.errors)")
    #expect(finished.output.isEmpty)
    #expect(finished.errors.contains("no mDNS daemon answers (Avahi)"))
    #expect(finished.errors.contains("install and start avahi-daemon, or"))
    if arguments[0] != "receive" { #expect(finished.errors.contains("--host")) }
  }
}
