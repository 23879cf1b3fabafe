import Synchronization
package import WebServer

/// What is served: files that were registered, each under a token of its own. There is no way from a path to a file
/// (docs/security.md M1).
package final class MediaShelf: Sendable {
  /// More files at once belong on a web server: those that were not used for the longest time are let go.
  package static let mostFiles = 10_000
  /// How long a file stays registered, and a device admitted, unused: longer than anybody leaves a film paused.
  package static let lifetime = Duration.seconds(86_400)
  private static let sweepInterval = Duration.seconds(60)

  fileprivate enum Content: Sendable {
    case file(MediaFile)
    case subtitles(MediaFile, Subtitles.Hint)
    case bytes([UInt8], tag: String)

    var tag: String {
      switch self {
      case .file(let file), .subtitles(let file, _): file.entityTag
      case .bytes(_, let tag): tag
      }
    }
  }

  fileprivate struct Entry: Sendable {
    var name: String
    var type: String
    var content: Content
    /// The key under which it is registered.
    var key: String
    var used: Duration
    /// How often each device has asked for it.
    var requests: [String: Int] = [:]
    var refusals = Refusals()
  }

  fileprivate struct State {
    var entries: [String: Entry] = [:]
    /// The token of each key, with the content it stands for.
    var tokens: [String: (token: String, tag: String)] = [:]
    /// The addresses that may ask, and when each asked last.
    var peers: [String: Duration] = [:]
    var cache = MediaCache()
    var swept = Duration.zero
  }

  /// The peers that were turned away although they knew a secret address.
  package struct Refusals: Hashable, Sendable {
    package var count = 0
    /// Of the last one: its address, and the name by which it called us where that was wrong.
    package var peer = ""
    package var wrongHost: String?
  }

  private let state = Mutex(State())
  private let token: @Sendable (_ content: String) -> String?
  private let now: @Sendable () -> Duration

  /// - Parameters:
  ///   - now: The time since some moment.
  ///   - token: 32 hexadecimal digits for a content, which must not be guessed; `nil`: any will do.
  package init(
    now: @escaping @Sendable () -> Duration, token: @escaping @Sendable (_ content: String) -> String? = { _ in nil }
  ) {
    self.now = now
    self.token = token
  }

  /// Lets whoever has this address fetch.
  package func admit(_ peer: String) {
    let now = now()
    state.withLock { $0.peers[Self.plain(peer)] = now }
  }

  /// Whether whoever has this address may fetch something.
  package func isAdmitted(_ peer: String) -> Bool { state.withLock { $0.peers[Self.plain(peer)] != nil } }

  /// An address without the name of the interface, which each side calls as it likes.
  private static func plain(_ peer: String) -> String { String(peer.prefix { $0 != "%" }) }

  /// Registers a file; one that is there already, and was not changed, keeps its token.
  /// - Parameters:
  ///   - isReal: The path must lead there without any link.
  ///   - hint: What is known of subtitles.
  /// - Returns: The path under which it is fetched, such as `/m/0123…/film.mp4`.
  package func add(
    _ path: String, isReal: Bool = false, hint: Subtitles.Hint = Subtitles.Hint()
  ) throws(MediaFile.Failure) -> String {
    let (file, open) = try MediaFile.opened(path, isReal: isReal)
    let name = String(path.split(separator: "/").last ?? "media")
    guard Subtitles.isSubtitles(name) else {
      let type = MediaType.of(name, beginning: try open.read(0, MediaType.sniffed))
      return add(.file(file), named: name, type: type, as: path, .file(open))
    }
    guard file.size <= Subtitles.mostBytes else {
      throw MediaFile.Failure("\(path) is too large for subtitles: \(Subtitles.mostBytes >> 20) MiB are the most")
    }
    let text = try Subtitles.webVTT(open.whole(), hint)
    return add(
      .subtitles(file, hint), named: name, type: "text/vtt; charset=utf-8", as: "\(path)\(hint.key)", .bytes(text))
  }

  /// Registers bytes that are made here, such as the black picture.
  /// - Returns: The path under which it is fetched.
  package func add(_ bytes: [UInt8], named name: String) -> String {
    let type = MediaType.of(name, beginning: Array(bytes.prefix(MediaType.sniffed)))
    // Paths of files do not begin like this.
    return add(.bytes(bytes, tag: "\"\(name)-\(bytes.count)\""), named: name, type: type, as: "//made/\(name)", nil)
  }

  private func add(
    _ content: Content, named name: String, type: String, as key: String, _ cached: MediaCache.Content?
  ) -> String {
    let tag = content.tag
    let token = self.token("\(key)\n\(tag)") ?? Self.randomToken
    let now = now()
    let result = state.withLock { state -> String in
      state.sweep(at: now, every: Self.sweepInterval)
      var token = token
      if let known = state.tokens[key], known.tag == tag, state.entries[known.token] != nil {
        token = known.token
        state.entries[token]?.used = now
      } else {
        // What had the name before may still be on a screen: it goes when nobody asks for it any more.
        if state.entries.count >= Self.mostFiles { state.dropOldest() }
        state.entries[token] = Entry(name: name, type: type, content: content, key: key, used: now)
        state.tokens[key] = (token, tag)
      }
      if let cached { state.cache.keep(cached, for: token, at: now) }
      return token
    }
    return "/m/\(result)/\(Self.encoded(name))"
  }

  /// How often one of these addresses has asked for what is fetched under a path, and who was turned away.
  package func requests(of path: String, by peers: [String]) -> (count: Int, refusals: Refusals) {
    state.withLock { state in
      guard let entry = state.entries[Self.token(in: path) ?? ""] else { return (0, Refusals()) }
      return (peers.reduce(0) { $0 + entry.requests[Self.plain($1), default: 0] }, entry.refusals)
    }
  }

  /// How many files are served.
  package var count: Int { state.withLock { $0.entries.count } }

  /// Lets go what nobody used for long.
  package func sweep() {
    let now = now()
    state.withLock { $0.sweep(at: now, every: .zero) }
  }

  // MARK: answers

  /// Answers a request; `authority` is the address and port that were told to devices.
  package func answer(_ request: ServedRequest, authority: String) -> ServedAnswer {
    let token = Self.token(in: request.path)
    let (peer, now) = (Self.plain(request.peer), now())
    // A name that leads here is not ours: a page that makes a browser ask us has one (docs/security.md M4).
    let isOurs = request.host == authority
    let found = state.withLock { state -> (Entry, Bool)? in
      state.sweep(at: now, every: Self.sweepInterval)
      guard let token, let entry = state.entries[token],
        request.path == "/m/\(token)/\(Self.encoded(entry.name))"
      else { return nil }
      let isAdmitted = state.peers[peer] != nil
      if isAdmitted, isOurs {
        state.peers[peer] = now
        state.entries[token]?.used = now
        state.entries[token]?.requests[peer, default: 0] += 1
      } else {
        state.entries[token]?.refusals.add(request, peer, isAdmitted: isAdmitted)
      }
      return (entry, isAdmitted)
    }
    guard isOurs else { return Self.refusal(421, "not here\n") }
    guard let token, let (entry, isAdmitted) = found else { return Self.refusal(404, "nothing here\n") }
    guard isAdmitted else { return Self.refusal(403, "not for you\n") }
    var answer = answer(request, entry, token)
    answer.headers += [
      ("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", "Content-Length, Content-Range"),
      ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "private, max-age=0, must-revalidate"),
    ]
    return answer
  }

  /// A peer that is turned away keeps no place.
  private static func refusal(_ status: Int, _ text: String) -> ServedAnswer {
    var answer = ServedAnswer.text(status, text)
    answer.headers.append(("Connection", "close"))
    return answer
  }

  private func answer(_ request: ServedRequest, _ entry: Entry, _ token: String) -> ServedAnswer {
    switch request.method {
    case .get, .head: break
    case .options:
      return ServedAnswer(
        204,
        headers: [
          ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
          ("Access-Control-Allow-Headers", "Range, Content-Type, Accept-Encoding"), ("Access-Control-Max-Age", "600"),
        ])
    case .post, .put, .delete, nil: return ServedAnswer(405, headers: [("Allow", "GET, HEAD, OPTIONS")])
    }
    // Better nothing than half of one file and half of another.
    guard let content = content(of: entry, token) else { return .text(410, "it was changed\n") }
    let tag = entry.content.tag
    let size =
      switch content {
      case .bytes(let bytes): bytes.count
      case .file(let file): file.identity.size
      }
    var headers = [("Content-Type", entry.type), ("Accept-Ranges", "bytes"), ("ETag", tag)]
    let known = request.headers["if-none-match"]?.split(separator: ",").map { $0.trimmed } ?? []
    if known.contains(tag) || known == ["*"] { return ServedAnswer(304, headers: headers) }
    let isWanted = request.headers["if-range"].map { $0 == tag } ?? true
    switch ByteRange(isWanted ? request.headers["range"] : nil, of: size) {
    case .whole: return ServedAnswer(200, headers: headers, body: Self.body(of: content, 0..<size))
    case .part(let range):
      headers.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
      return ServedAnswer(206, headers: headers, body: Self.body(of: content, range))
    case .unsatisfiable:
      headers.append(("Content-Range", "bytes */\(size)"))
      return ServedAnswer(416, headers: headers)
    }
  }

  /// What is registered, at hand or opened again; `nil` where it is not what it was.
  private func content(of entry: Entry, _ token: String) -> MediaCache.Content? {
    let file: MediaFile
    switch entry.content {
    case .bytes(let bytes, _): return .bytes(bytes)
    case .file(let its), .subtitles(let its, _): file = its
    }
    let now = now()
    switch state.withLock({ $0.cache.content(token, at: now) }) {
    case .bytes(let bytes)?: return .bytes(bytes)
    case .file(let open)?: return open.isUnchanged ? .file(open) : nil
    case nil: break
    }
    guard let open = try? file.open() else { return nil }
    var content = MediaCache.Content.file(open)
    if case .subtitles(_, let hint) = entry.content {
      guard let bytes = try? Subtitles.webVTT(open.whole(), hint) else { return nil }
      content = .bytes(bytes)
    }
    state.withLock { [content] in $0.cache.keep(content, for: token, at: now) }
    return content
  }

  private static func body(of content: MediaCache.Content, _ range: Range<Int>) -> ServedAnswer.Body {
    switch content {
    case .bytes(let bytes): .bytes(Array(bytes[range]))
    case .file(let file):
      .pieces(length: range.count) { offset, count in try file.read(range.lowerBound + offset, count) }
    }
  }

  /// The token in `/m/<token>/<name>`; `nil` where a path is none of ours.
  private static func token(in path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "m", parts[2].utf8.count == 32 else { return nil }
    return String(parts[2])
  }

  private static var randomToken: String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// A name as it stands in a path (RFC 3986 2.3).
  static func encoded(_ name: String) -> String {
    name.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

extension MediaShelf.State {
  fileprivate mutating func sweep(at now: Duration, every interval: Duration) {
    guard now >= swept + interval else { return }
    swept = now
    let old = now - MediaShelf.lifetime
    peers = peers.filter { $0.value > old }
    for (token, entry) in entries where entry.used <= old { drop(token, entry.key) }
    cache.sweep(at: now) { [entries] in entries[$0] != nil }
  }

  fileprivate mutating func dropOldest() {
    guard let (token, entry) = entries.min(by: { $0.value.used < $1.value.used }) else { return }
    drop(token, entry.key)
  }

  private mutating func drop(_ token: String, _ key: String) {
    entries[token] = nil
    if tokens[key]?.token == token { tokens[key] = nil }
  }
}

extension MediaShelf.Refusals {
  fileprivate mutating func add(_ request: ServedRequest, _ peer: String, isAdmitted: Bool) {
    count += 1
    self.peer = peer
    // Others choose the words.
    wrongHost = isAdmitted ? String((request.host ?? "").prefix(100)) : nil
  }
}

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
