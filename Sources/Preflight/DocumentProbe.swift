package import ScenarioLanguage

/// Looks at the addresses of documents, each once however many documents name it.
package struct DocumentProbe: Sendable {
  private let prober: Prober
  private let rules: ProbeRules
  private var reports: [ProbeSubject: ProbeReport] = [:]

  package init(_ prober: Prober, _ rules: ProbeRules) {
    self.prober = prober
    self.rules = rules
  }

  /// What a receiver would stumble over, at the places where the document names it.
  /// - Parameter onDone: Is told how many addresses of how many are done.
  package mutating func diagnostics(
    for addresses: [FetchedAddress], onDone: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async -> [Diagnostic] {
    let uses = Uses(addresses.filter { !isOver($0) })
    let open = uses.subjects.filter { reports[$0] == nil && !SecretPlaceholder.occurs(in: $0.url) }
    let room = open.prefix(max(0, Prober.mostSubjects - reports.count))
    for report in await prober.probe(Array(room), onDone: { onDone($0, room.count) }) {
      reports[report.subject] = report
    }
    return uses.subjects.flatMap { subject in
      let places = uses.places(of: subject)
      return findings(on: subject, plays: uses.plays(of: subject)).compactMap {
        $0.diagnostic(of: subject.url, at: places)
      }
    }
  }

  private func findings(on subject: ProbeSubject, plays: [PlayTimes]) -> [ProbeFinding] {
    if SecretPlaceholder.occurs(in: subject.url) {
      let text = "this was not looked at: a secret is part of the address"
      return [ProbeFinding(.skipped, .note, text, at: subject.url)]
    }
    guard let report = reports[subject] else {
      let text = "this was not looked at: more than \(Prober.mostSubjects) addresses are too many at once"
      return [ProbeFinding(.skipped, .warning, text, help: "check fewer documents at once", at: subject.url)]
    }
    if plays.isEmpty { return report.findings }
    // Its certificates have to last as long as it is shown.
    let others = report.findings.filter { $0.code != .certificateEnds && $0.code != .certificate }
    return report.certificates.flatMap { rules.findings(ofCertificate: $0.certificate, $0.url, plays: plays) }
      + others
  }

  /// Whether it was shown for the last time, wherever on Earth.
  private func isOver(_ address: FetchedAddress) -> Bool {
    address.plays?.isOver(at: Int(rules.playsAt)) ?? false
  }
}

/// The addresses of one document by what is fetched.
private struct Uses {
  private(set) var subjects: [ProbeSubject] = []
  private var addresses: [ProbeSubject: [FetchedAddress]] = [:]

  init(_ all: [FetchedAddress]) {
    for address in all {
      let subject = ProbeSubject(address)
      if addresses[subject] == nil { subjects.append(subject) }
      addresses[subject, default: []].append(address)
    }
  }

  func places(of subject: ProbeSubject) -> [SourceSpan] {
    var known: Set<SourceSpan> = []
    return (addresses[subject] ?? []).map(\.span).filter { known.insert($0).inserted }
  }

  /// The dates on which it is shown, each once; none where one use has none.
  func plays(of subject: ProbeSubject) -> [PlayTimes] {
    let all = (addresses[subject] ?? []).map(\.plays)
    return all.contains(nil) ? [] : Array(Set(all.compactMap(\.self)))
  }
}

extension ProbeSubject {
  /// What is fetched at an address of a document.
  package init(_ address: FetchedAddress) {
    let role: Role =
      switch address.role {
      case .media: .media
      case .track: .track
      case .image: .image
      case .ad: .ad
      }
    self.init(address.url, role, contentType: address.type)
  }
}
