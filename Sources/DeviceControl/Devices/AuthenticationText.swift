import CastClient
package import CastProtocol
package import CastTransport
import RunReporting
import ScenarioLanguage

/// The outcome of device authentication, on paper.
package struct AuthenticationText {
  private static let day = 24 * 60 * 60

  private let report: DeviceAuthReport
  private let device: FoundDevice
  private let keptSince: Int?

  /// - Parameter keptSince: Since when its key is kept, as a Unix time; `nil`: none is.
  package init(_ report: DeviceAuthReport, of device: FoundDevice, keptSince: Int? = nil) {
    self.report = report
    self.device = device
    self.keptSince = keptSince
  }

  // MARK: for people

  /// Names are the device's own words, so each line is escaped.
  package var lines: [String] {
    var lines = ["\(device.name)  \(address)", "verdict      \(report.verdict.rawValue)"]
    lines += report.problems.map { "  \($0.message) (\($0.code.rawValue))" }
    if let help = report.help { lines.append("  help: \(help)") }
    if !report.chain.isEmpty { lines.append("chain") }
    for (depth, certificate) in report.chain.enumerated() {
      let isRoot = report.reachesAnchor && depth == report.chain.count - 1
      lines.append("  \(depth) \(certificate.commonName ?? "without a name")\(isRoot ? " (root)" : "")")
      lines.append("    \(Self.validity(certificate, at: report.checkedAt))\(acceptance(depth))")
      lines.append("    key \(certificate.keyBits) bit, sha-256 \(certificate.keyHash)")
    }
    if !report.reachesAnchor, let issuer = report.chain.last?.issuer { lines.append("  issued by \(issuer), unknown") }
    if let first = firstToEnd {
      lines.append(
        "first to end \(first.commonName ?? "without a name"), \(Self.date(first.notAfter)) "
          + "(\(Self.distance(first.notAfter, from: report.checkedAt)))")
    }
    if let certificate = report.tlsCertificate {
      lines.append("tls          \(Self.validity(certificate, at: report.checkedAt))")
    }
    if let hash = report.hash { lines.append("proof        \(hash == .sha1 ? "SHA-1" : "SHA-256")") }
    if report.isAudioOnly { lines.append("policy       for devices without video") }
    if let keptSince {
      let isSame = !report.problems.contains { $0.code == .otherKey }
      lines.append("kept key     \(isSame ? "the same" : "another one"), since \(Self.date(keptSince))")
    }
    lines.append("revocation   \(revocationText)")
    return lines.map { TerminalText.escaped($0) }
  }

  private var address: String {
    let host = device.address.host
    return "\(host.contains(":") ? "[\(host)]" : host):\(device.address.port)"
  }

  /// Whose end ends the device's: the root's does not count.
  private var firstToEnd: CertificateFacts? {
    report.reachesAnchor ? report.chain.dropLast().min { $0.notAfter < $1.notAfter } : nil
  }

  private func acceptance(_ depth: Int) -> String {
    if report.acceptedExpired.contains(depth) { return ", accepted all the same" }
    let isRoot = report.reachesAnchor && depth == report.chain.count - 1
    return isRoot && report.chain[depth].notAfter < report.checkedAt ? ", which does not count for a root" : ""
  }

  private var revocationText: String {
    let age = max(0, report.checkedAt - RevokedKeys.knownSince) / Self.day
    let known = "built-in list of \(Self.date(RevokedKeys.knownSince)) (\(age) days old)"
    switch report.revocations {
    case .absent: return "\(known); the device sent none"
    case .ignored(let problem): return "\(known); \(problem.message), ignored"
    case .used(let begin, let end):
      let days = Int(clamping: begin).distance(to: report.checkedAt) / Self.day
      return "\(known); the device's of \(Self.date(Int(clamping: begin))) (\(days) days old), "
        + "good until \(Self.date(Int(clamping: end)))"
    }
  }

  private static func validity(_ certificate: CertificateFacts, at now: Int) -> String {
    "\(date(certificate.notBefore)) to \(date(certificate.notAfter)) (\(distance(certificate.notAfter, from: now)))"
  }

  private static func distance(_ end: Int, from now: Int) -> String {
    if end < now {
      let days = (now - end) / day
      return days == 0 ? "ended less than a day ago" : "ended \(days) day\(days == 1 ? "" : "s") ago"
    }
    let days = (end - now) / day
    return days == 0 ? "ends within a day" : "ends in \(days) day\(days == 1 ? "" : "s")"
  }

  private static func date(_ time: Int) -> String { String(UTCTime(unixSeconds: Double(time)).text.prefix(10)) }

  // MARK: for programs

  package var json: JSONValue {
    var object: JSONObject = [
      "name": .string(device.name), "ip": .string(device.address.host), "port": .int(device.address.port),
      "verdict": .string(report.verdict.rawValue),
      "problems": .array(
        report.problems.map { problem in
          var object: JSONObject = ["code": .string(problem.code.rawValue), "message": .string(problem.message)]
          object["certificate"] = problem.depth.map(JSONValue.int)
          return .object(object)
        }),
      "checkedAt": Self.time(report.checkedAt),
    ]
    object["id"] = device.id.map(JSONValue.string)
    object["model"] = device.model.map(JSONValue.string)
    object["chain"] = .array(
      report.chain.enumerated().map { depth, certificate in
        var object = Self.json(certificate)
        object["root"] = .bool(report.reachesAnchor && depth == report.chain.count - 1)
        if report.acceptedExpired.contains(depth) { object["acceptedExpired"] = true }
        return .object(object)
      })
    object["firstToEnd"] = firstToEnd.map { Self.time($0.notAfter) }
    object["tls"] = report.tlsCertificate.map { .object(Self.json($0)) }
    object["hash"] = report.hash.map { .string($0.rawValue) }
    object["audioOnly"] = .bool(report.isAudioOnly)
    object["keptSince"] = keptSince.map { Self.time($0) }
    object["revocation"] = revocationJSON
    object["help"] = report.help.map(JSONValue.string)
    return .object(object)
  }

  private var revocationJSON: JSONValue {
    var object: JSONObject = ["builtIn": Self.time(RevokedKeys.knownSince)]
    switch report.revocations {
    case .absent: object["device"] = "absent"
    case .ignored(let problem):
      object["device"] = "ignored"
      object["reason"] = .string(problem.message)
    case .used(let begin, let end):
      object["device"] = "used"
      object["notBefore"] = Self.time(Int(clamping: begin))
      object["notAfter"] = Self.time(Int(clamping: end))
    }
    return .object(object)
  }

  private static func json(_ certificate: CertificateFacts) -> JSONObject {
    var object = JSONObject()
    object["name"] = certificate.commonName.map(JSONValue.string)
    object["issuer"] = certificate.issuer.map(JSONValue.string)
    object["serial"] = .string(certificate.serialNumber)
    object["notBefore"] = time(certificate.notBefore)
    object["notAfter"] = time(certificate.notAfter)
    object["keyBits"] = .int(certificate.keyBits)
    object["keySHA256"] = .string(certificate.keyHash)
    return object
  }

  /// RFC 3339, to the second.
  private static func time(_ time: Int) -> JSONValue {
    .string(UTCTime(unixSeconds: Double(time)).text.prefix(19) + "Z")
  }
}
