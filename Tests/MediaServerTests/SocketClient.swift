import Foundation
import Synchronization

/// A socket of a test, as rude as the test wants it.
final class SocketClient: Sendable {
  private let descriptor: Int32

  /// Connects to a port of this computer.
  /// - Parameter own: The address that it comes from; loopback has many.
  init(port: Int, from own: String = "127.0.0.1", limit: Duration = .seconds(20), buffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
    var timeout = timeval(tv_sec: Int(limit.components.seconds), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    if var buffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<Int32>.size)) }
    func with<T>(_ host: String, _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(UInt16(port).bigEndian)
      address.sin_addr.s_addr = inet_addr(host)
      return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    var isOn: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    // A port that is not asked for is free again as soon as it is not used.
    guard own == "127.0.0.1" || with(own, 0, { bind(descriptor, $0, $1) }) == 0,
      with("127.0.0.1", port, { connect(descriptor, $0, $1) }) == 0
      // All is set: what is thrown here still runs `deinit`, which closes it.
    else { throw POSIXError(.ECONNREFUSED) }
  }

  deinit { close(descriptor) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Says that nothing more will come.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// What comes until the other side closes, or falls silent for too long.
  func readAll(most: Int = .max) -> (bytes: [UInt8], isClosed: Bool) {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while all.count < most {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 { return (all, errno == ECONNRESET) }
      if count == 0 { return (all, true) }
      all += buffer[..<count]
    }
    return (all, false)
  }

  /// Waiting for a socket must not hold up the server, which shares our threads.
  static func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  /// Sends bytes, and reads until the server closes or `limit` is over.
  static func exchange(
    _ bytes: [UInt8], port: Int, from own: String = "127.0.0.1", limit: Duration = .seconds(20)
  ) async throws -> String {
    try await onThread {
      guard let client = try? SocketClient(port: port, from: own, limit: limit) else { return "no connection" }
      client.send(bytes)
      return String(decoding: client.readAll().bytes, as: UTF8.self)
    }
  }
}
