import Foundation
import MediaServer
import Synchronization
import Testing
import WebServer

/// Clients that are slow, many, strange or malicious, over real sockets (docs/security.md M1, M2 and M3).
@Suite struct HostileClientsTests {
  private struct Served {
    let folder: Folder
    let server: MediaServer
    let address: String
    let path: String
    let port: Int

    init(_ text: String = "the film") async throws {
      folder = try Folder()
      server = MediaServer()
      address = try await server.address(ofFile: try folder.write("film.mp4", text), for: "127.0.0.1")
      let url = try #require(URL(string: address))
      (path, port) = (url.path(percentEncoded: true), try #require(url.port))
    }

    func request(_ path: String? = nil, _ lines: String = "") -> [UInt8] {
      Array("GET \(path ?? self.path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(lines)\r\n".utf8)
    }
  }

  @Test("Whatever path is asked for leads to no file but those that were registered", .timeLimit(.minutes(2)))
  func traversal() async throws {
    let served = try await Served()
    _ = try served.folder.write("secret.txt", "secret")
    let token = String(served.path.split(separator: "/")[1])
    var paths = [
      "/", "/m", "/m/\(token)", "/m/\(token)/", "/m/\(token)/secret.txt", "/secret.txt",
      served.folder.path("secret.txt"),
    ]
    for dots in ["..", "%2e%2e", "%2E%2E", "..%2f", "%252e%252e", "..\\", "..;", "%c0%ae%c0%ae", "....//"] {
      for depth in 1...28 {
        let up = Array(repeating: dots, count: depth).joined(separator: "/")
        paths += ["/m/\(up)/etc/passwd", "/m/\(token)/\(up)/etc/passwd"]
      }
    }
    #expect(paths.count > 500)
    let (port, requests) = (served.port, paths.map { served.request($0) })
    let answers = try await SocketClient.onThread {
      try requests.map { request in
        let client = try SocketClient(port: port)
        client.send(request)
        return String(decoding: client.readAll().bytes, as: UTF8.self)
      }
    }
    for (path, answer) in zip(paths, answers) {
      #expect(answer.hasPrefix("HTTP/1.1 404 ") && answer.hasSuffix("\r\n\r\nnothing here\n"), "\(path): \(answer)")
    }
    await served.server.close()
  }

