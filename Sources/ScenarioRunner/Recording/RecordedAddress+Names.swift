/// What people may be told of an address: only what is before the places where secrets are looked for
/// (docs/security.md Y11).
extension RecordedAddress {
  /// `welcome.mp4` of `https://media.example.com/welcome.mp4;sig=1?start=1`; empty where it names no file.
  static func file(of address: String) -> String {
    guard let scheme = address.firstRange(of: "://") else { return lastPart(of: address[...]) }
    let rest = address[scheme.upperBound...]
    // A password before the host may have a semicolon.
    guard let path = rest.firstIndex(where: { "/?#".contains($0) }) else { return "" }
    return lastPart(of: rest[path...])
  }

  /// `media.example.com` of `https://me:password@media.example.com:8000?start=1`; empty where none is said.
  static func host(of address: String) -> String {
    guard let scheme = address.firstRange(of: "://") else { return "" }
    var host = address[scheme.upperBound...].prefix { !"/?#".contains($0) }
    if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
    return String(host.prefix { !":;[".contains($0) })
  }

  private static func lastPart(of path: Substring) -> String {
    String(path.prefix { !"?#;".contains($0) }.split(separator: "/").last ?? "")
  }
}
