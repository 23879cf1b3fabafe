import Foundation

/// A socket on which a service manager listens.
final class NotifySocket: Sendable {
  let path: String
  private let descriptor: Int32

  struct CannotListen: Error {}

  init() throws {
    // The path of a socket has room for 107 bytes.
    path = "/tmp/showcaller-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard descriptor >= 0, result == 0 else { throw CannotListen() }
  }

  /// All that came so far and was not looked at yet.
  func heard() -> [String] {
    var all: [String] = []
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return all }
      all.append(String(decoding: bytes.prefix(count), as: UTF8.self))
    }
  }

  deinit {
    close(descriptor)
    unlink(path)
  }
}