  @Test("5 000 requests that are damaged in every way are answered or ended, and harm nobody", .timeLimit(.minutes(5)))
  func mutated() async throws {
    let served = try await Served()
    let seed =
      served.request(nil, "Range: bytes=0-3\r\nIf-None-Match: \"x\"\r\nContent-Length: 3\r\n") + Array("abc".utf8)
    let port = served.port
    let workers = 4
    let tally = Tally()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<workers {
        group.addTask {
          try await SocketClient.onThread {
            var random = Seeded(UInt64(worker + 1))
            for _ in 0..<(5_000 / workers) {
              let client = try SocketClient(port: port, limit: .seconds(15))
              let start = ContinuousClock.now
              client.send(Self.damaged(seed, &random))
              client.finish()
              let (bytes, isClosed) = client.readAll()
              let took = ContinuousClock.now - start
              let line = String(decoding: bytes.prefix(12), as: UTF8.self)
              tally.add(isClosed ? line : "not closed", took: took)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let (seen, slowest) = tally.result
    let known = [
      "", "HTTP/1.1 200", "HTTP/1.1 206", "HTTP/1.1 304", "HTTP/1.1 400", "HTTP/1.1 403", "HTTP/1.1 404",
      "HTTP/1.1 405", "HTTP/1.1 413", "HTTP/1.1 416", "HTTP/1.1 421", "HTTP/1.1 204",
    ]
    #expect(seen.keys.allSatisfy { key in known.contains { key == $0 } }, "\(seen)")
    #expect(seen.values.reduce(0, +) == 5_000 && slowest < .seconds(12), "\(seen)")
    let after = try await SocketClient.exchange(served.request(), port: port)
    #expect(after.hasPrefix("HTTP/1.1 200") && after.hasSuffix("the film"))
    await served.server.close()
  }

  private static func damaged(_ seed: [UInt8], _ random: inout Seeded) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 1: bytes.removeSubrange(place...)
      case 2:
        bytes.insert(
          contentsOf: [UInt8](repeating: bytes[place], count: Int.random(in: 1...9_000, using: &random)), at: place)
      case 3: bytes.remove(at: place)
      case 4:
        bytes.insert(
          contentsOf: ["\r\n", "\n", "\0", ": ", "%00", "\r\n\r\n"].randomElement(using: &random).map { Array($0.utf8) }
            ?? [], at: place)
      default: bytes += bytes[..<place]
      }
    }
    return bytes
  }

  @Test(
    "200 slow clients of 25 addresses do not keep the device waiting", .timeLimit(.minutes(1)))
  func slow() async throws {
    let served = try await Served()
    let port = served.port
    let slow = try await SocketClient.onThread {
      try (0..<200).map { number in
        let client = try SocketClient(port: port, from: "127.0.0.\(2 + number % 25)")
        client.send(Array("GET /m/".utf8))
        return client
      }
    }
    let start = ContinuousClock.now
    let answer = try await SocketClient.exchange(served.request(), port: port, limit: .seconds(5))
    #expect(answer.hasSuffix("the film") && ContinuousClock.now - start < .seconds(2), "\(answer.prefix(40))")
    withExtendedLifetime(slow) {}
    await served.server.close()
  }

  @Test("Who is not the device is told so, and leaves its place at once")
  func stranger() async throws {
    let served = try await Served()
    let open = Array("GET \(served.path) HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n\r\n".utf8)
    for _ in 0..<12 {
      // Without asking that the connection be closed.
      let start = ContinuousClock.now
      let answer = try await SocketClient.exchange(open, port: served.port, from: "127.0.0.9", limit: .seconds(5))
      #expect(answer.hasPrefix("HTTP/1.1 403") && answer.hasSuffix("not for you\n"), "\(answer)")
      #expect(ContinuousClock.now - start < .seconds(4))
    }
    let fetches = await served.server.fetches(of: served.address, by: "127.0.0.1")
    #expect(fetches.count == 0 && fetches.refusals.count == 12 && fetches.refusals.peer == "127.0.0.9")
    #expect(fetches.peers == ["127.0.0.1"])
    await served.server.close()
  }

  // MARK: deadlines of the server below, cut to what a test waits for

  private static func start(
    _ length: Int = 0, change: (inout WebServer.Limits) -> Void
  ) async throws -> WebServer {
    var limits = WebServer.Limits()
    change(&limits)
    return try await WebServer.start(host: "127.0.0.1", port: 0, limits: limits) { _ in
      ServedAnswer(200, body: .pieces(length: length) { _, count in [UInt8](repeating: 7, count: count) })
    }
  }

  @Test("A body that trickles in is cut off, however lively it is", .timeLimit(.minutes(1)))
  func slowBody() async throws {
    let server = try await Self.start { $0.body = .seconds(1) }
    let port = server.port
    let took = try await SocketClient.onThread {
      let client = try SocketClient(port: port)
      let start = ContinuousClock.now
      client.send(Array("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n".utf8))
      // It is closed when a byte is refused.
      for _ in 0..<300 where client.send([0x61]) { Thread.sleep(forTimeInterval: 0.1) }
      return ContinuousClock.now - start
    }
    // Thirty seconds, if nobody cut it off.
    #expect(took < .seconds(20))
    await server.close()
  }

  @Test("A header that trickles in is cut off, however lively it is", .timeLimit(.minutes(1)))
  func slowHeader() async throws {
    let server = try await Self.start { $0.idle = .seconds(1) }
    let port = server.port
    let took = try await SocketClient.onThread {
      let client = try SocketClient(port: port)
      let start = ContinuousClock.now
      client.send(Array("GET / HTTP/1.1\r\n".utf8))
      for number in 0..<300 where client.send(Array("X\(number): y\r\n".utf8)) { Thread.sleep(forTimeInterval: 0.1) }
      return ContinuousClock.now - start
    }
    // Thirty seconds, if nobody cut it off.
    #expect(took < .seconds(20))
    await server.close()
  }

  @Test("Who does not take an answer loses it", .timeLimit(.minutes(1)))
  func slowReader() async throws {
    let length = 64 << 20
    let server = try await Self.start(length) { $0.stall = .seconds(1) }
    let port = server.port
    let (count, isClosed) = try await SocketClient.onThread {
      let client = try SocketClient(port: port, limit: .seconds(10), buffer: 4_096)
      client.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
      Thread.sleep(forTimeInterval: 3)
      let (bytes, isClosed) = client.readAll()
      return (bytes.count, isClosed)
    }
    #expect(isClosed && count < length, "\(count)")
    await server.close()
  }
}

/// What came of many requests.
private final class Tally: Sendable {
  private let state = Mutex((counts: [String: Int](), slowest: Duration.zero))

  func add(_ line: String, took: Duration) {
    state.withLock { state in
      state.counts[line, default: 0] += 1
      state.slowest = max(state.slowest, took)
    }
  }

  var result: (counts: [String: Int], slowest: Duration) { state.withLock { $0 } }
}

/// Numbers that a seed repeats (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
