import Glibc
import NIOCore
import NIOPosix

/// Looks up names with the system's resolver, off the event loops and many at a time.
///
/// NIO's own runs one lookup after the other: a `.local` name that nobody answers to would hold up the rest for 5 s.
struct HostNameResolver: Resolver, Sendable {
  let eventLoop: any EventLoop

  /// Lookups wait here, not on an event loop. Started at the first name; a plan of addresses never pays for it.
  private static let pool = {
    let pool = NIOThreadPool(numberOfThreads: 16)
    pool.start()
    return pool
  }()

  func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    lookUp(host, port: port, family: AF_INET)
  }
  func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    lookUp(host, port: port, family: AF_INET6)
  }
  /// The system's resolver cannot be stopped; nobody waits for it any more.
  func cancelQueries() {}

  /// - Parameter family: `AF_UNSPEC` for both.
  func lookUp(_ host: String, port: Int, family: Int32) -> EventLoopFuture<[SocketAddress]> {
    Self.pool.runIfActive(eventLoop: eventLoop) { try Self.addresses(host, port: port, family: family) }
  }

  /// Blocks, unless `flags` has `AI_NUMERICHOST`.
  static func addresses(
    _ host: String, port: Int, family: Int32, flags: Int32 = 0
  ) throws(TransportError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_flags = flags
    hints.ai_family = family
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard status == 0 else { throw unknownHost(host, reason: String(cString: gai_strerror(status))) }
    var found: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      guard let address = entry.ai_addr else { continue }
      let raw = UnsafeRawPointer(address)
      switch entry.ai_family {
      case AF_INET: found.append(SocketAddress(raw.loadUnaligned(as: sockaddr_in.self), host: host))
      case AF_INET6: found.append(SocketAddress(raw.loadUnaligned(as: sockaddr_in6.self), host: host))
      default: continue
      }
    }
    return found
  }

  /// - Parameter reason: The resolver's words.
  static func unknownHost(_ host: String, reason: String) -> TransportError {
    TransportError(
      .unknownHost, "'\(host)' has no address: \(reason.lowercasedFirst)",
      help: host.hasSuffix(".local")
        ? "names in .local need libnss-mdns and avahi-daemon; an address always works"
        : "check the name, or use an address"
    )
  }
}

extension String {
  /// The same text as a fragment within a sentence.
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
