import CastProtocol
package import WebClient

/// Fetches addresses as a receiver would, and says what it would stumble over.
package struct Prober: Sendable {
  /// More addresses are not probed at once.
  package static let mostSubjects = 500
  private static let atOnce = 4
  private static let mostRedirects = 10
  private static let nameLimit = Duration.seconds(5)
  /// Of each body: the beginnings of files.
  private static let bodyLimit = 256 << 10
  /// Manifests are read to their end, which in large ones is further away.
  private static let manifestLimit = 2 << 20
  /// Of the part of a film that lists its codecs.
  private static let movieLimit = 2 << 20
  /// The most requests for ranges on the way to that part.
  private static let mostLooks = 4

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
    guard let fetched = await fetch(subject.url, &report) else { return report }
    let (response, url) = (fetched.response, fetched.url)
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
    report.findings += findings(ofCORS: fetched, needs: needsCORS)
    report.findings += rules.findings(ofRange: response, type: sniffed, url)
    if report.type?.hasPrefix("image/") == true {
      report.findings += rules.findings(ofImage: response.body, size: report.size, url)
    }
    if isAdaptive {
      await follow(fetched, &report, depth: 0)
    } else if subject.role == .track {
      await preflight(url, &report)
    } else if sniffed == "video/mp4" {
      let codecs = await codecs(of: response, at: url)
      report.codecs = codecs
      report.findings += rules.findings(ofCodecs: codecs, isFile: true, url)
    }
    return report
  }

  /// Of the answer, and of each that led to it.
  private func findings(ofCORS fetched: Fetched, needs: Bool) -> [ProbeFinding] {
    for hop in fetched.hops {
      let found = rules.findings(ofCORS: hop.headers, needs: needs, isTainted: hop.isTainted, hop.url)
      if !found.isEmpty { return found }
    }
    return rules.findings(
      ofCORS: fetched.response.headers, needs: needs, isTainted: fetched.isTainted, fetched.url)
  }

  /// The codecs of a film, from where it lists them: at its beginning, or by ranges behind the pictures.
  private func codecs(of response: WebResponse, at url: WebURL) async -> [String] {
    var outcome = MP4Reading.outcome(response.body)
    let size = Self.size(of: response) ?? .max
    for _ in 0..<Self.mostLooks {
      switch outcome {
      case .codecs(let codecs): return codecs
      case .unknown: return []
      case .elsewhere(let offset, let length):
        guard offset < size, timeLeft() > .zero else { return [] }
        let most = min(Self.movieLimit, length ?? Self.bodyLimit)
        guard let part = await range(offset, most, of: url) else { return [] }
        let found = MP4Reading.codecs(ofMovie: part)
        // Longer than `movieLimit`: this is all that is read of it.
        if let length, !found.isEmpty || length > most { return found }
        outcome = MP4Reading.outcome(part, at: offset)
      }
    }
    return []
  }

  private func range(_ offset: Int, _ count: Int, of url: WebURL) async -> [UInt8]? {
    var request = WebRequest(
      .get, url,
      headers: [.init("Origin", ProbeRules.origin), .init("Range", "bytes=\(offset)-\(offset + count - 1)")])
    (request.bodyLimit, request.cutsBody) = (count, true)
    guard let response = try? await web.send(request, trustsAll: true, within: share), response.status == 206,
      response.headers["Content-Range"]?.hasPrefix("bytes \(offset)-") == true
    else { return nil }
    return response.body
  }

  /// Goes one level down in a manifest: its first variant, and the first segment of that.
  private func follow(_ beginning: Fetched, _ report: inout ProbeReport, depth: Int) async {
    var response = beginning.response
    let url = beginning.url
    if Self.isPart(response), let whole = await fetch("\(url)", &report, most: Self.manifestLimit) {
      response = whole.response
    }
    let isCut = Self.isPart(response)
    if isCut {
      report.findings.append(
        ProbeFinding(
          .manifest, .warning, "the manifest is longer than \(Self.manifestLimit >> 20) MiB, and was read so far only",
          help: "devices keep all of it in memory: a shorter window, or fewer variants, makes it short", at: "\(url)"))
    }
    let text = String(decoding: response.body, as: UTF8.self)
    guard let manifest = StreamManifest(hls: text) ?? StreamManifest(dash: response.body) else {
      // Half of an XML document is none.
      if isCut, ContentSniffing.type(of: response.body) == "application/dash+xml" { return }
      report.findings.append(ProbeFinding(.manifest, .error, "this is no HLS and no DASH manifest", at: "\(url)"))
      return
    }
    report.codecs += manifest.codecs.filter { !report.codecs.contains($0) }
    report.findings += rules.findings(ofCodecs: manifest.codecs, url)
    guard let next = manifest.variant ?? manifest.segment else {
      report.findings.append(
        ProbeFinding(.manifest, .warning, "the manifest names no segment that could be tried", at: "\(url)"))
      return
    }
    let steps = manifest.variant == nil ? manifest.bases + [next] : [next]
    guard let address = try? steps.reduce(url, { try $0.resolving($1) }) else {
      report.findings.append(
        ProbeFinding(
          .manifest, .error, "the manifest leads to `\(steps.joined(separator: " ").prefix(200))`", at: "\(url)"))
      return
    }
    guard let inner = await fetch("\(address)", &report) else { return }
    report.findings += rules.findings(ofStatus: inner.response, inner.url)
    guard (200..<300).contains(inner.response.status) else { return }
    report.findings += findings(ofCORS: inner, needs: true)
    if manifest.variant != nil, depth == 0 { return await follow(inner, &report, depth: 1) }
    await preflight(inner.url, &report)
  }

  /// Whether there is more of it.
  private static func isPart(_ response: WebResponse) -> Bool {
    response.isCut || size(of: response).map { $0 > response.body.count } ?? false
  }

  private func preflight(_ url: WebURL, _ report: inout ProbeReport) async {
    let headers: WebHeaders = [
      .init("Origin", ProbeRules.origin), .init("Access-Control-Request-Method", "GET"),
      .init("Access-Control-Request-Headers", ProbeRules.asked.joined(separator: ",")),
    ]
    guard
      let response = try? await web.send(WebRequest(.options, url, headers: headers), trustsAll: true, within: share)
    else { return }
    report.findings += rules.findings(ofPreflight: response, url)
  }

  /// What came of an address, and of those that it led over.
  private struct Fetched {
    var response: WebResponse
    var url: WebURL
    var hops: [(headers: WebHeaders, url: WebURL, isTainted: Bool)] = []
    /// A redirect led from one server over another: pages then have no name (Fetch 4.4).
    var isTainted = false
  }

  /// Fetches the beginning of what is at an address, and follows redirects.
  private func fetch(_ text: String, _ report: inout ProbeReport, most: Int = bodyLimit) async -> Fetched? {
    do throws(WebError) {
      var url = try WebURL(parsing: text)
      var hops: [(headers: WebHeaders, url: WebURL, isTainted: Bool)] = []
      var isTainted = false
      for _ in 0...Self.mostRedirects {
        report.add(rules.findings(ofHost: url))
        if let names, rules.findings(ofHost: url).isEmpty {
          let found = await names.findings(of: url, within: min(share, Self.nameLimit))
          report.add(found)
        }
        var request = WebRequest(
          .get, url, headers: [.init("Origin", ProbeRules.origin), .init("Range", "bytes=0-\(most - 1)")])
        request.bodyLimit = most
        request.cutsBody = true
        let response = try await web.send(request, trustsAll: true, within: share)
        report.note(response.certificate, at: url)
        report.add(rules.findings(ofCertificate: response.certificate, url))
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["Location"] else {
          return Fetched(response: response, url: url, hops: hops, isTainted: isTainted)
        }
        let next = try url.resolving(location)
        if url.scheme == .https, next.scheme == .http {
          report.add([
            ProbeFinding(.redirect, .error, "this leads from https: to http:, which a page refuses", at: "\(url)")
          ])
        }
        hops.append((response.headers, url, isTainted))
        if next.origin != url.origin, url.origin != ProbeRules.origin { isTainted = true }
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
