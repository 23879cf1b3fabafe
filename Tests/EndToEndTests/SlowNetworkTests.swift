import Foundation
import Glibc
import Synchronization
import Testing

/// A run over a relay that delays what passes: not every kernel has netem.
@Suite struct SlowNetworkTests {
  @Test("A run over 300 ms of latency with stalls passes, and says what was slow")
  func slow() async throws {
    let receiver = try Showcaller.start(["receive", "--port", "0"], limit: 120)
    let port = try #require(Int((try await receiver.firstLine()).split(separator: ":").last ?? ""))
    let relay = try #require(Relay(to: port, delay: 0.15, stall: 1.5, every: 9))
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "slow.yaml",
      """
      scenario: Slow
      device: TV
      steps:
        - load: { media: { url: "https://cdn.example.com/a.mp4", duration: 60s } }
        - pause
        - seek: 30s
        - play
        - volume: 40%
        - expect: { player: playing, position: { min: 30s } }
        - stop

      """)
    let finished = try await Showcaller.run(
      "run", "--host", "127.0.0.1:\(relay.port)", "--runs", folder.path("runs"), file, limit: 90)
    #expect(finished.exitCode == 0, "\(finished.errors)")
    #expect(finished.duration > .seconds(3))
    relay.close()
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }
}

/// Passes TCP on, each chunk later than it came; some chunks, and all behind them, much later.
private final class Relay: Sendable {
  let port: Int
  private let listener: Int32

  /// - Parameters:
  ///   - delay: One way, in seconds.
  ///   - stall: How much longer every `every`th chunk takes.
  init?(to target: Int, delay: Double, stall: Double, every: Int) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var address = Self.loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { return nil }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread {
      while true {
        let near = accept(listener, nil, nil)
        if near < 0 { return }
        let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(target)
        let isConnected = withUnsafePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
          }
        }
        guard isConnected else {
          Glibc.close(near)
          continue
        }
        for (from, to) in [(near, far), (far, near)] {
          Thread.detachNewThread { Self.pass(from, to, delay: delay, stall: stall, every: every) }
        }
      }
    }
  }

  func close() { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func pass(_ from: Int32, _ to: Int32, delay: Double, stall: Double, every: Int) {
    let queue = DispatchQueue(label: "relay")
    var due = DispatchTime.now()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var count = 0
    while true {
      let size = recv(from, &buffer, buffer.count, 0)
      count += 1
      let wait = delay + (count % every == 0 ? stall : 0)
      due = max(due + .microseconds(1), .now() + wait)
      let chunk = size > 0 ? Array(buffer.prefix(size)) : []
      queue.asyncAfter(deadline: due) {
        if chunk.isEmpty {
          shutdown(to, Int32(SHUT_WR))
        } else {
          _ = chunk.withUnsafeBytes { send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
      }
      if size <= 0 { return }
    }
  }
}
