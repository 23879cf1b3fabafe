import ScenarioLanguage
import WebClient

/// What answers of a server mean for a receiver. Pure: an answer in, findings out.
package struct ProbeRules: Sendable {
  /// The page that receivers run in asks from here.
  static let origin = "https://www.gstatic.com"
  /// The largest size at which the platform shows a still (docs/probe.md "What is found").
  static let stillSize = (width: 1_280, height: 720)
  private static let largeStill = 10 << 20
  private static let notice = 14 * 86_400.0
  /// So long before its end a certificate is usually renewed.
  private static let renewal = 90 * 86_400.0

  /// The device; `nil`: any.
  package var model: CastModel?
  /// Unix time at which it is to play.
  package var playsAt: Double

  package init(model: CastModel? = nil, playsAt: Double) {
    self.model = model
    self.playsAt = playsAt
  }

  /// Names that only this network or this computer knows: devices ask a resolver of their own.
  func findings(ofHost url: WebURL) -> [ProbeFinding] {
    let host = url.host
    if host == "localhost" || host.hasPrefix("127.") || host == "::1" {
      return [
        ProbeFinding(
          .nameLocal, .error, "a receiver looks for \(host) on itself",
          help: "`file:` media are served under an address that it can reach", at: "\(url)")
      ]
    }
    guard !Self.isAddress(host) else { return [] }
    let ending = host.split(separator: ".").last.map(String.init) ?? ""
    guard !host.contains(".") || ["local", "lan", "home", "internal", "localdomain", "test"].contains(ending) else {
      return []
    }
    return [
      ProbeFinding(
        .nameLocal, .error, "devices ask a public resolver, which does not know \(host)",
        help: "use the address, or a name that is public", at: "\(url)")
    ]
  }

  static func isAddress(_ host: String) -> Bool {
    host.contains(":") || host.split(separator: ".").allSatisfy { $0.allSatisfy(\.isNumber) }
  }

  func notInTime(_ subject: ProbeSubject) -> ProbeFinding {
    ProbeFinding(.skipped, .warning, "this was not looked at: the time for all addresses was up", at: subject.url)
  }

  /// Further ahead nobody knows what certificates there will be.
  private static let horizon = 400 * 86_400

  /// - Parameter plays: The dates on which it is shown; none: at any time.
  func findings(
    ofCertificate certificate: WebCertificate?, _ url: WebURL, plays: [PlayTimes] = []
  ) -> [ProbeFinding] {
    guard let certificate else { return [] }
    if let problem = certificate.problem {
      return [
        ProbeFinding(
          .certificate, .error, "the certificate of \(url.host) is not trusted: \(problem)",
          help: "receivers trust what browsers trust; renew or complete it", at: "\(url)")
      ]
    }
    if certificate.validTo <= playsAt {
      return [ProbeFinding(.certificateEnds, .error, "the certificate of \(url.host) has ended by then", at: "\(url)")]
    }
    if certificate.validTo - playsAt >= Self.notice,
      let play = Self.firstPlay(plays, after: certificate.validTo)
    {
      // Who plans for years renews in between.
      let isFar = certificate.validTo - playsAt > Self.renewal
      let end = CivilDate(dayNumber: Int(certificate.validTo / 86_400)).iso
      return [
        ProbeFinding(
          .certificateEnds, isFar ? .note : .warning,
          "the certificate of \(url.host) ends on \(end), and this is shown on \(play) still",
          help: "see that it is renewed by then", at: "\(url)")
      ]
    }
    guard certificate.validTo - playsAt < Self.notice else { return [] }
    let days = Int((certificate.validTo - playsAt) / 86_400)
    return [
      ProbeFinding(
        .certificateEnds, .warning,
        "the certificate of \(url.host) ends \(days == 0 ? "within a day" : "\(days) days later")",
        at: "\(url)")
    ]
  }

  /// The first time after a certificate's end, as the clock of the screen shows it; `nil`: it is not shown any more.
  private static func firstPlay(_ plays: [PlayTimes], after end: Double) -> String? {
    guard let end = Int(exactly: end.rounded(.up)), end < .max / 4 else { return nil }
    let found = plays.compactMap { times in
      times.first(in: end..<(end + horizon)).map { (at: $0, zone: times.zone) }
    }
    guard let first = found.min(by: { $0.at < $1.at }) else { return nil }
    let wall = first.zone.wallTime(at: first.at)
    return "\(CivilDate(at: wall).iso) at \(CivilDate.clock(at: wall))"
  }

  func findings(ofStatus response: WebResponse, _ url: WebURL) -> [ProbeFinding] {
    if (200..<300).contains(response.status) { return [] }
    let help: String? =
      switch response.status {
      case 401, 403: "a receiver sends no password and no cookie; the address has to do"
      case 404, 410: "look at the address, or put the file there"
      case 429, 500...: "the server has a problem; try again later"
      default: nil
      }
    return [ProbeFinding(.status, .error, "the server answers \(response.status)", help: help, at: "\(url)")]
  }

  func findings(ofType declared: String?, sniffed: String?, _ subject: ProbeSubject, _ url: WebURL) -> [ProbeFinding] {
    let declared = declared.map(Self.plainType)
    func finding(_ severity: ProbeFinding.Severity, _ text: String, _ help: String? = nil) -> ProbeFinding {
      ProbeFinding(.mime, severity, text, help: help, at: "\(url)")
    }
    if sniffed == "text/html", subject.contentType.map(Self.plainType) != "text/html" {
      return [
        finding(
          .error, "the server sends a web page, no \(subject.role.rawValue)",
          "open the address in a browser: is it behind a login?")
      ]
    }
    if subject.role == .image, let sniffed, Self.kind(sniffed) != "still" {
      return [finding(.error, "this is \(sniffed), no picture")]
    }
    if subject.role == .ad { return [] }
    if subject.role == .track {
      let fits = ["text/vtt", "application/ttml+xml", "application/mp4", "text/xml", "application/xml"]
      guard let declared else { return [finding(.warning, "the server does not say that this is text/vtt")] }
      return fits.contains(declared)
        ? [] : [finding(.error, "the server calls this \(declared), a text track is text/vtt")]
    }
    if subject.role == .media, let planned = subject.contentType.map(Self.plainType), let sniffed,
      Self.kind(planned) != Self.kind(sniffed)
    {
      return [finding(.error, "the document calls this \(planned), it is \(sniffed)", "mend `type:`, or the address")]
    }
    guard let declared else { return sniffed == nil ? [] : [finding(.warning, "the server does not say what this is")] }
    if let sniffed, Self.kind(declared) != Self.kind(sniffed) {
      return [finding(.warning, "the server calls this \(declared), it is \(sniffed)")]
    }
    return []
  }

  /// A type without its parameters.
  static func plainType(_ text: String) -> String {
    text.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
  }

  /// What a receiver plays alike.
  private static func kind(_ type: String) -> String {
    switch type {
    case "application/x-mpegurl", "application/vnd.apple.mpegurl", "audio/mpegurl", "audio/x-mpegurl",
      "vnd.apple.mpegurl":
      "hls"
    case "application/dash+xml": "dash"
    case "application/octet-stream", "binary/octet-stream": "any"
    case _ where type.hasPrefix("video/") || type.hasPrefix("audio/"): "film"
    case _ where type.hasPrefix("image/"): "still"
    default: type
    }
  }

  static func isAdaptive(_ type: String?) -> Bool {
    type.map { ["hls", "dash"].contains(kind(plainType($0))) } ?? false
  }

  /// Tracks and adaptive streams are read by a script of the page, which the server has to allow (Fetch 4.10).
  /// - Parameter isTainted: A redirect came here from one server over another: the page then has no name.
  func findings(
    ofCORS headers: WebHeaders, needs: Bool, isTainted: Bool = false, _ url: WebURL
  ) -> [ProbeFinding] {
    guard needs else { return [] }
    let allowed = headers["Access-Control-Allow-Origin"]?.trimmed
    if allowed == "*" || allowed == (isTainted ? "null" : Self.origin) { return [] }
    let text =
      switch allowed {
      case nil: "the server does not let pages read this"
      case let allowed? where allowed.contains(","):
        "the server names several origins, which pages refuse: `\(allowed)`"
      case _? where isTainted: "a redirect leads here from another server, and this one lets only named pages read this"
      case let allowed?: "the server lets only pages of \(allowed) read this"
      }
    return [
      ProbeFinding(
        .cors, .error, text, help: "it has to answer with `Access-Control-Allow-Origin: *`", at: "\(url)")
    ]
  }

  /// The headers that receivers add to requests by script.
  static let asked = ["accept-encoding", "content-type", "range"]

  /// What the server answers to the question before a request of a page (Fetch 3.2).
  func findings(ofPreflight response: WebResponse, _ url: WebURL) -> [ProbeFinding] {
    func finding(_ severity: ProbeFinding.Severity, _ text: String, _ help: String) -> [ProbeFinding] {
      [ProbeFinding(.cors, severity, text, help: help, at: "\(url)")]
    }
    let all = "answer OPTIONS with `Access-Control-Allow-Headers: Range, Accept-Encoding, Content-Type`"
    guard (200..<300).contains(response.status) else {
      return finding(.warning, "the server does not let pages ask for ranges; older receivers ask before", all)
    }
    let origin = response.headers["Access-Control-Allow-Origin"]?.trimmed
    guard origin == "*" || origin == Self.origin else {
      return finding(
        .warning, "the server answers the question of pages without letting them in; older receivers ask before",
        "answer OPTIONS, too, with `Access-Control-Allow-Origin: *`")
    }
    let allowed = (response.headers["Access-Control-Allow-Headers"] ?? "").lowercased().split(separator: ",")
      .map { String($0).trimmed }
    if allowed.contains("*") { return [] }
    let missing = Self.asked.filter { !allowed.contains($0) }
    if missing.contains("range") {
      return finding(.warning, "the server does not let pages ask for ranges; older receivers ask before", all)
    }
    guard !missing.isEmpty else { return [] }
    return finding(
      .note, "the server does not let pages send \(missing.joined(separator: " and ")), as some receivers do", all)
  }

  func findings(ofRange response: WebResponse, type: String?, _ url: WebURL) -> [ProbeFinding] {
    guard response.status == 200, let type, type.hasPrefix("video/") || type.hasPrefix("audio/") else { return [] }
    return [
      ProbeFinding(
        .ranges, .warning, "the server sends no ranges: seeking is slow or does not work",
        help: "it has to answer 206 to `Range:`",
        at: "\(url)")
    ]
  }

  func findings(ofImage bytes: [UInt8], size: Int?, _ url: WebURL) -> [ProbeFinding] {
    var findings: [ProbeFinding] = []
    if let image = ContentSniffing.imageSize(of: bytes),
      image.width > Self.stillSize.width || image.height > Self.stillSize.height
    {
      findings.append(
        ProbeFinding(
          .imageSize, .warning,
          "a still of \(image.width)×\(image.height) is shown at \(Self.stillSize.width)×\(Self.stillSize.height) at most",
          help: "scale it down: it loads faster, and looks as you mean it", at: "\(url)"))
    }
    if let size, size > Self.largeStill {
      findings.append(
        ProbeFinding(
          .fileSize, .warning, "a still of \(size >> 20) MiB takes long, and may be too much for a device", at: "\(url)"
        ))
    }
    return findings
  }

  /// - Parameter isFile: They are of a file, which has no other rendition.
  func findings(ofCodecs codecs: [String], isFile: Bool = false, _ url: WebURL) -> [ProbeFinding] {
    let models = model.map { [$0] } ?? CastModel.allCases
    return codecs.flatMap { codec in
      let complaints = models.compactMap { $0.complaint(about: codec) }
      return complaints.first.map { text in
        [
          ProbeFinding(
            .codec, model == nil ? .note : .warning, "\(codec): \(text)",
            help: isFile
              ? "H.264 up to level 4.1 with AAC plays everywhere: encode it anew"
              : "offer another rendition besides",
            at: "\(url)")
        ]
      } ?? []
    }
  }

  /// Pages are shown in a frame by receivers that cast pages.
  func findings(ofFraming headers: WebHeaders, type: String?, _ url: WebURL) -> [ProbeFinding] {
    guard type == "text/html" else { return [] }
    guard let obstacle = FramePolicy.obstacle(in: headers, origin: Self.origin) else { return [] }
    return [
      ProbeFinding(
        .framing, .error, "the page does not let itself be shown in a frame",
        help: "its server sends `\(obstacle)`", at: "\(url)")
    ]
  }
}

extension String {
  /// Without spaces at both ends.
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
