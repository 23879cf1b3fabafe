import CastProtocol
import Testing

@testable import Workspace

@Suite struct HealthCheckTests {
  typealias Change = @Sendable (inout HealthFacts) -> Void

  /// A computer on which all is right.
  private static func facts(_ change: Change = { _ in }) -> HealthFacts {
    var facts = HealthFacts()
    facts.daemon = .answers(devices: 2)
    facts.interfaces = [
      .init(
        name: "lo", address: "127.0.0.1", network: "127.0.0.0/8", isUp: true, isLoopback: true, hasMulticast: false),
      .init(
        name: "eth0", address: "192.168.1.7", network: "192.168.1.0/24", isUp: true, isLoopback: false,
        hasMulticast: true),
    ]
    facts.ports = [.init(number: 8_009, user: "receive", problem: nil)]
    facts.isClockSynchronised = true
    facts.time = 1_795_521_600
    facts.localZone = "Europe/Paris"
    facts.stateFolder = "/home/a/.local/state/showcaller"
    facts.freeBytes = 1 << 40
    change(&facts)
    return facts
  }

  @Test("Where all is right, every check is ok and needs no cure")
  func fine() {
    let checks = HealthCheck.all(of: Self.facts())
    #expect(checks.map(\.subject) == HealthCheck.Subject.allCases)
    #expect(checks.allSatisfy { $0.verdict == .ok && $0.cure == nil }, "\(checks)")
  }

  private static let bridge = HealthFacts.Interface(
    name: "eth0", address: "172.17.0.2", network: "172.17.0.0/16", isUp: true, isLoopback: false, hasMulticast: true)

  static let faults:
    [(change: Change, subject: HealthCheck.Subject, verdict: HealthCheck.Verdict, text: String, cure: String?)] = [
      (
        { $0.daemon = .fails("no mDNS daemon answers (Avahi)") }, .daemon, .failed, "no mDNS daemon answers",
        "sudo apt-get install -y avahi-daemon libavahi-compat-libdnssd1 && sudo systemctl enable --now avahi-daemon"
      ),
      (
        {
          $0.daemon = .fails("no mDNS daemon answers (Avahi)")
          $0.isInContainer = true
        }, .daemon, .failed, "no mDNS daemon answers",
        "docker run --network host -v /run/dbus/system_bus_socket:/run/dbus/system_bus_socket showcaller"
      ),
      ({ $0.daemon = .answers(devices: 0) }, .daemon, .warning, "knows no Cast device", "showcaller discover --watch"),
      (
        { $0.interfaces[1].hasMulticast = false }, .multicast, .failed, "eth0 (192.168.1.7) takes no part",
        "sudo ip link set eth0 multicast on"
      ),
      ({ $0.interfaces[1].isUp = false }, .multicast, .failed, "no network interface is up", "ip -brief address"),
      (
        {
          $0.interfaces = [bridge]
          $0.isInContainer = true
        }, .multicast, .warning, "a network of its own (172.17.0.2)", "docker run --network host"
      ),
      (
        { $0.ports[0].problem = .inUse }, .ports, .warning, "port 8009 is in use, `receive` needs",
        "ss -ltnp 'sport = :8009'"
      ),
      ({ $0.ports[0].problem = .notAllowed }, .ports, .warning, "port 8009 is for root", nil),
      ({ $0.firewalls = [.ufw] }, .firewall, .warning, "ufw is on", "allow proto tcp from 192.168.1.0/24"),
      ({ $0.firewalls = [.firewalld] }, .firewall, .warning, "firewalld is on", "source address=192.168.1.0/24 "),
      (
        {
          $0.firewalls = [.firewalld]
          $0.interfaces.removeLast()
          $0.interfaces.append(bridge)
        }, .firewall, .warning, "firewalld is on", "--get-zone-of-interface=eth0"
      ),
      (
        {
          $0.stateFolder = "/home/a b/state"
          $0.stateProblem = "permission denied"
        }, .state, .failed, "cannot be written", "\"$(id -un)\" '/home/a b/state'"
      ),
      ({ $0.isClockSynchronised = false }, .clock, .warning, "the clock is not kept right", "timedatectl set-ntp true"),
      ({ $0.time = 1_000_000 }, .clock, .failed, "years behind", "timedatectl set-ntp true"),
      ({ $0.hasZones = false }, .zone, .failed, "the zone database is not there", "apt-get install -y tzdata"),
      (
        {
          $0.localZone = "Nowhere/Bogus"
          $0.knowsLocalZone = false
        }, .zone, .failed, "Nowhere/Bogus, is not in the zone database", "timedatectl set-timezone"
      ),
      ({ $0.localZone = nil }, .zone, .warning, "has no name", "timedatectl set-timezone"),
      ({ $0.stateFolder = nil }, .state, .failed, "neither XDG_STATE_HOME nor HOME", "export XDG_STATE_HOME="),
      (
        { $0.stateProblem = "permission denied" }, .state, .failed, "cannot be written: permission denied",
        "sudo install -d"
      ),
      ({ $0.freeBytes = 5 << 20 }, .state, .warning, "has only 5 MiB free", "df -h"),
    ]

  @Test("What is wrong is told by its check alone, with what puts it right", arguments: faults.indices)
  func faulty(index: Int) {
    let (change, subject, verdict, text, cure) = Self.faults[index]
    let checks = HealthCheck.all(of: Self.facts(change))
    let wrong = checks.filter { $0.verdict != .ok }
    #expect(wrong.map(\.subject) == [subject] && wrong.first?.verdict == verdict, "\(wrong)")
    #expect(wrong.first?.text.contains(text) == true, "\(wrong)")
    #expect(cure.map { wrong.first?.cure?.contains($0) == true } ?? (wrong.first?.cure == nil), "\(wrong)")
  }

  @Test("A clock of which nothing is known is a warning")
  func unknownClock() {
    #expect(HealthCheck.check(.clock, Self.facts { $0.isClockSynchronised = nil }).verdict == .warning)
  }

  @Test("What is read of this computer is what is there")
  func reading() throws {
    let folder = try TemporaryFolder()
    let facts = HealthFacts.read(in: .living(in: folder), ports: [(0, "any")])
    #expect(facts.interfaces.contains { $0.isLoopback && $0.address == "127.0.0.1" && $0.network == "127.0.0.0/8" })
    #expect(facts.ports.map(\.problem) == [nil] && facts.hasZones)
    #expect(facts.stateFolder == folder.path(".local/state/showcaller") && facts.stateProblem == nil)
    #expect((facts.freeBytes ?? 0) > 0 && Files.names(in: facts.stateFolder ?? "") == [])
    #expect(HealthFacts.read(in: .living(in: folder), ports: [(70_000, "any")]).ports[0].problem != nil)
    _ = try folder.write("file", "")
    let barred = HealthFacts.read(
      in: .living(in: folder, ["XDG_STATE_HOME=\(folder.path("file"))"]), ports: [])
    #expect(barred.stateProblem != nil)
  }
}
