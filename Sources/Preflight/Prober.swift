import CastProtocol
package import WebClient

/// Fetches addresses as a receiver would, and says what it would stumble over.
package struct Prober: Sendable {
  /// More addresses are not probed at once.
  package static let mostSubjects = 500
  private static let atOnce = 4
  private static let mostRedirects = 10
  private static let nameLimit = Duration.seconds(5)
  /// Of each body; the beginnings of files, and whole manifests.
  private static let bodyLimit = 256 << 10

  private let web: any WebFetching
  private let rules: ProbeRules
  /// For each request, on the network clock.
  private let limit: Duration
  /// What is left for all addresses together.
  private let timeLeft: @Sendable () -> Duration
  /// Whom devices ask for names; `nil`: nobody is asked.
  private let names: NameComparison?

  package init(
    _ web: any WebFetching, _ rules: ProbeRules, limit: Duration = .seconds(10), names: NameComparison? = nil,
    timeLeft: @escaping @Sendable () -> Duration = { .seconds(3_600) }
  ) {
    self.web = web
    self.rules = rules
    self.limit = limit
    self.timeLeft = timeLeft
    self.names = names
  }

  /// Probes all, a few at a time.
  /// - Parameter onDone: Is told how many are done.
  /// - Returns: Reports in the order of the subjects.
  package func probe(_ subjects: [ProbeSubject], onDone: (Int) -> Void = { _ in }) async -> [ProbeReport] {
    let subjects = Array(subjects.prefix(Self.mostSubjects))
    var reports = subjects.map { ProbeReport($0) }
    await withTaskGroup(of: (Int, ProbeReport).self) { group in
      for (index, subject) in subjects.enumerated() {
        if index >= Self.atOnce, let (done, report) = await group.next() {
          reports[done] = report
          onDone(index - Self.atOnce + 1)
        }
        group.addTask {
          let report = await probe(subject)
          return (index, report)
        }
      }
      var count = max(0, subjects.count - Self.atOnce)
      for await (index, report) in group {
        reports[index] = report
        count += 1
        onDone(count)
      }
    }
    return reports
  }

  package func probe(_ subject: ProbeSubject) async -> ProbeReport {
    var report = ProbeReport(subject)
    guard timeLeft() > .zero else {
      report.findings = [rules.notInTime(subject)]
      return report
    }
    guard let (response, url) = await fetch(subject.url, &report) else { return report }
    report.status = response.status
    report.findings += rules.findings(ofStatus: response, url)
    guard (200..<300).contains(response.status) else { return report }
    let sniffed = ContentSniffing.type(of: response.body)
    let declared = response.headers["Content-Type"]
    report.type = sniffed ?? declared.map(ProbeRules.plainType)
    report.size = Self.size(of: response)
    report.findings += rules.findings(ofType: declared, sniffed: sniffed, subject, url)
    report.findings += rules.findings(ofFraming: response.headers, type: report.type, url)
    let isAdaptive = [sniffed, declared, subject.contentType].contains { ProbeRules.isAdaptive($0) }
    let needsCORS = isAdaptive || subject.role == .track || subject.role == .ad
    report.findings += rules.findings(ofCORS: response.headers, needs: needsCORS, url)
    report.findings += rules.findings(ofRange: response, type: sniffed, url)
    if report.type?.hasPrefix("image/") == true {
      report.findings += rules.findings(ofImage: response.body, size: report.size, url)
    }
    if isAdaptive { await follow(response, at: url, &report, depth: 0) }
    return report
  }

  /// Goes one level down in a manifest: its first variant, and the first segment of that.
  private func follow(_ response: WebResponse, at url: WebURL, _ report: inout ProbeReport, depth: Int) async {
    let text = String(decoding: response.body, as: UTF8.self)
    guard let manifest = StreamManifest(hls: text) ?? StreamManifest(dash: response.body) else {
      report.findings.append(ProbeFinding(.manifest, .error, "this is no HLS and no DASH manifest", at: "\(url)"))
      return
    }
    report.findings += rules.findings(ofCodecs: manifest.codecs, url)
    guard let next = manifest.variant ?? manifest.segment else {
      report.findings.append(
        ProbeFinding(.manifest, .warning, "the manifest names no segment that could be tried", at: "\(url)"))
      return
    }
    guard let address = try? url.resolving(next) else {
      report.findings.append(
        ProbeFinding(.manifest, .error, "the manifest leads to `\(next.prefix(200))`", at: "\(url)"))
      return
    }
    guard let (inner, place) = await fetch("\(address)", &report) else { return }
    report.findings += rules.findings(ofStatus: inner, place)
    guard (200..<300).contains(inner.status) else { return }
    report.findings += rules.findings(ofCORS: inner.headers, needs: true, place)
    if manifest.variant != nil, depth == 0 { return await follow(inner, at: place, &report, depth: 1) }
    await askBefore(place, &report)
  }

  private func askBefore(_ url: WebURL, _ report: inout ProbeReport) async {
    let headers: WebHeaders = [
      .init("Origin", ProbeRules.origin), .init("Access-Control-Request-Method", "GET"),
      .init("Access-Control-Request-Headers", "range"),
    ]
    guard
      let response = try? await web.send(WebRequest(.options, url, headers: headers), trustsAll: true, within: share)
    else { return }
    report.findings += rules.findings(ofPreflight: response, url)
  }

  /// Fetches the beginning of what is at an address, and follows redirects.
  private func fetch(_ text: String, _ report: inout ProbeReport) async -> (WebResponse, WebURL)? {
    do throws(WebError) {
      var url = try WebURL(parsing: text)
      for _ in 0...Self.mostRedirects {
        report.add(rules.findings(ofHost: url))
        if let names, rules.findings(ofHost: url).isEmpty {
          let found = await names.findings(of: url, within: min(share, Self.nameLimit))
          report.add(found)
        }
        var request = WebRequest(
          .get, url, headers: [.init("Origin", ProbeRules.origin), .init("Range", "bytes=0-\(Self.bodyLimit - 1)")])
        request.bodyLimit = Self.bodyLimit
        request.cutsBody = true
        let response = try await web.send(request, trustsAll: true, within: share)
        report.note(response.certificate, at: url)
        report.add(rules.findings(ofCertificate: response.certificate, url))
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"] else {
          return (response, url)
        }
        let next = try url.resolving(location)
        if url.scheme == .https, next.scheme == .http {
          report.findings.append(
            ProbeFinding(.redirect, .error, "this leads from https: to http:, which a page refuses", at: "\(url)"))
        }
        url = next
      }
      throw WebError(.tooManyRedirects, "this leads on and on")
    } catch {
      if timeLeft() <= .zero {
        report.findings.append(rules.notInTime(report.subject))
        return nil
      }
      report.findings.append(
        ProbeFinding(
          error.code == .addressInvalid ? .addressInvalid : .unreachable, .error, error.message, help: error.help,
          at: text))
      return nil
    }
  }

  /// Of what is left, for one request.
  private var share: Duration { max(.milliseconds(1), min(limit, timeLeft())) }

  /// Of the whole file.
  private static func size(of response: WebResponse) -> Int? {
    if let range = response.headers["Content-Range"], let slash = range.lastIndex(of: "/") {
      return Int(range[range.index(after: slash)...])
    }
    return response.headers["Content-Length"].flatMap { Int($0) }
  }
}

extension ProbeReport {
  /// Adds what was not found before; of a server, each thing once.
  fileprivate mutating func add(_ more: [ProbeFinding]) {
    for finding in more where !findings.contains(where: { $0.code == finding.code && $0.text == finding.text }) {
      findings.append(finding)
    }
  }

  fileprivate mutating func note(_ certificate: WebCertificate?, at url: WebURL) {
    guard let certificate, !certificates.contains(where: { $0.url.host == url.host }) else { return }
    certificates.append(SeenCertificate(url: url, certificate: certificate))
  }
}
