import Glibc
import NIOCore

/// Addresses as text.
enum HostAddress {
  /// The socket address `host` spells out: IPv4, IPv6, or IPv6 with a scope such as `fe80::1%eth0`; `nil` for a name.
  /// Never asks the network.
  static func literal(_ host: String, port: Int) -> SocketAddress? {
    if !host.utf8.contains(UInt8(ascii: "%")) { return try? SocketAddress(ipAddress: host, port: port) }
    let scoped = try? HostNameResolver.addresses(host, port: port, family: AF_INET6, flags: AI_NUMERICHOST)
    return scoped?.first
  }

  /// `host:port` as people write it, with brackets round an IPv6 address.
  static func text(_ host: String, port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
