package import CastProtocol

/// Decides which requests to a page of ours are answered: the control page (docs/security.md 4.5), or a screen (V7).
///
/// A value without I/O; times are on any clock that only goes forward.
package struct WebAccess: Sendable {
  /// Wrong tokens of one address in a minute.
  private static let mostFailures = 10
  private static let window = Duration.seconds(60)
  /// Addresses whose failures are counted.
  private static let mostPeers = 1_000

  private let token: [UInt8]
  /// What the header `Host` may say.
  private let hosts: Set<String>
  /// The names under which a proxy with TLS has the page; they are among ``hosts``.
  private let proxyHosts: Set<String>
  /// Whether whoever only reads needs the token, too: the page can be reached from other computers.
  private let readersNeedToken: Bool
  private var failures: [String: [Duration]] = [:]

  /// - Parameters:
  ///   - token: Needed for every change; at least 32 characters.
  ///   - hosts: The names and ports under which the page may be asked for, such as `127.0.0.1:8020`.
  ///   - proxyHosts: The same of a proxy with TLS before the page: whoever comes by it is not of this computer.
  package init(token: String, hosts: Set<String>, proxyHosts: Set<String> = [], readersNeedToken: Bool) {
    self.token = Array(token.utf8)
    self.hosts = hosts.union(proxyHosts)
    self.proxyHosts = proxyHosts
    self.readersNeedToken = readersNeedToken || !proxyHosts.isEmpty
  }

  package enum Refusal: Hashable, Sendable {
    /// The name that it was asked for is not ours (W4).
    case wrongHost
    /// A page of another site asks (W3).
    case wrongOrigin
    case noToken
    case wrongToken
    case tooManyFailures
  }

  /// - Parameters:
  ///   - isOpen: Whether the answer needs no token, such as the page, which holds no data.
  ///   - hasOwnKey: Whether a change is judged by a key of its own, so that it needs the token only where readers do.
  /// - Returns: Why not; `nil`: it may be answered.
  package mutating func refusal(
    of request: ServedRequest, isOpen: Bool, hasOwnKey: Bool = false, at time: Duration
  ) -> Refusal? {
    guard let host = request.host, hosts.contains(host.lowercased()) else { return .wrongHost }
    if let origin = request.headers["origin"], !isOwn(origin) { return .wrongOrigin }
    let reads = request.method == .get || request.method == .head || hasOwnKey
    if isOpen, reads { return nil }
    // What a proxy hands on is not of this computer, although the proxy is.
    let isForeign = readersNeedToken || Self.proxyHeaders.contains { request.headers[$0] != nil }
    guard let given = request.headers["authorization"] else { return reads && !isForeign ? nil : .noToken }
    // A reader without a token is not locked out by wrong tokens from the same address, such as an old tab's.
    let peer = peer(of: request)
    let recent = (failures[peer] ?? []).filter { time - $0 < Self.window }
    if recent.count >= Self.mostFailures { return .tooManyFailures }
    if given.hasPrefix("Bearer "), isToken(Array(given.utf8.dropFirst(7))) { return nil }
    if failures.count >= Self.mostPeers { failures = failures.filter { $1.contains { time - $0 < Self.window } } }
    if failures.count < Self.mostPeers { failures[peer] = recent + [time] }
    return .wrongToken
  }

  private static let proxyHeaders = ["forwarded", "x-forwarded-for", "x-real-ip"]

  /// Whether a page of that origin is ours.
  private func isOwn(_ origin: String) -> Bool {
    hosts.contains { origin == "http://\($0)" } || proxyHosts.contains { origin == "https://\($0)" }
  }

  /// The address whose wrong tokens are counted: the peer's; behind the proxy of `--control-name`, with it the last of
  /// `X-Forwarded-For`, which the proxy itself added.
  private func peer(of request: ServedRequest) -> String {
    guard !proxyHosts.isEmpty, let chain = request.headers["x-forwarded-for"],
      let last = chain.split(separator: ",").last
    else { return request.peer }
    return "\(request.peer) \(last.prefix(64))"
  }

  /// Takes as long for any text of one length.
  private func isToken(_ given: [UInt8]) -> Bool {
    guard given.count == token.count, !token.isEmpty else { return false }
    return zip(given, token).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension WebAccess.Refusal {
  /// The answer to one that is refused.
  package var answer: ServedAnswer {
    let (status, text): (Int, String) =
      switch self {
      case .wrongHost: (403, "this name is not one of the page")
      case .wrongOrigin: (403, "another site may not ask")
      case .noToken:
        (401, "this needs `Authorization: Bearer TOKEN`; the command that serves the page says where the token is")
      case .wrongToken: (401, "the token is wrong; the command that serves the page says where it is")
      case .tooManyFailures: (429, "too many wrong tokens: wait a minute")
      }
    var answer = ServedAnswer.json(status, ["error": .string(text)])
    if status == 401 { answer.headers.append(("WWW-Authenticate", "Bearer")) }
    if status == 429 { answer.headers.append(("Retry-After", "60")) }
    return answer
  }
}

extension ServedAnswer {
  package static func json(_ status: Int, _ value: JSONValue) -> ServedAnswer {
    .text(status, value.serialized() + "\n", type: "application/json")
  }
}
