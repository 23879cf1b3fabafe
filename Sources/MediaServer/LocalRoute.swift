import Glibc

/// The address of this computer from which it reaches a device.
package enum LocalRoute {
  /// - Parameter host: The device's address or name.
  /// - Returns: Our address, and those that the device may ask from; `nil` where no way leads to it.
  package static func address(to host: String) -> (own: String, peers: [String])? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    // A datagram socket that is connected sends nothing: the system only looks up its route.
    guard getaddrinfo(host, "9", &hints, &list) == 0, let first = list else { return nil }
    defer { freeaddrinfo(first) }
    var own: String?
    var peers: [String] = []
    var next: UnsafeMutablePointer<addrinfo>? = first
    while let entry = next {
      next = entry.pointee.ai_next
      if let peer = text(entry.pointee.ai_addr, entry.pointee.ai_addrlen) { peers.append(peer) }
      guard own == nil else { continue }
      let socket = socket(entry.pointee.ai_family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard socket >= 0 else { continue }
      defer { close(socket) }
      guard connect(socket, entry.pointee.ai_addr, entry.pointee.ai_addrlen) == 0 else { continue }
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      own = withUnsafeMutablePointer(to: &storage) { storage in
        storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          getsockname(socket, address, &length) == 0 ? text(address, length) : nil
        }
      }
    }
    return own.map { ($0, peers) }
  }

  private static func text(_ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> String? {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard let address,
      getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    return String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
