/// What `doctor` looked at on this computer.
package struct HealthFacts: Hashable, Sendable {
  /// A network interface with an IPv4 address.
  package struct Interface: Hashable, Sendable {
    package var name: String
    package var address: String
    /// Its network, such as `192.168.1.0/24`.
    package var network: String
    package var isUp: Bool
    package var isLoopback: Bool
    package var hasMulticast: Bool

    package init(name: String, address: String, network: String, isUp: Bool, isLoopback: Bool, hasMulticast: Bool) {
      self.name = name
      self.address = address
      self.network = network
      self.isUp = isUp
      self.isLoopback = isLoopback
      self.hasMulticast = hasMulticast
    }
  }

  /// What came of asking the mDNS daemon.
  package enum Daemon: Hashable, Sendable {
    /// So many devices answered.
    case answers(devices: Int)
    case fails(String)
  }

  /// A port that somebody may want to listen at.
  package struct Port: Hashable, Sendable {
    package var number: Int
    /// What is to listen there, such as `receive`.
    package var user: String
    /// Why nobody can; `nil`: it is free.
    package var problem: PortProblem?

    package init(number: Int, user: String, problem: PortProblem?) {
      self.number = number
      self.user = user
      self.problem = problem
    }
  }

  package enum PortProblem: Hashable, Sendable { case inUse, notAllowed, other(String) }

  /// The tools that close ports, as far as they say that they are on.
  package enum Firewall: String, Hashable, Sendable, CaseIterable { case ufw, firewalld }

  package var daemon = Daemon.answers(devices: 0)
  package var interfaces: [Interface] = []
  package var isInContainer = false
  package var ports: [Port] = []
  package var firewalls: [Firewall] = []
  /// Whether the clock is kept right over the network; `nil`: the system does not say.
  package var isClockSynchronised: Bool?
  /// Unix time.
  package var time = 0.0
  /// Whether the zone database is there.
  package var hasZones = true
  /// The zone of this computer's own clock, where its name is known.
  package var localZone: String?
  /// Whether the database has that zone.
  package var knowsLocalZone = true
  /// `nil` where nothing says where it would be.
  package var stateFolder: String?
  /// Why nothing can be kept there; `nil`: something can.
  package var stateProblem: String?
  /// Bytes that are free there; `nil`: not known.
  package var freeBytes: Int?

  package init() {}
}
