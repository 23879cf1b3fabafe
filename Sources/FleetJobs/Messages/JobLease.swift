import FleetMessages

/// An agent has a job; retained, and told again every ten seconds while it runs.
package struct JobLease: FleetReport {
  /// How often it is told again.
  package static let renewal = Duration.seconds(10)
  /// How long one is good for, as whoever sees it counts.
  package static let life = Duration.seconds(30)

  package var agent: String
  package var attempt: Int
  package var device: String
  /// Unix time by the agent's clock, for people: no rule reads it.
  package var until: Int

  package init(agent: String, attempt: Int, device: String, until: Int) {
    (self.agent, self.attempt, self.device, self.until) = (agent, attempt, device, until)
  }

  /// Whether it counts where both are there: a later attempt does, of one attempt the agent that is first by name.
  ///
  /// One offer may reach two agents where a connection ended before it was acknowledged (MQTT 5.0, 4.8.2).
  package func outranks(_ other: JobLease) -> Bool {
    attempt != other.attempt ? attempt > other.attempt : agent < other.agent
  }
}

/// Why an agent does not do a job.
package struct JobAnswer: FleetReport {
  package enum Kind: String, Codable, Hashable, Sendable {
    /// No device is free now.
    case busy
    /// It will never take it.
    case unfit
    /// It had the job and does not bring it to an end.
    case returned
    case unknown

    package init(from decoder: any Decoder) throws {
      self = Kind(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
  }

  package var agent: String
  package var attempt: Int
  package var kind: Kind
  package var why: String

  package init(agent: String, attempt: Int, kind: Kind, why: String) {
    (self.agent, self.attempt, self.kind, self.why) = (agent, attempt, kind, String(why.prefix(500)))
  }
}
