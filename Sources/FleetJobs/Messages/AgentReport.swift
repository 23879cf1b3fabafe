import FleetMessages

/// What an agent has; retained, and removed by its last will.
package struct AgentReport: FleetReport {
  package struct Device: Codable, Hashable, Sendable {
    package enum State: String, Codable, Hashable, Sendable {
      case free, busy
      /// It is being looked at before it gets a job.
      case checking
      /// Something is wrong with it, and it gets no job.
      case aside
      case unknown

      package init(from decoder: any Decoder) throws {
        self = State(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
      }
    }

    package var name: String
    package var id: String?
    package var model: String?
    package var firmware: String?
    /// Under which kinds jobs for it are offered.
    package var kinds: [String]
    package var state: State
    /// Why it is aside.
    package var why: String?
    /// The job that it has.
    package var job: String?

    package init(name: String, kinds: [String], state: State) {
      (self.name, self.kinds, self.state) = (name, kinds, state)
    }
  }

  package var agent: String
  /// Of Showcaller.
  package var version: String
  package var devices: [Device]
  /// Whether it takes no more jobs.
  package var isEnding: Bool

  private enum CodingKeys: String, CodingKey {
    case agent, version, devices
    case isEnding = "ending"
  }

  package init(agent: String, version: String, devices: [Device], isEnding: Bool = false) {
    (self.agent, self.version, self.devices, self.isEnding) = (agent, version, devices, isEnding)
  }

  /// How many of its devices jobs of a kind are for, and how many of those could take one now.
  package func devices(for kind: String) -> (all: Int, free: Int) {
    guard !isEnding else { return (0, 0) }
    let own = devices.filter { $0.kinds.contains(kind) && $0.state != .aside }
    return (own.count, own.count { $0.state == .free })
  }
}
