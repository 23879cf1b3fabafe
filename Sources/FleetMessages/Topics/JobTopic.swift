/// The topics of a lab, all below `showcaller-jobs/QUEUE/` (docs/fleet.md "Topics").
package enum JobTopic: Hashable, Sendable {
  /// A signed ``JobOffer``; not retained. The kind is that of the wanted device, or `any`.
  case offer(queue: SiteName, kind: String)
  /// ``JobLease``; retained, by the agent that has the job.
  case lease(queue: SiteName, job: String)
  /// ``JobAnswer`` of an agent: why it does not take the job, or how far it is; not retained.
  case answer(queue: SiteName, job: String)
  /// ``JobResult``; retained until whoever sent the job has it, for a day at most.
  case result(queue: SiteName, job: String)
  /// A signed ``JobCancel``; not retained.
  case cancel(queue: SiteName, job: String)
  /// ``AgentReport``; retained, and empty by its last will.
  case agent(queue: SiteName, agent: SiteName)

  /// The first level of all of them.
  package static let root = "showcaller-jobs"
  /// The kind of a job that any device will do for.
  package static let anyKind = "any"

  package var queue: SiteName {
    switch self {
    case .offer(let queue, _), .lease(let queue, _), .answer(let queue, _), .result(let queue, _),
      .cancel(let queue, _), .agent(let queue, _):
      queue
    }
  }

  package var text: String {
    "\(Self.root)/\(queue)/"
      + {
        switch self {
        case .offer(_, let kind): "offer/\(kind)"
        case .lease(_, let job): "job/\(job)/lease"
        case .answer(_, let job): "job/\(job)/answer"
        case .result(_, let job): "job/\(job)/result"
        case .cancel(_, let job): "job/\(job)/cancel"
        case .agent(_, let agent): "agent/\(agent)"
        }
      }()
  }

  /// `nil` for any other topic.
  package init?(_ text: String) {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard levels.count >= 4, levels[0] == Self.root, let queue = SiteName(levels[1]),
      levels.allSatisfy({ !$0.isEmpty && $0 != "+" && $0 != "#" })
    else { return nil }
    switch (levels.count, levels[2], levels[levels.count - 1]) {
    case (4, "offer", let kind): self = .offer(queue: queue, kind: kind)
    case (4, "agent", let name):
      guard let agent = SiteName(name) else { return nil }
      self = .agent(queue: queue, agent: agent)
    case (5, "job", "lease"): self = .lease(queue: queue, job: levels[3])
    case (5, "job", "answer"): self = .answer(queue: queue, job: levels[3])
    case (5, "job", "result"): self = .result(queue: queue, job: levels[3])
    case (5, "job", "cancel"): self = .cancel(queue: queue, job: levels[3])
    default: return nil
    }
  }

  /// What agents with a device of this kind subscribe to together: each message goes to one of them (MQTT 5.0, 4.8.2).
  package static func sharedOffers(queue: SiteName, kind: String) -> String {
    "$share/\(queue)/\(JobTopic.offer(queue: queue, kind: kind).text)"
  }
}
