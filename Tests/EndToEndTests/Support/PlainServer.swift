import Foundation

/// A TCP server without TLS, for the devices that are none.
final class PlainServer {
  /// One accepted connection.
  struct Connection: Sendable {
    let descriptor: Int32
    func send(_ text: String) { _ = text.withCString { write(descriptor, $0, strlen($0)) } }
  }

  struct CannotListen: Error {}

  let port: Int
  private let descriptor: Int32
  private let source: any DispatchSourceRead

  /// Listens on a free port of loopback; `greet` is called for each connection.
  init(_ greet: @escaping @Sendable (Connection) -> Void) throws {
    let (descriptor, port) = try Self.listen()
    self.descriptor = descriptor
    self.port = port
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler {
      // No program that a test starts gets it: some are given few descriptors.
      let connection = accept(descriptor, nil, nil)
      if connection >= 0 { _ = fcntl(connection, F_SETFD, FD_CLOEXEC) }
      if connection >= 0 { greet(Connection(descriptor: connection)) }
    }
    source.activate()
  }

  deinit {
    source.cancel()
    close(descriptor)
  }

  static func listen() throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, 16) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw CannotListen() }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }
}

/// Ports that nobody listens on.
enum FreePort {
  /// A port that was free a moment ago and is closed now.
  static func closed() async throws -> Int {
    let (descriptor, port) = try PlainServer.listen()
    close(descriptor)
    return port
  }
}
