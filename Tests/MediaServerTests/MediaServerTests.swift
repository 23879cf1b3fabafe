import Foundation
import MediaServer
import Synchronization
import Testing

/// Files over real sockets.
@Suite struct MediaServerTests {
  /// Sends lines to a port of this computer, and reads until the server closes or `limit` is over.
  private static func exchange(_ text: String, port: Int, limit: Duration = .seconds(20)) async throws -> String {
    try await SocketClient.exchange(Array(text.utf8), port: port, limit: limit)
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
    #expect(await server.fetches(of: address, by: "127.0.0.1").count == 0)
    let whole = try await Self.exchange(try Self.get(address), port: port)
    #expect(whole.hasPrefix("HTTP/1.1 200 OK\r\n") && whole.hasSuffix(text))
    #expect(await server.fetches(of: address, by: "127.0.0.1").count == 1)
    let part = try await Self.exchange(try Self.get(address, "Range: bytes=5-14\r\n"), port: port)
    #expect(part.hasPrefix("HTTP/1.1 206") && part.hasSuffix("\r\n\r\n5678901234"))
    let head = try await Self.exchange(try Self.get(address, method: "HEAD"), port: port)
    #expect(head.hasSuffix("\r\n\r\n") && head.lowercased().contains("content-length: 1000000"))
    await server.close()
    // Somebody else may have the port by now.
    #expect(try await !Self.exchange(try Self.get(address), port: port).hasPrefix("HTTP/1.1 200"))
  }

  @Test("While a file is read to be registered, others are answered")
  func registering() async throws {
    let folder = try Folder()
    let path = try folder.write("a.mp4", "x")
    let (reads, told) = AsyncStream.makeStream(of: Bool.self)
    let isAnswered = DispatchSemaphore(value: 0)
    // A token is asked for where a file was read.
    let slow = MediaServer.Memory(
      token: { _ in
        told.yield(true)
        told.yield(isAnswered.wait(timeout: .now() + 20) == .success)
        return nil
      }, port: { _ in nil }, keepPort: { _, _ in })
    let server = MediaServer(slow)
    async let address = server.address(ofFile: path, for: "127.0.0.1")
    var events = reads.makeAsyncIterator()
    #expect(await events.next() == true)
    #expect(await server.hosts == [])
    isAnswered.signal()
    #expect(await events.next() == true)
    #expect(try await address.hasSuffix("/a.mp4"))
    await server.close()
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
    #expect(try await Self.exchange("GET /m", port: port, limit: .seconds(50)).isEmpty)
    // After 10 s; a busy machine may take longer.
    #expect(ContinuousClock.now - start < .seconds(45))
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

  @Test("What is closed while a file is registered listens nowhere")
  func closing() async throws {
    let folder = try Folder()
    let file = try folder.write("a.mp4", "x")
    for round in 0..<60 {
      let server = MediaServer()
      let registering = Task { try? await server.address(ofFile: file, for: "127.0.0.1") }
      // Somewhere between its beginning and its end.
      for _ in 0..<round % 12 { await Task.yield() }
      try await Task.sleep(for: .microseconds(round * 50))
      await server.close()
      guard let address = await registering.value else { continue }
      let answer = try await Self.exchange(try Self.get(address), port: try Self.port(of: address), limit: .seconds(2))
      #expect(!answer.hasPrefix("HTTP/1.1 200"), "round \(round)")
    }
  }

  @Test("It listens for as long as somebody may ask, and again when a file is registered anew")
  func listening() async throws {
    let (folder, clock) = (try Folder(), SetClock())
    let file = try folder.write("a.mp4", "x")
    let server = MediaServer(now: { clock.now })
    let address = try await server.address(ofFile: file, for: "127.0.0.1")
    let port = try Self.port(of: address)
    clock.advance(MediaShelf.lifetime - .seconds(1))
    await server.sweep()
    #expect(try await Self.exchange(try Self.get(address), port: port).hasPrefix("HTTP/1.1 200"))
    clock.advance(MediaShelf.lifetime - .seconds(1))
    await server.sweep()
    #expect(await server.hosts == ["127.0.0.1"], "it was asked for")
    clock.advance(.seconds(1))
    await server.sweep()
    #expect(await server.hosts == [])
    #expect(try await !Self.exchange(try Self.get(address), port: port, limit: .seconds(2)).contains(" 200 "))
    let again = try await server.address(ofFile: file, for: "127.0.0.1")
    #expect(
      try await Self.exchange(try Self.get(again), port: try Self.port(of: again)).hasPrefix("HTTP/1.1 200"))
    await server.close()
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
