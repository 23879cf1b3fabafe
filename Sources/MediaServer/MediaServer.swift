import Dispatch
import Synchronization
import WebServer

/// Gives files of this computer addresses that devices can fetch, and serves them: on the one address that leads to each
/// device, to that device only, for as long as it is not closed (docs/security.md 4c).
package actor MediaServer {
  package struct Failure: Error, Hashable, Sendable {
    /// A lowercase fragment.
    package var message: String
    package var help: String?
  }

  /// What has the addresses of one process mean the same in the next: what a device plays is known again.
  package struct Memory: Sendable {
    /// The token of a content: 32 hexadecimal digits that must not be guessed; `nil`: any will do.
    package var token: @Sendable (_ content: String) -> String?
    /// The port that an address of this computer had last; `nil`: none.
    package var port: @Sendable (_ host: String) -> Int?
    package var keepPort: @Sendable (_ host: String, Int) -> Void

    package init(
      token: @escaping @Sendable (String) -> String?, port: @escaping @Sendable (String) -> Int?,
      keepPort: @escaping @Sendable (String, Int) -> Void
    ) {
      (self.token, self.port, self.keepPort) = (token, port, keepPort)
    }

    /// Each process has addresses of its own.
    package static let none = Memory(token: { _ in nil }, port: { _ in nil }, keepPort: { _, _ in })
  }

  private let shelf: MediaShelf
  private let memory: Memory
  private var servers: [String: WebServer] = [:]
  private var isClosed = false

  package init(_ memory: Memory = .none) {
    self.memory = memory
    shelf = MediaShelf(token: memory.token)
  }

  /// The address at which a device can fetch a file from now on.
  /// - Parameter host: The device's address or name.
  package func address(ofFile path: String, for host: String) async throws(Failure) -> String {
    try await address(for: host) { shelf throws(MediaFile.Failure) in try shelf.add(path) }
  }

  /// The address at which a device can fetch the black picture from now on.
  /// - Parameter host: The device's address or name.
  package func address(ofBlackPictureFor host: String) async throws(Failure) -> String {
    try await address(for: host) { shelf throws(MediaFile.Failure) in
      try shelf.add(BlackPicture.png, named: "black.png")
    }
  }

  private func address(
    for host: String, adding add: (MediaShelf) throws(MediaFile.Failure) -> String
  ) async throws(Failure) -> String {
    let found = await withCheckedContinuation { continuation in
      // A name may take its time.
      DispatchQueue(label: "showcaller.route").async { continuation.resume(returning: LocalRoute.address(to: host)) }
    }
    guard let route = found else {
      throw Failure(message: "no way leads from this computer to \(host)", help: "`ip route` shows the ways there are")
    }
    for peer in route.peers { shelf.admit(peer) }
    let fetched: String
    do {
      fetched = try add(shelf)
    } catch {
      throw Failure(message: error.message)
    }
    let server = try await server(at: route.own)
    return "http://\(Self.authority(server))\(fetched)"
  }

  /// Whether anybody has asked for what an address of ours stands for.
  package func wasFetched(_ address: String) -> Bool {
    let path = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).last.map { "/\($0)" }
    return shelf.requests(of: path ?? "") > 0
  }

  /// Ends serving; the addresses mean nothing any more.
  package func close() async {
    isClosed = true
    let all = servers.values
    servers = [:]
    for server in all { await server.close() }
  }

  private func server(at host: String) async throws(Failure) -> WebServer {
    if let server = servers[host] { return server }
    if isClosed { throw Failure(message: "files are not served any more") }
    let shared = Shared()
    do {
      let server = try await start(at: host) { [shelf] request in
        shelf.answer(request, authority: shared.authority)
      }
      shared.authority = Self.authority(server)
      // Another call may have been faster while we waited.
      if let first = servers[host] {
        await server.close()
        return first
      }
      servers[host] = server
      memory.keepPort(host, server.port)
      return server
    } catch {
      throw Failure(message: error.message, help: error.help)
    }
  }

  /// Listens where it did last, or, where somebody else has that port by now, at a free one.
  private func start(
    at host: String, answer: @escaping @Sendable (ServedRequest) async -> ServedAnswer
  ) async throws(WebServer.Failure) -> WebServer {
    // Another call may listen there already, and is found when we do.
    if let port = memory.port(host), let server = try? await WebServer.start(host: host, port: port, answer: answer) {
      return server
    }
    return try await WebServer.start(host: host, port: 0, answer: answer)
  }

  /// What a server calls itself, known once it listens.
  private final class Shared: Sendable {
    private let value = Mutex("")
    var authority: String {
      get { value.withLock { $0 } }
      set { value.withLock { $0 = newValue } }
    }
  }

  private static func authority(_ server: WebServer) -> String {
    server.host.contains(":") ? "[\(server.host)]:\(server.port)" : "\(server.host):\(server.port)"
  }
}
