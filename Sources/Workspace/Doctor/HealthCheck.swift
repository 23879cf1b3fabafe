package import CastProtocol
import ScenarioLanguage

/// One thing that has to be right on a computer that calls a show, and how it is (docs/doctor.md).
package struct HealthCheck: Hashable, Sendable {
  package enum Subject: String, Hashable, Sendable, CaseIterable {
    case daemon, multicast, ports, firewall, clock, zone, state
  }

  package enum Verdict: String, Hashable, Sendable {
    case ok, warning, failed
  }

  package var subject: Subject
  package var verdict: Verdict
  /// How it is, in a sentence.
  package var text: String
  /// A command that puts it right, to be pasted.
  package var cure: String?

  /// How all of it is, in the order of ``Subject``.
  package static func all(of facts: HealthFacts) -> [HealthCheck] { Subject.allCases.map { check($0, facts) } }

  package static func check(_ subject: Subject, _ facts: HealthFacts) -> HealthCheck {
    let (verdict, text, cure) =
      switch subject {
      case .daemon: daemon(facts)
      case .multicast: multicast(facts)
      case .ports: ports(facts)
      case .firewall: firewall(facts)
      case .clock: clock(facts)
      case .zone: zone(facts)
      case .state: state(facts)
      }
    return HealthCheck(subject: subject, verdict: verdict, text: text, cure: cure)
  }

  package var json: JSONValue {
    var object: JSONObject = [
      "check": .string(subject.rawValue), "verdict": .string(verdict.rawValue), "text": .string(text),
    ]
    object["cure"] = cure.map { .string($0) }
    return .object(object)
  }

  // MARK: rules

  private typealias Finding = (Verdict, String, String?)

  private static func daemon(_ facts: HealthFacts) -> Finding {
    switch facts.daemon {
    case .answers(0):
      (
        .warning, "the mDNS daemon answers, and knows no Cast device: none is on, or none is in this network",
        "showcaller discover --watch"
      )
    case .answers(let count):
      (.ok, "the mDNS daemon answers, and knows \(count == 1 ? "a Cast device" : "\(count) Cast devices")", nil)
    case .fails(let why):
      (
        .failed, "\(why); devices are found only by `host:`, `--host` and the hosts file",
        // The mDNS library asks the daemon over the bus.
        facts.isInContainer
          ? inHostNetwork
          : "sudo apt-get install -y avahi-daemon libavahi-compat-libdnssd1 && sudo systemctl enable --now avahi-daemon"
      )
    }
  }

  /// How an image as docs/service.md has it is in the computer's own network, and reaches its mDNS daemon.
  private static let inHostNetwork =
    "docker run --network host -v /run/dbus/system_bus_socket:/run/dbus/system_bus_socket showcaller"

  private static func multicast(_ facts: HealthFacts) -> Finding {
    let usable = facts.interfaces.filter { $0.isUp && !$0.isLoopback }
    if let found = usable.first(where: \.hasMulticast) {
      // A container's own network ends at the computer that it runs on.
      let isBehindBridge = facts.isInContainer && usable.allSatisfy { $0.address.hasPrefix("172.") }
      guard isBehindBridge else { return (.ok, "\(found.name) (\(found.address)) takes part in multicast", nil) }
      return (
        .warning,
        "this container has a network of its own (\(found.address)): multicast of the real one does not reach it",
        inHostNetwork
      )
    }
    if let first = usable.first {
      return (
        .failed, "\(first.name) (\(first.address)) takes no part in multicast, by which devices are found",
        "sudo ip link set \(first.name) multicast on"
      )
    }
    return (.failed, "no network interface is up", "ip -brief address")
  }

  private static func ports(_ facts: HealthFacts) -> Finding {
    guard let port = facts.ports.first(where: { $0.problem != nil }), let problem = port.problem else {
      let names = facts.ports.map { "\($0.number) (\($0.user))" }.joined(separator: ", ")
      return (.ok, "free: \(names)", nil)
    }
    switch problem {
    case .inUse:
      return (
        .warning, "port \(port.number) is in use, `\(port.user)` needs another one",
        "ss -ltnp 'sport = :\(port.number)'"
      )
    case .notAllowed:
      return (
        .warning, "port \(port.number) is for root, `\(port.user)` needs one above 1023", nil
      )
    case .other(let why): return (.warning, "nobody can listen at port \(port.number): \(why)", nil)
    }
  }

  private static func firewall(_ facts: HealthFacts) -> Finding {
    guard let first = facts.firewalls.first else {
      return (.ok, "neither ufw nor firewalld is on; other rules are not looked at", nil)
    }
    let text =
      "\(first.rawValue) is on: answers of devices (UDP 5353) and their requests for `file:` media have to come through"
    // The media server takes a free port, so that the network as a whole is let in.
    guard let interface = facts.interfaces.first(where: { $0.isUp && !$0.isLoopback }) else {
      return (.warning, text, nil)
    }
    switch first {
    case .ufw:
      return (.warning, text, "sudo ufw allow 5353/udp && sudo ufw allow proto tcp from \(interface.network)")
    case .firewalld:
      let rule = "rule family=ipv4 source address=\(interface.network) port port=1024-65535 protocol=tcp accept"
      return (
        .warning, text,
        "zone=$(sudo firewall-cmd --get-zone-of-interface=\(interface.name)) && "
          + "sudo firewall-cmd --permanent --zone=\"$zone\" --add-service=mdns --add-rich-rule='\(rule)' && "
          + "sudo firewall-cmd --reload"
      )
    }
  }

  /// 2026-01-01: this program is younger.
  private static let earliest = 1_767_225_600.0

  private static func clock(_ facts: HealthFacts) -> Finding {
    let cure = "sudo timedatectl set-ntp true"
    if facts.time < earliest { return (.failed, "the clock of this computer is years behind", cure) }
    switch facts.isClockSynchronised {
    case true?: return (.ok, "the clock is kept right over the network", nil)
    case false?:
      return (.warning, "the clock is not kept right: what is on by the clock may be on too early or too late", cure)
    case nil:
      return (
        .warning, "nothing here tells whether the clock is kept right: most of a playlist goes by it",
        facts.isInContainer ? "date" : "sudo apt-get install -y systemd-timesyncd"
      )
    }
  }

  private static func zone(_ facts: HealthFacts) -> Finding {
    guard facts.hasZones else {
      return (
        .failed, "the zone database is not there: nobody knows when clocks change", "sudo apt-get install -y tzdata"
      )
    }
    guard let zone = facts.localZone else {
      return (
        .warning, "the zone of this computer has no name: playlists without `timezone` follow its clock",
        "sudo timedatectl set-timezone Europe/Paris"
      )
    }
    guard facts.knowsLocalZone else {
      return (
        .failed, "the zone of this computer, \(zone), is not in the zone database",
        "sudo timedatectl set-timezone Europe/Paris"
      )
    }
    return (.ok, "the zone database is there; this computer is in \(zone)", nil)
  }

  /// A ledger of a year of one screen takes about as much.
  private static let leastFree = 1 << 30

  private static func state(_ facts: HealthFacts) -> Finding {
    guard let folder = facts.stateFolder else {
      return (
        .failed, "neither XDG_STATE_HOME nor HOME says where ledgers are kept",
        "export XDG_STATE_HOME=\"$HOME/.local/state\""
      )
    }
    if let problem = facts.stateProblem {
      return (
        .failed, "\(folder) cannot be written: \(problem)",
        "sudo install -d -o \"$(id -un)\" \(ShellWord.quoted(folder))"
      )
    }
    if let free = facts.freeBytes, free < leastFree {
      return (
        .warning, "\(folder) has only \(free >> 20) MiB free: a full disk is a gap in the ledger",
        "df -h \(ShellWord.quoted(folder))"
      )
    }
    return (.ok, "\(folder) can be written", nil)
  }
}
