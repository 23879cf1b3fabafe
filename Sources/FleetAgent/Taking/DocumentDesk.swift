import CastProtocol
import CastTransport
import FleetMessages

/// Which documents a site takes, one after the other, and what it says of each (docs/security.md F2, F3, F5).
///
/// A value without I/O; times are Unix times.
struct DocumentDesk: Sendable {
  /// Documents of the fleet that are on at the same time.
  static let mostShown = 64
  /// Ids that are remembered, also of those that were taken off.
  static let mostKnown = 1_000
  /// Of texts that wait to be taken.
  static let mostWaitingBytes = 64 << 20
  private static let mostDiagnostics = 50
  static let mostDiagnosticBytes = 256 << 10

  enum Verdict: Hashable, Sendable {
    /// It is taken in its turn.
    case waits
    /// It was taken before: its report is told again.
    case known
    /// It waits already, or the operator's retained message was removed, which means nothing.
    case nothing
    case refused(String)
    /// There is no room for it now: it is to be asked for again.
    case later(String)
  }

  let site: SiteName
  var known: [String: KeptDocument] = [:]
  var reports: [String: DocumentReport] = [:] { didSet { revision &+= 1 } }
  /// Another one after each change of a report.
  private(set) var revision = 0
  /// The digest of the document of this process that a report is about.
  var answered: [String: String] = [:]
  var waiting: [FleetDocument] = []
  var busy: FleetDocument?

  /// - Parameter kept: What the site remembers from earlier processes.
  init(site: SiteName, kept: [KeptDocument], at time: Double) {
    self.site = site
    for document in kept.prefix(Self.mostKnown) {
      known[document.id] = document
      var report = newReport(document.id, document.edition, document.state, at: time)
      if document.state == .refused { report.why = "it was refused before this site was started again" }
      reports[document.id] = report
    }
  }

  /// The editions that are on, by id.
  var editions: [String: Int] { known.compactMapValues { $0.shown?.edition } }

  /// Takes what came on a topic.
  /// - Parameter id: The level of the topic that names the document.
  mutating func receive(
    _ payload: [UInt8], on topic: FleetTopic, id: String, by keys: [VerifyingKey], at time: Double
  ) -> Verdict {
    if payload.isEmpty { return .nothing }
    let document: FleetDocument
    do {
      document = try FleetDocument(signed: SignedEnvelope(payload, on: topic.text, by: keys))
    } catch let problem as SignedEnvelope.Problem {
      return .refused(problem.message)
    } catch let problem as FleetDocument.Problem {
      return .refused(problem.message)
    } catch {
      return .refused("\(error)")
    }
    guard TopicLevel.of(document.id) == id else { return .refused("it is the document `\(document.id)`") }
    return judge(document, at: time)
  }

  /// The document that is to be taken now, each once; `nil`: none, or one is being taken.
  mutating func next() -> FleetDocument? {
    guard busy == nil, !waiting.isEmpty else { return nil }
    busy = waiting.removeFirst()
    return busy
  }

  var isIdle: Bool { busy == nil && waiting.isEmpty }

  /// The site took it, or did not.
  mutating func finished(_ outcome: DocumentOutcome, at time: Double) {
    guard let document = busy else { return }
    busy = nil
    let id = document.id
    var kept = KeptDocument(id: id, edition: document.edition, state: .on, shown: known[id]?.shown)
    switch outcome {
    case .on: kept.shown = .init(edition: document.edition, digest: document.digest)
    case .restored(let shown): kept.shown = shown
    case .removed: (kept.state, kept.shown) = (.removed, nil)
    case .refused: kept.state = .refused
    }
    known[id] = kept
    answered[id] = document.digest
    var report = newReport(id, document.edition, kept.state, at: time)
    if case .refused(let why, let diagnostics) = outcome {
      report.why = why
      var room = Self.mostDiagnosticBytes
      report.diagnostics = Array(
        diagnostics.prefix(Self.mostDiagnostics).prefix { diagnostic in
          room -= diagnostic.serialized().utf8.count
          return room >= 0
        })
    }
    reports[id] = report
  }

  func newReport(
    _ id: String, _ edition: Int, _ state: DocumentReport.State, at time: Double
  ) -> DocumentReport {
    var report = DocumentReport(
      site: site.text, id: id, edition: edition, state: state, time: ScreenReport.whole(time))
    (report.digest, report.shown) = (known[id]?.shown?.digest, known[id]?.shown?.edition)
    return report
  }

  /// What is to be retained of them.
  var messages: [BrokerMessage] {
    reports.map { id, report in BrokerMessage(topic(of: id), report.payload, isRetained: true) }
  }

  /// Where the report on a document is.
  func topic(of id: String) -> String { FleetTopic.documentReport(site, id: TopicLevel.of(id)).text }
}
