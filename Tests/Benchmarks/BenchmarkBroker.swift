import FleetMessages
import Foundation

/// A Mosquitto of its own with TLS, on a port of loopback.
final class BenchmarkBroker {
  let port: Int
  let folder: String
  private(set) var processID: pid_t = 0
  private let program: String

  /// `nil`: there is none.
  init?() throws {
    let places = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/usr/bin/mosquitto"]
    guard let program = places.first(where: FileManager.default.isExecutableFile) else { return nil }
    self.program = program
    port = 20_000 + Int(getpid()) % 10_000
    folder = "/tmp/showcaller-bench-\(getpid()).fleet"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let made = try ChildProcess.run([
      "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
      "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "\(folder)/key.pem", "-out",
      "\(folder)/certificate.pem",
    ])
    guard made.exitCode == 0 else { throw ChildProcess.CannotRun(command: "openssl req") }
    // Whoever looks at all sites gets thousands of messages at once, which the usual limit of 1 000 drops.
    let text = """
      listener \(port) 127.0.0.1
      certfile \(folder)/certificate.pem
      keyfile \(folder)/key.pem
      allow_anonymous true
      max_queued_messages 0
      max_connections -1
      persistence false
      user root
      log_type none

      """
    Benchmarks.write(text, to: "\(folder)/mosquitto.conf")
    try start()
  }

  func start() throws {
    processID = try ChildProcess.spawn([program, "-c", "\(folder)/mosquitto.conf"], output: nil)
    usleep(500_000)
  }

  /// Without a word to anybody.
  func stop() {
    kill(processID, SIGKILL)
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0, errno == EINTR {}
  }

  func end() {
    stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var kilobytes: Int { ScaleBenchmark.anonymousKilobytes(of: "\(processID)") }

  func configuration(_ clientID: String) throws -> BrokerConfiguration {
    try Self.configuration(clientID, port: port, folder: folder)
  }

  static func configuration(_ clientID: String, port: Int, folder: String) throws -> BrokerConfiguration {
    var configuration = BrokerConfiguration(try BrokerAddress("mqtts://127.0.0.1:\(port)"), clientID: clientID)
    configuration.authorities = "\(folder)/certificate.pem"
    configuration.rateLimit = 1_000_000
    return configuration
  }
}
