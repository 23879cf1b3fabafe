import Foundation
import Glibc
import Synchronization

/// A real Mosquitto with TLS on a free port of loopback, and its certificates; it ends with its owner.
///
/// ```swift
/// let broker = try MosquittoBroker(passwords: ["site-a": "secret"], access: "user site-a\ntopic readwrite showcaller/a/#\n")
/// // mqtts://site-a@localhost:\(broker.port), CA broker.authority.certificate
/// ```
package final class MosquittoBroker: Sendable {
  package struct Problem: Error { package var message: String }

  private static let program = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/usr/bin/mosquitto"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether there is one; says loudly that its tests are skipped when there is none.
  package static let isInstalled: Bool = {
    if program != nil { return true }
    print("SKIPPED: no mosquitto; `make test FLEET=1` installs it")
    return false
  }()

  package let port: Int
  package let authority: BrokerAuthority
  private let folder: URL
  private let configuration: String
  private let process = Mutex<pid_t?>(nil)

  /// Starts one.
  /// - Parameters:
  ///   - names: Alternative names of its certificate, as OpenSSL spells them.
  ///   - passwords: By user; `nil`: nobody is asked who he is.
  ///   - access: The text of an ACL file.
  ///   - asksForCertificates: Whether clients need a certificate of the authority; its common name is the user then.
  ///   - settings: Further lines of the configuration.
  package init(
    authority: BrokerAuthority? = nil, names: String = "DNS:localhost,IP:127.0.0.1,IP:::1",
    passwords: [String: String]? = nil, access: String? = nil, asksForCertificates: Bool = false, settings: String = ""
  ) throws {
    let authority = try authority ?? BrokerAuthority()
    self.authority = authority
    port = try Self.freePort()
    folder = FileManager.default.temporaryDirectory.appending(path: "showcaller-broker-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let own = try authority.certificate(commonName: "broker", names: names)
    var lines = [
      "user root", "listener \(port) 127.0.0.1", "cafile \(authority.certificate)", "certfile \(own.certificate)",
      "keyfile \(own.key)", "persistence false", "log_dest file \(folder.path)/log",
      // Nothing is dropped for a slow reader, and nothing waits for the other side (Nagle).
      "max_queued_messages 1000000", "set_tcp_nodelay true",
    ]
    if asksForCertificates { lines += ["require_certificate true", "use_identity_as_username true"] }
    if let passwords {
      let file = folder.appending(path: "passwords").path
      try Data().write(to: URL(filePath: file))
      for (user, password) in passwords {
        try BrokerAuthority.run("mosquitto_passwd", ["-b", file, user, password], in: folder)
      }
      lines += ["password_file \(file)", "allow_anonymous false"]
    } else if !asksForCertificates {
      lines.append("allow_anonymous true")
    }
    if let access {
      let file = folder.appending(path: "acl")
      try Data(access.utf8).write(to: file)
      lines.append("acl_file \(file.path)")
    }
    configuration = folder.appending(path: "mosquitto.conf").path
    try Data((lines + [settings, ""]).joined(separator: "\n").utf8).write(to: URL(filePath: configuration))
    try start()
  }

  /// Starts it again, and waits until it listens.
  package func start() throws {
    guard let program = Self.program else { throw Problem(message: "no mosquitto") }
    var none = sigset_t()
    sigemptyset(&none)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0) }
    let words: [String] = [program, "-c", configuration]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var id = pid_t()
    guard posix_spawn(&id, program, &actions, &attributes, &arguments, environ) == 0 else {
      throw Problem(message: "mosquitto cannot be started")
    }
    process.withLock { $0 = id }
    // It says nothing when it is ready; a connection does.
    for _ in 0..<500 {
      if Self.answers(port) { return }
      var status: Int32 = 0
      if waitpid(id, &status, WNOHANG) == id { break }
      usleep(10_000)
    }
    stop()
    throw Problem(message: "mosquitto does not listen at \(port): \(log)")
  }

  /// Ends it at once, as if the power failed.
  package func stop() {
    process.withLock { process in
      guard let id = process else { return }
      var status: Int32 = 0
      kill(id, SIGKILL)
      waitpid(id, &status, 0)
      process = nil
    }
  }

  package func restart() throws {
    stop()
    try start()
  }

  package var log: String { (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? "" }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// A port of loopback that nobody listens at.
  package static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let found = withUnsafeMutableBytes(of: &address) { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
      return bind(descriptor, base, length) == 0 && getsockname(descriptor, base, &length) == 0
    }
    guard found else { throw Problem(message: "no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func answers(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    let address = loopback(port)
    return withUnsafeBytes(of: address) { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
      return connect(descriptor, base, socklen_t(bytes.count)) == 0
    }
  }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
