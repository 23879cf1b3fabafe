import Foundation
import Glibc
import Testing

@Suite("What a virtual receiver opens and asks for (docs/security.md V1 and V3)")
struct ExposureTests {
  /// The sockets of a process, as numbers of the system.
  private static func inodes(of process: Int32) throws -> Set<Substring> {
    let folder = "/proc/\(process)/fd"
    let targets = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
    }
    return Set(targets.filter { $0.hasPrefix("socket:[") }.map { $0.dropFirst(8).dropLast() })
  }

  /// The local ends of the sockets of a process, by the table of the system that they stand in.
  private static func sockets(of process: Int32) throws -> [String: [String]] {
    // A test that runs beside this one may have left it one of its own.
    let inodes = try inodes(of: process).subtracting(inodes(of: getpid()))
    var found: [String: [String]] = [:]
    for table in ["tcp", "tcp6", "udp", "udp6", "raw", "packet"] {
      guard let file = FileHandle(forReadingAtPath: "/proc/net/\(table)"), let data = try file.readToEnd() else {
        continue
      }
      for line in String(decoding: data, as: UTF8.self).split(separator: "\n").dropFirst() {
        let fields = line.split(separator: " ")
        guard fields.count > 9, inodes.contains(fields[9]) else { continue }
        found[table, default: []].append(String(fields[1].prefix { $0 != ":" }))
      }
    }
    return found
  }

  @Test("Without flags a receiver has one socket, on loopback, and nothing of mDNS")
  func oneSocket() async throws {
    let running = try Showcaller.start(["receive", "--port", "0"])
    _ = try await running.firstLine()
    let sockets = try Self.sockets(of: running.processID)
    #expect(sockets == ["tcp": ["0100007F"]])
    running.signal(SIGTERM)
    _ = try await running.finish()
  }

  @Test("A LOAD makes a receiver ask nobody, whatever it names")
  func fetchesNothing() async throws {
    let listener = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = 0
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
        try #require(bind(listener, plain, length) == 0 && listen(listener, 8) == 0)
        try #require(getsockname(listener, plain, &length) == 0)
        return UInt16(bigEndian: pointer.pointee.sin_port)
      }
    }
    // An address of loopback is refused before it is sent; a name is not.
    let name = ProcessInfo.processInfo.hostName
    let running = try Showcaller.start(["receive", "--port", "0"])
    let receiver = try #require(try await running.firstLine().split(separator: " ").last.map(String.init))
    for media in ["http://\(name):\(port)/a.mp4", "http://\(name):\(port)/latest/meta-data/"] {
      let loaded = try await Showcaller.run(
        "load", media, "--host", receiver, "--auth", "none", "--type", "video/mp4")
      #expect(loaded.exitCode == 0, "\(loaded.errors)")
    }
    #expect(accept(listener, nil, nil) == -1 && errno == EAGAIN)
    running.signal(SIGTERM)
    _ = try await running.finish()
  }
}
