import Glibc
import NIOCore
import Testing

@testable import CastTransport

@Suite struct CloseOnExecTests {
  @Test("Programs that are started get neither the client's socket nor the server's")
  func descriptors() async throws {
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0) { channel in channel.start { _ in } }
    let channel = try await TLSClient.connect(host: "127.0.0.1", port: server.port)
    var flags: [Int32] = []
    for descriptor in Int32(3)..<1024 where Self.ports(of: descriptor).contains(server.port) {
      flags.append(fcntl(descriptor, F_GETFD))
    }
    // The listener, the accepted socket and ours.
    #expect(flags.count == 3 && flags.allSatisfy { $0 & FD_CLOEXEC != 0 }, "\(flags)")
    channel.close()
    await server.close()
  }

  /// The ports of both ends of a TCP socket over IPv4.
  private static func ports(of descriptor: Int32) -> [Int] {
    [getsockname, getpeername].compactMap { name in
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &size) }
      }
      return status == 0 && address.sin_family == AF_INET ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
  }
}
