package import CastProtocol
package import FleetMessages

/// One order to several sites, and what each of them says to it.
package struct OrderRound: Sendable {
  package enum Answer: Hashable, Sendable {
    case obeyed(String)
    case refused(String)
    case none
  }

  package let id: String
  package private(set) var answers: [SiteName: Answer]

  package init(id: String, to sites: [SiteName]) {
    self.id = id
    answers = Dictionary(sites.map { ($0, .none) }) { first, _ in first }
  }

  /// Takes what came on a topic; what another site says, or of another order, counts for nothing, and of a site its
  /// first answer.
  /// - Returns: The site that has answered.
  @discardableResult
  package mutating func receive(_ message: BrokerMessage) -> SiteName? {
    guard case .orderReport(let site, let id)? = FleetTopic(message.topic), id == self.id, answers[site] == Answer.none,
      message.payload.count <= FleetView.Limit.reportBytes, let report = OrderReport(payload: message.payload),
      report.id == self.id
    else { return nil }
    answers[site] = report.isObeyed ? .obeyed(report.detail) : .refused(report.detail)
    return site
  }

  /// Those that have not answered, by name.
  package var missing: [SiteName] { answers.filter { $0.value == .none }.keys.sorted() }
  package var isComplete: Bool { !answers.values.contains(.none) }
  package var isObeyed: Bool {
    answers.values.allSatisfy { if case .obeyed = $0 { true } else { false } }
  }

  package func line(of site: SiteName) -> String {
    switch answers[site] ?? .none {
    case .obeyed(let detail): "\(site): done\(detail.isEmpty ? "" : ": \(detail)")"
    case .refused(let detail): "\(site): refused\(detail.isEmpty ? "" : ": \(detail)")"
    case .none: "\(site): did not answer"
    }
  }

  package var json: JSONValue {
    [
      "v": 1, "ok": .bool(isObeyed), "order": .string(id),
      "sites": .array(
        answers.sorted { $0.key < $1.key }.map { site, answer in
          switch answer {
          case .obeyed(let detail):
            ["site": .string(site.text), "answer": "done", "detail": .string(detail)]
          case .refused(let detail):
            ["site": .string(site.text), "answer": "refused", "detail": .string(detail)]
          case .none: ["site": .string(site.text), "answer": "none"]
          }
        }),
    ]
  }
}
