import Glibc
import NIOCore
import NIOPosix

/// The addresses behind what a person writes for a host.
package enum HostLookup {
  /// Every address of `host`, each in one spelling: `127.1` and `::ffff:127.0.0.1` are `127.0.0.1`. Only a name asks the
  /// system's resolver.
  /// - Parameter limit: In real time; a name that takes longer counts as one without an address.
  /// - Returns: None where there is no address.
  package static func addresses(
    of host: String, within limit: Duration, eventLoops: TransportEventLoops = .shared
  ) async -> [String] {
    let numeric = try? HostNameResolver.addresses(host, port: 0, family: AF_UNSPEC, flags: AI_NUMERICHOST)
    if let numeric { return spellings(numeric) }
    let eventLoop = eventLoops.group.next()
    let answer = eventLoop.makePromise(of: [SocketAddress].self)
    let timer = eventLoop.scheduleTask(in: TimeAmount(limit: limit)) { answer.succeed([]) }
    HostNameResolver(eventLoop: eventLoop).lookUp(host, port: 0, family: AF_UNSPEC).whenComplete { result in
      timer.cancel()
      answer.completeWith(result)
    }
    return spellings((try? await answer.futureResult.get()) ?? [])
  }

  private static func spellings(_ addresses: [SocketAddress]) -> [String] {
    let mapped = "::ffff:"
    return Set(
      addresses.compactMap(\.ipAddress).map { text in
        text.hasPrefix(mapped) && text.contains(".") ? String(text.dropFirst(mapped.count)) : text
      }
    ).sorted()
  }
}
