import Synchronization
package import WebServer

/// What is served: files that were registered, each under a token of its own. There is no way from a path to a file
/// (docs/security.md 4c M1).
package final class MediaShelf: Sendable {
  /// More files at once belong on a web server.
  package static let mostFiles = 10_000

  private enum Content: Sendable {
    case file(MediaFile)
    case bytes([UInt8], tag: String)
  }

  private struct Entry: Sendable {
    var name: String
    var type: String
    var content: Content
    var requests = 0
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// The token of each path, with the content it stands for.
    var tokens: [String: (token: String, tag: String)] = [:]
    var peers: Set<String> = []
  }

  private let state = Mutex(State())
  private let token: @Sendable (_ content: String) -> String?

  /// - Parameter token: 32 hexadecimal digits for a content, which must not be guessed; `nil`: any will do.
  package init(token: @escaping @Sendable (_ content: String) -> String? = { _ in nil }) { self.token = token }

  /// Lets whoever has this address fetch.
  package func admit(_ peer: String) { state.withLock { _ = $0.peers.insert(peer) } }

  /// Registers a file; one that is there already, and was not changed, keeps its token.
  /// - Returns: The path under which it is fetched, such as `/m/0123…/film.mp4`.
  package func add(_ path: String) throws(MediaFile.Failure) -> String {
    let file = try MediaFile(path)
    let name = String(path.split(separator: "/").last ?? "media")
    let beginning = try file.read(0, MediaType.sniffed)
    var content = Content.file(file)
    var type = MediaType.of(name, beginning: beginning)
    if Subtitles.areIn(name) {
      guard file.size <= Subtitles.mostBytes else {
        throw MediaFile.Failure("\(path) is too large for subtitles: \(Subtitles.mostBytes >> 20) MiB are the most")
      }
      var bytes: [UInt8] = []
      while bytes.count < file.size {
        let piece = try file.read(bytes.count, file.size - bytes.count)
        if piece.isEmpty { break }
        bytes += piece
      }
      content = .bytes(Subtitles.webVTT(bytes), tag: file.entityTag)
      type = "text/vtt; charset=utf-8"
    }
    return try add(Entry(name: name, type: type, content: content), as: path, tag: file.entityTag)
  }

  /// Registers what is no file, under a name of its own.
  /// - Returns: The path under which it is fetched.
  package func add(_ bytes: [UInt8], named name: String) throws(MediaFile.Failure) -> String {
    let tag = "\"\(name)-\(bytes.count)\""
    let type = MediaType.of(name, beginning: Array(bytes.prefix(MediaType.sniffed)))
    // Paths of files do not begin like this.
    return try add(Entry(name: name, type: type, content: .bytes(bytes, tag: tag)), as: "//made/\(name)", tag: tag)
  }

  private func add(_ entry: Entry, as path: String, tag: String) throws(MediaFile.Failure) -> String {
    let token = self.token("\(path)\n\(tag)") ?? Self.randomToken
    let result = state.withLock { state -> String? in
      if let known = state.tokens[path], known.tag == tag { return known.token }
      guard state.entries.count < Self.mostFiles else { return nil }
      if let old = state.tokens[path] { state.entries[old.token] = nil }
      state.entries[token] = entry
      state.tokens[path] = (token, tag)
      return token
    }
    guard let result else { throw MediaFile.Failure("more than \(Self.mostFiles) files are served already") }
    return "/m/\(result)/\(Self.encoded(entry.name))"
  }

  /// How often what is fetched under a path was asked for.
  package func requests(of path: String) -> Int {
    state.withLock { $0.entries[Self.token(in: path) ?? ""]?.requests ?? 0 }
  }

  // MARK: answers

  /// Answers a request; `authority` is the address and port that were told to devices.
  package func answer(_ request: ServedRequest, authority: String) -> ServedAnswer {
    // A name that leads here is not ours: a page that makes a browser ask us has one (docs/security.md 4c M4).
    guard request.host == authority else { return .text(421, "not here\n") }
    guard let token = Self.token(in: request.path) else { return Self.nothing }
    let found = state.withLock { state -> (Entry, Bool)? in
      guard let entry = state.entries[token], request.path == "/m/\(token)/\(Self.encoded(entry.name))" else {
        return nil
      }
      let isAdmitted = state.peers.contains(request.peer)
      if isAdmitted { state.entries[token]?.requests += 1 }
      return (entry, isAdmitted)
    }
    guard let (entry, isAdmitted) = found else { return Self.nothing }
    guard isAdmitted else { return .text(403, "not for you\n") }
    var answer = Self.answer(request, entry)
    answer.headers += [
      ("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", "Content-Length, Content-Range"),
      ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "private, max-age=0, must-revalidate"),
    ]
    return answer
  }

  private static let nothing = ServedAnswer.text(404, "nothing here\n")

  private static func answer(_ request: ServedRequest, _ entry: Entry) -> ServedAnswer {
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
    let size: Int
    let tag: String
    switch entry.content {
    case .bytes(let bytes, let text): (size, tag) = (bytes.count, text)
    case .file(let file):
      // Better nothing than half of one file and half of another.
      guard file.isUnchanged else { return .text(410, "it was changed\n") }
      (size, tag) = (file.size, file.entityTag)
    }
    var headers = [("Content-Type", entry.type), ("Accept-Ranges", "bytes"), ("ETag", tag)]
    let known = request.headers["if-none-match"]?.split(separator: ",").map { $0.trimmed } ?? []
    if known.contains(tag) || known == ["*"] { return ServedAnswer(304, headers: headers) }
    let isWanted = request.headers["if-range"].map { $0 == tag } ?? true
    switch ByteRange(isWanted ? request.headers["range"] : nil, of: size) {
    case .whole: return ServedAnswer(200, headers: headers, body: body(of: entry.content, 0..<size))
    case .part(let range):
      headers.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
      return ServedAnswer(206, headers: headers, body: body(of: entry.content, range))
    case .unsatisfiable:
      headers.append(("Content-Range", "bytes */\(size)"))
      return ServedAnswer(416, headers: headers)
    }
  }

  private static func body(of content: Content, _ range: Range<Int>) -> ServedAnswer.Body {
    switch content {
    case .bytes(let bytes, _): .bytes(Array(bytes[range]))
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

extension Substring {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
