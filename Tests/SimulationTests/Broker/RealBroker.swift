import Foundation
import Testing

/// A Mosquitto of its own on a free port of loopback, without TLS.
final class RealBroker {
  let port: Int
  private let folder: String
  private var process: Process?

  static let program = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/usr/bin/mosquitto"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// `nil`: there is none; it is said.
  init?() throws {
    guard Self.program != nil else {
      print("SKIPPED: no mosquitto: the model of a broker is not compared with a real one")
      return nil
    }
    port = try #require(Self.freePort())
    folder = "\(NSTemporaryDirectory())showcaller-broker-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let text = """
      listener \(port) 127.0.0.1
      allow_anonymous true
      persistence true
      persistence_location \(folder)/
      autosave_interval 0
      user root
      log_type none

      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/conf"))
    try start()
  }

  deinit {
    stop(SIGKILL)
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func freePort() -> Int? {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    return isBound ? Int(in_port_t(bigEndian: address.sin_port)) : nil
  }

  /// Starts it, and waits until it takes connections.
  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.program))
    process.arguments = ["-c", "\(folder)/conf"]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    // Threads of a pool take no signals, and what they start would take none either.
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
    self.process = process
    let deadline = Date() + 10
    while true {
      if let client = try? RawBrokerClient(port: port, clientID: "ready", will: nil) {
        try client.goodbye()
        return
      }
      try #require(Date() < deadline && process.isRunning)
      usleep(10_000)
    }
  }

  func stop(_ signal: Int32) {
    guard let process else { return }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    self.process = nil
  }

  /// Has it write down what is retained.
  func save() throws {
    let process = try #require(process)
    let path = "\(folder)/mosquitto.db"
    try? FileManager.default.removeItem(atPath: path)
    kill(process.processIdentifier, SIGUSR1)
    let deadline = Date() + 10
    // It writes elsewhere and renames.
    while !FileManager.default.fileExists(atPath: path) {
      try #require(Date() < deadline)
      usleep(5_000)
    }
  }
}
