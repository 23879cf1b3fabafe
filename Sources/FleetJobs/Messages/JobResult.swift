import FleetMessages

/// What came of a job: a line of JSON, and behind it the archive that `run export` makes.
package struct JobResult: Hashable, Sendable {
  /// What the line says.
  package struct Summary: FleetReport {
    package var agent: String
    package var device: String
    package var attempt: Int
    /// The run's id; `nil`: it did not begin.
    package var run: String?
    /// The exit code of `run`.
    package var exit: Int
    package var seconds: Double
    /// What was told where there is no archive, or what the archive lacks.
    package var note: String?

    package init(agent: String, device: String, attempt: Int, exit: Int, seconds: Double) {
      (self.agent, self.device, self.attempt, self.exit, self.seconds) = (agent, device, attempt, exit, seconds)
    }
  }

  /// Of an archive; of a larger one only what the line says is sent. Links hold back no more at a time.
  package static let archiveLimit = 15 << 20
  /// What links of senders and agents have to let through.
  package static let messageLimit = archiveLimit + lineLimit + 4096
  /// How long the broker keeps it.
  package static let expiry = Duration.seconds(86_400)
  private static let lineLimit = 16 << 10

  package var summary: Summary
  /// Empty where there is none.
  package var archive: [UInt8]

  package init(_ summary: Summary, archive: [UInt8] = []) {
    self.summary = summary
    self.archive = archive
    if archive.count > Self.archiveLimit {
      self.archive = []
      self.summary.note = "its archive is larger than \(Self.archiveLimit >> 20) MiB and stays with the agent"
    }
  }

  /// The bytes of a message.
  package var payload: [UInt8] { summary.payload + [UInt8(ascii: "\n")] + archive }

  /// Reads a message; it comes from whoever may publish at the broker.
  /// - Returns: `nil`: it is something else.
  package init?(payload: [UInt8]) {
    guard payload.count <= Self.messageLimit,
      let end = payload.prefix(Self.lineLimit).firstIndex(of: UInt8(ascii: "\n")),
      let summary = Summary(payload: Array(payload[..<end])), summary.attempt > 0, (0...255).contains(summary.exit),
      summary.seconds.isFinite, summary.seconds >= 0
    else { return nil }
    self.summary = summary
    archive = Array(payload[(end + 1)...])
    if archive.count > Self.archiveLimit { return nil }
  }
}
