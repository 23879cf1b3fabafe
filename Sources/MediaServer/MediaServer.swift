import Dispatch
import Synchronization
import WebServer

/// Gives files of this computer addresses that devices can fetch, and serves them: on the one address that leads to each
/// device, to that device only, for as long as it is not closed (docs/security.md M2).
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
  /// Where files are read that are registered, one after the other.
  private let files = DispatchQueue(label: "showcaller.files")
  private let memory: Memory
  private let now: @Sendable () -> Duration
  private var listeners: [String: Listener] = [:]
  /// From which addresses each device may ask.
  private var peers: [String: [String]] = [:]
  private var isClosed = false

  private struct Listener {
    var server: WebServer
    var shared: Shared
  }

  /// - Parameter now: The time since some moment.
  package init(
    _ memory: Memory = .none,
    now: @escaping @Sendable () -> Duration = { ContinuousClock.now - MediaServer.start }
  ) {
    self.memory = memory
    self.now = now
    shelf = MediaShelf(now: now, token: memory.token)
  }

  private static let start = ContinuousClock.now

  /// The address at which a device can fetch a file from now on.
  /// - Parameters:
  ///   - isReal: The path must lead there without any link.
  ///   - hint: What is known of subtitles.
  ///   - host: The device's address or name.
  package func address(
    ofFile path: String, isReal: Bool = false, hint: Subtitles.Hint = Subtitles.Hint(), for host: String
  ) async throws(Failure) -> String {
    try await address(for: host) { shelf throws(MediaFile.Failure) in
      try shelf.add(path, isReal: isReal, hint: hint)
    }
  }

  /// The address at which a device can fetch the black picture from now on.
  /// - Parameter host: The device's address or name.
  package func address(ofBlackPictureFor host: String) async throws(Failure) -> String {
    try await address(for: host) { shelf throws(MediaFile.Failure) in shelf.add(BlackPicture.png, named: "black.png") }
  }

  private func address(
    for host: String, adding add: @escaping @Sendable (MediaShelf) throws(MediaFile.Failure) -> String
  ) async throws(Failure) -> String {
    let found = await withCheckedContinuation { continuation in
      // A name may take its time.
      DispatchQueue(label: "showcaller.route").async { continuation.resume(returning: LocalRoute.address(to: host)) }
    }
    guard let route = found else {
      throw Failure(message: "no way leads from this computer to \(host)", help: "`ip route` shows the ways there are")
    }
    let added: Result<String, MediaFile.Failure> = await withCheckedContinuation { continuation in
      // A disk may take its time, and so may subtitles of an unknown encoding.
      files.async { [shelf] in
        continuation.resume(returning: Result { () throws(MediaFile.Failure) in try add(shelf) })
      }
    }
    let fetched: String
    switch added {
    case .success(let path): fetched = path
    case .failure(let error): throw Failure(message: error.message)
    }
    let server = try await server(at: route.own)
    // A device is admitted once it is to be told an address.
    for peer in route.peers { shelf.admit(peer) }
    peers[host] = route.peers
    return "http://\(Self.authority(server))\(fetched)"
  }

  /// What a device has asked for by an address of ours, and who else did.
  package struct Fetches: Hashable, Sendable {
    /// How often the device has asked.
    package var count = 0
    package var refusals = MediaShelf.Refusals()
    /// From where the device may ask.
    package var peers: [String] = []
  }

  /// - Parameter host: The device's address or name.
  package func fetches(of address: String, by host: String) -> Fetches {
    let path = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).last.map { "/\($0)" }
    let peers = peers[host] ?? []
    let (count, refusals) = shelf.requests(of: path ?? "", by: peers)
    return Fetches(count: count, refusals: refusals, peers: peers)
  }

  /// Lets go what nobody used for long, and stops listening where nobody has anything to ask for.
  package func sweep() async {
    shelf.sweep()
    let old = now() - MediaShelf.lifetime
    for (host, listener) in listeners where listener.shared.used <= old {
      listeners[host] = nil
      await listener.server.close()
    }
    if listeners.isEmpty { peers = [:] }
  }

  /// The addresses of this computer at which it listens.
  package var hosts: [String] { listeners.keys.sorted() }

  /// Ends serving; the addresses mean nothing any more.
  package func close() async {
    isClosed = true
    let all = listeners.values
    listeners = [:]
    for listener in all { await listener.server.close() }
  }

  private func server(at host: String) async throws(Failure) -> WebServer {
    if isClosed { throw Self.closed }
    if let listener = listeners[host] {
      listener.shared.used = now()
      return listener.server
    }
    let shared = Shared(used: now())
    let server: WebServer
    do {
      server = try await start(at: host) { [shelf, now] request in
        let answer = shelf.answer(request, authority: shared.authority)
        if answer.status < 400 { shared.used = now() }
        return answer
      }
    } catch {
      throw Failure(message: error.message, help: error.help)
    }
    shared.authority = Self.authority(server)
    // All may be over, or another call have been faster, while we waited.
    if isClosed || listeners[host] != nil {
      await server.close()
      guard !isClosed, let first = listeners[host] else { throw Self.closed }
      return first.server
    }
    listeners[host] = Listener(server: server, shared: shared)
    memory.keepPort(host, server.port)
    return server
  }

  private static let attempts = 10
  private static let closed = Failure(message: "files are not served any more")

  /// Listens where it did last, or, where somebody else has that port by now, at a free one.
  private func start(
    at host: String, answer: @escaping @Sendable (ServedRequest) async -> ServedAnswer
  ) async throws(WebServer.Failure) -> WebServer {
    let knows: @Sendable (String) -> Bool = { [shelf] in shelf.isAdmitted($0) }
    var limits = WebServer.Limits()
    // No request has a body.
    limits.bodyBytes = 0
    // Another call may listen there already, and is found when we do.
    if let port = memory.port(host) {
      for attempt in 0..<Self.attempts {
        // A program that is being started holds for a moment what was open before.
        if attempt > 0 { try? await Task.sleep(for: .milliseconds(50)) }
        if listeners[host] != nil { break }
        if let server = try? await WebServer.start(host: host, port: port, limits: limits, knows: knows, answer: answer)
        {
          return server
        }
      }
    }
    return try await WebServer.start(host: host, port: 0, limits: limits, knows: knows, answer: answer)
  }

  /// What a server calls itself, known once it listens, and when it was of use.
  private final class Shared: Sendable {
    private let state: Mutex<(authority: String, used: Duration)>

    init(used: Duration) { state = Mutex(("", used)) }

    var authority: String {
      get { state.withLock { $0.authority } }
      set { state.withLock { $0.authority = newValue } }
    }
    /// When somebody registered or asked for something here last.
    var used: Duration {
      get { state.withLock { $0.used } }
      set { state.withLock { $0.used = newValue } }
    }
  }

  private static func authority(_ server: WebServer) -> String {
    server.host.contains(":") ? "[\(server.host)]:\(server.port)" : "\(server.host):\(server.port)"
  }
}
