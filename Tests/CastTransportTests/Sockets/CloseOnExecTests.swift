import Foundation
import NIOCore
import Testing

@testable import CastTransport

@Suite struct CloseOnExecTests {
  /// Of this test alone: with the port of a server, no socket of another test is taken for one of ours.
  private static let host = "127.0.0.77"

  @Test("Programs that are started get neither the client's socket nor the server's")
  func descriptors() async throws {
    let server = try await TLSServer.listen(host: Self.host, port: 0) { channel in channel.start { _ in } }
    let channel = try await TLSClient.connect(host: Self.host, port: server.port)
    // All that are open, whatever their number: a fleet's test next to this one may hold the first thousand.
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
    let ours = open.filter { Self.ends(of: $0).contains("\(Self.host):\(server.port)") }
    let flags = ours.map { descriptor in fcntl(descriptor, F_GETFD) }
    // The listener, the accepted socket and ours.
    #expect(flags.count == 3, "\(ours)")
    #expect(flags.allSatisfy { $0 & FD_CLOEXEC != 0 }, "\(flags)")
    channel.close()
    await server.close()
  }

  /// Both ends of a TCP socket over IPv4, as address and port.
  private static func ends(of descriptor: Int32) -> [String] {
    [getsockname, getpeername].compactMap { name in
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &size) }
      }
      guard status == 0 && address.sin_family == AF_INET else { return nil }
      let host = withUnsafeBytes(of: address.sin_addr.s_addr) { $0.map(String.init).joined(separator: ".") }
      return "\(host):\(UInt16(bigEndian: address.sin_port))"
    }
  }
}
