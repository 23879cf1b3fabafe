/// An absolute http: or https: address.
package struct WebURL: Hashable, Sendable, CustomStringConvertible {
  package enum Scheme: String, Hashable, Sendable { case http, https }

  package var scheme: Scheme
  /// A name or an address; IPv6 without brackets.
  package var host: String
  package var port: Int
  /// What is asked of the server: path and query, beginning with `/`, percent-encoded.
  package var target: String

  package init(scheme: Scheme, host: String, port: Int, target: String) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.target = target
  }

  /// As it is written, without a fragment; the usual port is left out.
  package var description: String { "\(scheme.rawValue)://\(authority)\(target)" }

  /// Host and port as in the header `Host`.
  package var authority: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port == (scheme == .https ? 443 : 80) ? host : "\(host):\(port)"
  }

  /// Scheme, host and port: what CORS calls an origin.
  package var origin: String { "\(scheme.rawValue)://\(authority)" }
}
