package import CastProtocol

/// Names with a spelling of their own: ids, languages, MIME types, namespaces, zones, hosts
/// (docs/language/values.md "Spellings").
package enum NameScalar {
  /// `[a-z_][a-z0-9_-]*`; without `-` for variables. At most 64 letters.
  package static func id(_ text: String, isVariable: Bool = false) throws(ScalarProblem) -> String {
    let scalars = text.unicodeScalars
    func isAllowed(_ scalar: Unicode.Scalar, first: Bool) -> Bool {
      ("a"..."z").contains(scalar) || scalar == "_"
        || (!first && (("0"..."9").contains(scalar) || (scalar == "-" && !isVariable)))
    }
    var isFirst = true
    for (offset, scalar) in scalars.enumerated() {
      guard isAllowed(scalar, first: isFirst) else {
        throw ScalarProblem(
          .t219, "\(ScalarText.quoted(text)) is not \(isVariable ? "a variable's name" : "an id")",
          label: isFirst ? "not allowed as its first letter" : "not allowed", at: offset..<offset + 1,
          help: repaired(text, isVariable: isVariable).map { "write `\($0)`" } ?? usage(isVariable))
      }
      isFirst = false
    }
    guard !text.isEmpty else { throw ScalarProblem(.t219, "an id is empty", help: usage(isVariable)) }
    guard scalars.count <= 64 else {
      throw ScalarProblem(.t219, "\(ScalarText.quoted(text)) is too long for an id", label: "at most 64 letters")
    }
    return text
  }

  private static func usage(_ isVariable: Bool) -> String {
    "small letters, digits\(isVariable ? " and `_`" : ", `_` and `-`"), not a digit first"
  }

  private static func repaired(_ text: String, isVariable: Bool) -> String? {
    var result = ""
    for scalar in text.lowercased().unicodeScalars {
      let isPlain = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "_"
      if isPlain || (scalar == "-" && !isVariable) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "_"
      }
    }
    while result.first == "-" { result.removeFirst() }
    if let first = result.unicodeScalars.first, ("0"..."9").contains(first) { result = "_" + result }
    return result.contains { $0 != "_" } && result.utf8.count <= 64 ? result : nil
  }

  /// A BCP 47 tag: `en`, `pt-BR`, `zh-Hant-TW`.
  package static func language(_ text: String) throws(ScalarProblem) -> String {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let areSound = parts.enumerated().allSatisfy { index, part in
      part.utf8.allSatisfy { ScalarText.isLetter($0) || (index > 0 && ScalarText.isDigit($0)) }
        && (index == 0 ? (2...3) : (1...8)).contains(part.utf8.count)
    }
    guard areSound, parts.count <= 8 else {
      throw ScalarProblem(
        .t222, "\(ScalarText.quoted(text)) is not a language tag",
        label: Suggestions.label(languageNames[text.lowercased()] ?? hyphenated(text)),
        help: "BCP 47, such as `en`, `no`, `pt-BR`")
    }
    return text
  }

  private static let languageNames = [
    "english": "en", "german": "de", "deutsch": "de", "french": "fr", "spanish": "es", "italian": "it",
    "norwegian": "no", "swedish": "sv", "danish": "da", "dutch": "nl", "polish": "pl", "portuguese": "pt",
    "japanese": "ja", "chinese": "zh", "korean": "ko", "russian": "ru", "arabic": "ar", "finnish": "fi",
  ]

  /// `en_GB` as `en-GB`.
  private static func hyphenated(_ text: String) -> String? {
    guard text.contains("_"), text.utf8.count <= 40 else { return nil }
    let tag = text.replacing("_", with: "-")
    return (try? language(tag)) == nil ? nil : tag
  }

  package static func mime(_ text: String) throws(ScalarProblem) -> String {
    let type = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)[0]
    let parts = type.split(separator: "/", omittingEmptySubsequences: false)
    let allowed = { (byte: UInt8) in ScalarText.isLetterOrDigit(byte) || ".+-_".utf8.contains(byte) }
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(allowed) }), text.utf8.count <= 200
    else {
      let meant = MediaType.ofAny(extension: text)
      throw ScalarProblem(
        .t222, "\(ScalarText.quoted(text)) is not a MIME type",
        label: Suggestions.label(meant), help: "such as `video/mp4` or `application/x-mpegurl`")
    }
    return text
  }

  package static func urn(_ text: String) throws(ScalarProblem) -> String {
    let isPrintable = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard text.hasPrefix("urn:x-cast:"), isPrintable, text.utf8.count <= 128, text.utf8.count > 11 else {
      throw ScalarProblem(
        .t222, "\(ScalarText.quoted(text)) is not a namespace", help: "such as `urn:x-cast:com.example.game`")
    }
    return text
  }

  package static func appID(_ text: String) throws(ScalarProblem) -> String {
    let allowed = text.utf8.allSatisfy { ScalarText.isLetterOrDigit($0) || $0 == 0x5F || $0 == 0x2D || $0 == 0x2E }
    guard allowed, !text.isEmpty, text.utf8.count <= 64 else {
      throw ScalarProblem(.t222, "\(ScalarText.quoted(text)) is not an app id", help: "such as `CC1AD845`")
    }
    return text
  }

  /// Eight hexadecimal digits: an id that needs no entry under `apps:`.
  static func isPlainAppID(_ text: String) -> Bool {
    text.utf8.count == 8 && text.utf8.allSatisfy { ScalarText.isDigit($0) || (0x41...0x46).contains($0) }
  }

  /// An IANA name by its spelling; whether the zone exists is for the zone data to say.
  package static func timeZone(_ text: String) throws(ScalarProblem) -> String {
    guard TimeZoneDatabase.isFileName(text), text == "UTC" || text.contains("/") else {
      let isShort = (2...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
      throw ScalarProblem(
        .t218, "\(ScalarText.quoted(text)) is not a time zone", help: "an IANA name such as `Europe/Paris`, or `UTC`",
        note: isShort ? "an abbreviation does not say when clocks change" : nil)
    }
    return text
  }

  /// `address`, `address:port`, `[v6]:port` or a bare IPv6 address.
  package static func host(_ text: String) throws(ScalarProblem) -> HostAndPort {
    let problem = ScalarProblem(
      .t222, "\(ScalarText.quoted(text)) is not an address",
      help: "`192.0.2.14`, `192.0.2.14:8010`, `tv.example.com`, `2001:db8::1` or `[2001:db8::1]:8010`")
    var host = Substring(text)
    var port: Substring?
    if text.hasPrefix("[") {
      guard let close = text.firstIndex(of: "]") else { throw problem }
      host = text[text.index(after: text.startIndex)..<close]
      let after = text[text.index(after: close)...]
      if !after.isEmpty {
        guard after.hasPrefix(":") else { throw problem }
        port = after.dropFirst()
      }
      guard host.contains(":") else { throw problem }
    } else if text.utf8.filter({ $0 == 0x3A }).count == 1, let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      port = text[text.index(after: colon)...]
    }
    let allowed = { (byte: UInt8) in ScalarText.isLetterOrDigit(byte) || ".-:_%".utf8.contains(byte) }
    guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(allowed) else { throw problem }
    guard let port else { return HostAndPort(host: String(host)) }
    guard let number = ScalarText.int(port, upTo: 5), (1...65_535).contains(number) else { throw problem }
    return HostAndPort(host: String(host), port: number)
  }
}

