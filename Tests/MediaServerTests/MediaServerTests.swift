import Foundation
import MediaServer
import Synchronization
import Testing

/// Files over real sockets.
@Suite struct MediaServerTests {
  /// Sends lines to a port of this computer, and reads until the server closes or `limit` is over.
  private static func exchange(_ text: String, port: Int, limit: Duration = .seconds(20)) async throws -> String {
    // Waiting for a socket must not hold up the server, which shares our threads.
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try exchangeNow(text, port: port, limit: limit) })
      }
    }
  }

  private static func exchangeNow(_ text: String, port: Int, limit: Duration) throws -> String {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
    defer { close(descriptor) }
    var timeout = timeval(tv_sec: Int(limit.components.seconds), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { return "no connection" }
    let bytes = Array(text.utf8)
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      all += buffer[..<count]
    }
    return String(decoding: all, as: UTF8.self)
  }

  private static func port(of address: String) throws -> Int {
    try #require(URL(string: address)?.port)
  }

  /// A request for an address of ours.
  private static func get(_ address: String, _ lines: String = "", method: String = "GET") throws -> String {
    let url = try #require(URL(string: address))
    let path = url.path(percentEncoded: true)
    return "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(try port(of: address))\r\nConnection: close\r\n\(lines)\r\n"
  }

  @Test("A device fetches a file, a part of it, and its length")
  func fetched() async throws {
    let folder = try Folder()
    let server = MediaServer()
    let text = String(repeating: "0123456789", count: 100_000)
    let address = try await server.address(ofFile: try folder.write("film.mp4", text), for: "127.0.0.1")
    let port = try Self.port(of: address)
    #expect(address.hasPrefix("http://127.0.0.1:\(port)/m/") && address.hasSuffix("/film.mp4"))
    #expect(await !server.wasFetched(address))
    let whole = try await Self.exchange(try Self.get(address), port: port)
    #expect(whole.hasPrefix("HTTP/1.1 200 OK\r\n") && whole.hasSuffix(text))
    #expect(await server.wasFetched(address))
    let part = try await Self.exchange(try Self.get(address, "Range: bytes=5-14\r\n"), port: port)
    #expect(part.hasPrefix("HTTP/1.1 206") && part.hasSuffix("\r\n\r\n5678901234"))
    let head = try await Self.exchange(try Self.get(address, method: "HEAD"), port: port)
    #expect(head.hasSuffix("\r\n\r\n") && head.lowercased().contains("content-length: 1000000"))
    await server.close()
    // Somebody else may have the port by now.
    #expect(try await !Self.exchange(try Self.get(address), port: port).hasPrefix("HTTP/1.1 200"))
  }

  @Test("A header that is too long, or a request that never ends, is cut off", .timeLimit(.minutes(1)))
  func hostile() async throws {
    let folder = try Folder()
    let server = MediaServer()
    let address = try await server.address(ofFile: try folder.write("a.mp4", "x"), for: "127.0.0.1")
    let port = try Self.port(of: address)
    let long = try await Self.exchange(
      try Self.get(address, "X: \(String(repeating: "x", count: 9_000))\r\n"), port: port)
    #expect(!long.contains(" 200 "), "\(long.prefix(80))")
    let many = try await Self.exchange(
      try Self.get(address, (0..<80).map { "X\($0): y\r\n" }.joined()), port: port)
    #expect(!many.contains(" 200 "), "\(many.prefix(80))")
    let start = ContinuousClock.now
    #expect(try await Self.exchange("GET /m", port: port, limit: .seconds(30)).isEmpty)
    #expect(ContinuousClock.now - start < .seconds(20), "it is cut off after 10 s")
    await server.close()
  }

  @Test("One address has a few connections at a time, whatever it opens")
  func connections() async throws {
    let folder = try Folder()
    let server = MediaServer()
    let address = try await server.address(ofFile: try folder.write("a.mp4", "x"), for: "127.0.0.1")
    let port = try Self.port(of: address)
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      // None of them says what it wants.
      for _ in 0..<20 { group.addTask { try await Self.exchange("GET", port: port, limit: .seconds(3)) } }
      try await Task.sleep(for: .milliseconds(500))
      let late = try await Self.exchange(try Self.get(address), port: port, limit: .seconds(2))
      group.cancelAll()
      return [late]
    }
    #expect(answers.first?.contains(" 200 ") != true, "the ninth of an address has to wait")
    // When they are gone there is room again.
    var answer = ""
    for _ in 0..<20 where !answer.contains(" 200 ") {
      try await Task.sleep(for: .seconds(1))
      answer = try await Self.exchange(try Self.get(address), port: port, limit: .seconds(5))
    }
    #expect(answer.contains(" 200 "))
    await server.close()
  }

  @Test("With a memory a file has the address that it had, and a free port where somebody else has the old one")
  func remembered() async throws {
    let folder = try Folder()
    let file = try folder.write("film.mp4", "x")
    let ports = Mutex<[String: Int]>([:])
    let memory = MediaServer.Memory(
      token: { $0.hasPrefix(file) ? String(repeating: "a", count: 32) : nil },
      port: { host in ports.withLock { $0[host] } },
      keepPort: { host, port in ports.withLock { $0[host] = port } })
    let first = MediaServer(memory)
    let address = try await first.address(ofFile: file, for: "127.0.0.1")
    await first.close()
    let second = MediaServer(memory)
    #expect(try await second.address(ofFile: file, for: "127.0.0.1") == address)
    let third = MediaServer(memory)
    let other = try await third.address(ofFile: file, for: "127.0.0.1")
    let port = try Self.port(of: other)
    #expect(other != address && ports.withLock { $0["127.0.0.1"] } == port)
    await second.close()
    await third.close()
  }

  @Test("Where no way leads there is nothing to serve")
  func noRoute() async throws {
    let folder = try Folder()
    let file = try folder.write("a.mp4", "x")
    let server = MediaServer()
    await #expect(throws: MediaServer.Failure.self) {
      try await server.address(ofFile: file, for: "no-such-host.invalid")
    }
    await #expect(throws: MediaServer.Failure.self) {
      try await server.address(ofFile: folder.path("missing"), for: "127.0.0.1")
    }
    await server.close()
  }
}
