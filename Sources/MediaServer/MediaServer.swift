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

  private let shelf = MediaShelf()
  private var servers: [String: WebServer] = [:]
  private var isClosed = false

  package init() {}

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
      let server = try await WebServer.start(host: host, port: 0) { [shelf] request in
        shelf.answer(request, authority: shared.authority)
      }
      shared.authority = Self.authority(server)
      // Another call may have been faster while we waited.
      if let first = servers[host] {
        await server.close()
        return first
      }
      servers[host] = server
      return server
    } catch {
      throw Failure(message: error.message, help: error.help)
    }
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