extension ScalarSpec {
  static let text = ScalarSpec(
    "text", "a text", "any value, as written: `1917`, `no` and `1.10` stay text", variable: .init("text", .text)
  ) { _, _ in .text }

  static let id = ScalarSpec(
    "id", "an id", "small letters, digits, `_`, `-`, no digit first; variables without `-`; never from a variable",
    refused: "`Big Film`, `2nd`",
    variable: .init("id", .text)
  ) { text, _ throws(ScalarProblem) in
    _ = try NameScalar.id(text)
    return .text
  }

  static let language = ScalarSpec(
    "language", "a language tag", "a BCP 47 tag: `en`, `no`, `pt-BR`", refused: "`english`",
    pattern: "[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", examples: ["en", "pt-BR"], variable: .init("lang", .language)
  ) { text, _ throws(ScalarProblem) in
    _ = try NameScalar.language(text)
    return .text
  }

  static let mime = ScalarSpec(
    "MIME type", "a MIME type", "`video/mp4`, `application/x-mpegurl`", refused: "`mp4`",
    pattern: #"[^\s/;]+/[^\s/;]+(;.*)?"#, examples: ["video/mp4"], variable: .init("mime", .mime)
  ) { text, _ throws(ScalarProblem) in
    _ = try NameScalar.mime(text)
    return .text
  }

  static let urn = ScalarSpec(
    "namespace", "a namespace", "`urn:x-cast:com.example.app`", pattern: #"urn:[^\s]{5,}"#,
    examples: ["urn:x-cast:com.example.app"]
  ) { text, _ throws(ScalarProblem) in
    _ = try NameScalar.urn(text)
    return .text
  }

  static let appID = ScalarSpec(
    "app id", "an app id", "letters and digits as the app was registered with: `CC1AD845`, `10E45678`",
    examples: ["CC1AD845"], variable: .init("app", .text)
  ) { text, _ throws(ScalarProblem) in
    _ = try NameScalar.appID(text)
    return .text
  }

  static let hostAndPort = ScalarSpec(
    "address", "an address", "`192.0.2.14`, `tv.example.net:8009`, `[2001:db8::7]:8009`",
    examples: ["192.0.2.14", "192.0.2.14:8009"]
  ) { text, _ throws(ScalarProblem) in
    .host(try NameScalar.host(text))
  }

  static let path = ScalarSpec("path", "a path", "relative to the document: `brand/fonts.yaml`") { _, _ in .text }
}
