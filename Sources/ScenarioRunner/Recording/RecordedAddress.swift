import CastProtocol
import ScenarioLanguage

/// An address that a device told, as a document may have it: what looks like a secret in it is asked for when it is run
/// (docs/security.md Y11).
struct RecordedAddress: Hashable {
  /// For a document, with `${secret.name}` in place of what was taken out.
  var text: String
  /// Whether a receiver elsewhere could fetch it.
  var isWeb: Bool
  /// Whether something was taken out of it.
  var hasSecrets: Bool

  /// Longer ones are not recorded.
  static let limit = 4_096

  /// - Parameters:
  ///   - name: What secrets are named after.
  ///   - secrets: Those of the document, by their values; new ones are added.
  init?(_ address: String, of name: String, secrets: inout RecordedSecrets) {
    guard !address.isEmpty, address.utf8.count <= Self.limit, !SecretPlaceholder.occurs(in: address) else { return nil }
    guard address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && !$0.isDisplayControl }),
      RecordedText.clean(address, limit: .max) == address
    else { return nil }
    let lower = address.lowercased()
    isWeb = false
    if lower.hasPrefix("http://") || lower.hasPrefix("https://"), let url = try? URLScalar.read(address) {
      isWeb = !URLScalar.isLoopback(url.host)
    }
    let known = secrets.placeholderCount
    text = Self.masked(address, of: name, secrets: &secrets)
    hasSecrets = secrets.placeholderCount > known
  }

  private static func masked(_ address: String, of name: String, secrets: inout RecordedSecrets) -> String {
    var rest = Substring(address)
    var result = ""
    // A name and a password before the host.
    if let scheme = rest.firstRange(of: "://") {
      let end = rest[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? rest.endIndex
      if let at = rest[scheme.upperBound..<end].lastIndex(of: "@") {
        result += escaped(rest[..<scheme.upperBound])
        result += secrets.placeholder(for: String(rest[scheme.upperBound..<at]), named: "\(name)_login")
        rest = rest[at...]
      }
    }
    guard let query = rest.firstIndex(where: { "?#;".contains($0) }) else { return result + escaped(rest) }
    result += escaped(rest[..<query])
    rest = rest[query...]
    while let mark = rest.first {
      let body = rest.dropFirst()
      let end = body.firstIndex { "?#;&".contains($0) } ?? body.endIndex
      let pair = body[..<end]
      result.append(mark)
      if let equals = pair.firstIndex(of: "=") {
        let (key, value) = (pair[..<equals], pair[pair.index(after: equals)...])
        result += escaped(key) + "="
        result +=
          isSecret(key, value) ? secrets.placeholder(for: String(value), named: "\(name)_\(key)") : escaped(value)
      } else {
        result += looksRandom(pair) ? secrets.placeholder(for: String(pair), named: "\(name)_query") : escaped(pair)
      }
      rest = rest[end...]
    }
    return result
  }

  private static func escaped(_ text: Substring) -> String { String(text.replacing("${", with: "$${")) }

  /// Whether a parameter of a query lets somebody in: by its name, or because nobody would make such a value up.
  private static func isSecret(_ key: Substring, _ value: Substring) -> Bool {
    if value.isEmpty { return false }
    let name = String(key.lowercased().unicodeScalars.filter { ("a"..."z").contains($0) || ("0"..."9").contains($0) })
    if names.contains(name) || parts.contains(where: { name.contains($0) }) { return true }
    return looksRandom(value)
  }

  private static let names: Set<String> = [
    "sig", "key", "sid", "hmac", "jwt", "policy", "pass", "pw", "pwd", "code", "otp", "pin", "hdnea", "hdnts", "st",
    "user",
    "username", "login", "email",
  ]
  private static let parts = [
    "token", "secret", "passw", "apikey", "accesskey", "signature", "auth", "credential", "session", "keypair",
  ]

  /// 24 letters and digits or more, as of a key.
  private static func looksRandom(_ value: Substring) -> Bool {
    guard value.utf8.count >= 24 else { return false }
    var (letters, digits) = (0, 0)
    for byte in value.utf8 {
      if (0x30...0x39).contains(byte) {
        digits += 1
      } else if (0x61...0x7A).contains(byte | 0x20) {
        letters += 1
      } else if !"-_.~%+/".utf8.contains(byte) {
        return false
      }
    }
    return digits >= 4 && letters >= 4
  }
}

/// The secrets that were taken out of a recording: their names, never their values.
struct RecordedSecrets: Hashable {
  private(set) var names: [String] = []
  /// How often one of them was put in place of its value.
  private(set) var placeholderCount = 0
  private var byValue: [String: String] = [:]
  private var taken: Set<String> = []

  /// `${secret.film_token}`; the same for the same value.
  mutating func placeholder(for value: String, named name: String) -> String {
    placeholderCount += 1
    if let known = byValue[value] { return "${secret.\(known)}" }
    let id = RecordedText.id(of: name, taken: &taken, else: "media", separator: "_")
    byValue[value] = id
    names.append(id)
    return "${secret.\(id)}"
  }
}
