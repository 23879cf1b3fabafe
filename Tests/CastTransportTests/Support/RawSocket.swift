import Glibc

/// A plain TCP socket on loopback: a peer that misbehaves as no TLS library would.
final class RawSocket: Sendable {
  private let descriptor: Int32
  let port: Int

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { Glibc.close(descriptor) }

  /// A listener on a free port; connections wait in its backlog until ``accept()``.
  static func listening() -> RawSocket {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    withLoopback(port: 0) { _ = bind(descriptor, $0, $1) }
    listen(descriptor, 16)
    return RawSocket(descriptor)
  }

  /// A listener that answers nobody any more: its backlog is full, and the kernel drops who else knocks.
  static func deaf() -> (listener: RawSocket, knockers: [RawSocket]) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    withLoopback(port: 0) { _ = bind(descriptor, $0, $1) }
    listen(descriptor, 0)
    let listener = RawSocket(descriptor)
    let knockers = (0..<4).map { _ in
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      withLoopback(port: listener.port) { _ = connect(descriptor, $0, $1) }
      return RawSocket(descriptor)
    }
    return (listener, knockers)
  }

  /// A port of loopback where nothing listens.
  static func closedPort() -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    withLoopback(port: 0) { _ = bind(descriptor, $0, $1) }
    return RawSocket(descriptor).port
  }

  static func connected(to port: Int) -> RawSocket {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    withLoopback(port: port) { _ = connect(descriptor, $0, $1) }
    return RawSocket(descriptor)
  }

  /// Waits for a connection.
  func accept() async -> RawSocket {
    await offThePool { [self] in RawSocket(Glibc.accept(descriptor, nil, nil)) }
  }

  func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// What has come, at least a byte; nothing at the end of the stream or after 10 s.
  func readSome() async -> [UInt8] {
    await offThePool { [self] in
      limitReads()
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      return Array(buffer.prefix(max(0, count)))
    }
  }

  /// Ends our direction and leaves the other open.
  func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  private func limitReads() {
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// What comes until the end of the stream, 10 s at most.
  func readToEnd() async -> [UInt8] { await offThePool { [self] in readToEndBlocking() } }

  private func readToEndBlocking() -> [UInt8] {
    limitReads()
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return all }
      all += buffer.prefix(count)
    }
  }

  /// Makes the coming close a reset.
  func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  private static func withLoopback(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}
