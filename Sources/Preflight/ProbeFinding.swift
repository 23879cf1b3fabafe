package import CastProtocol
package import WebClient

/// Something about an address that a receiver may stumble over (docs/probe.md "What is found").
package struct ProbeFinding: Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable, Comparable {
    case note, warning, error

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
  }

  package enum Code: String, Hashable, Sendable, CaseIterable {
    case addressInvalid = "address_invalid"
    /// Devices do not know the name.
    case nameLocal = "name_local"
    /// Devices that ask another resolver go elsewhere.
    case nameDiffers = "name_differs"
    case unreachable
    /// The status is none of success.
    case status
    case redirect
    case certificate
    case certificateEnds = "certificate_ends"
    case mime
    case ranges
    case cors
    case codec
    case manifest
    case framing
    case imageSize = "image_size"
    case fileSize = "file_size"
    /// Nothing was asked: time was up, or something forbids it.
    case skipped
  }

  package var code: Code
  package var severity: Severity
  package var text: String
  /// What to do; `nil` where the text says it.
  package var help: String?
  /// The address that it is about, where a manifest leads from one to others.
  package var url: String

  package init(_ code: Code, _ severity: Severity, _ text: String, help: String? = nil, at url: String) {
    self.code = code
    self.severity = severity
    // Servers choose some of the words.
    self.text = text.utf8.count > Self.mostBytes ? String(text.prefix(Self.mostBytes / 4)) + "…" : text
    self.help = help
    self.url = url
  }

  private static let mostBytes = 1_000

  package var json: JSONValue {
    var object: JSONObject = [
      "code": .string(code.rawValue), "severity": .string(severity.rawValue), "text": .string(text),
      "url": .string(url),
    ]
    object["help"] = help.map { .string($0) }
    return .object(object)
  }
}

/// An address to be probed, and what for.
package struct ProbeSubject: Hashable, Sendable {
  package enum Role: String, Hashable, Sendable {
    case media, track, image
    /// What describes ads: VAST and VMAP.
    case ad
  }

  package var url: String
  package var role: Role
  /// What the document says that it is.
  package var contentType: String?

  package init(_ url: String, _ role: Role = .media, contentType: String? = nil) {
    self.url = url
    self.role = role
    self.contentType = contentType
  }
}

/// What came of one address.
package struct ProbeReport: Hashable, Sendable {
  package var subject: ProbeSubject
  /// Of the last answer; `nil`: there was none.
  package var status: Int?
  /// What it is, by its first bytes or its header.
  package var type: String?
  /// In bytes, where the server says it.
  package var size: Int?
  /// Those that the file or the manifests name, as RFC 6381 writes them, each once.
  package var codecs: [String] = []
  package var findings: [ProbeFinding] = []
  /// What servers proved by on the way, each once.
  package var certificates: [SeenCertificate] = []

  package struct SeenCertificate: Hashable, Sendable {
    package var url: WebURL
    package var certificate: WebCertificate
  }

  package init(_ subject: ProbeSubject) { self.subject = subject }

  /// The worst that was found.
  package var severity: ProbeFinding.Severity? { findings.map(\.severity).max() }

  package var json: JSONValue {
    var object: JSONObject = ["url": .string(subject.url), "role": .string(subject.role.rawValue)]
    object["status"] = status.map { .int($0) }
    object["type"] = type.map { .string($0) }
    object["size"] = size.map { .int($0) }
    if !codecs.isEmpty { object["codecs"] = .array(codecs.map(JSONValue.string)) }
    object["findings"] = .array(findings.map(\.json))
    return .object(object)
  }
}
