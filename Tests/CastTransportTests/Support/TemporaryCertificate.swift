import CastTransport
import Foundation

/// A certificate and its key in one file, made by the `openssl` program; goes with its owner.
final class TemporaryCertificate {
  let path: String
  let der: [UInt8]

  /// - Parameter key: Options of `openssl req` that say what kind.
  init(key: [String]) throws {
    let base = FileManager.default.temporaryDirectory.appendingPathComponent("showcaller-\(UUID().uuidString)").path
    path = base + ".pem"
    let request = ["req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=peer", "-keyout", path, "-out", base + ".crt"]
    guard ChildProcess.run("openssl", request + key) == 0,
      ChildProcess.run("openssl", ["x509", "-in", base + ".crt", "-outform", "der", "-out", base + ".der"]) == 0,
      let certificate = FileManager.default.contents(atPath: base + ".crt"),
      let der = FileManager.default.contents(atPath: base + ".der"),
      var both = FileManager.default.contents(atPath: path)
    else { throw TransportError(.setupFailed, "openssl made no certificate") }
    both.append(certificate)
    try both.write(to: URL(fileURLWithPath: path))
    self.der = Array(der)
    for ending in [".crt", ".der"] { try FileManager.default.removeItem(atPath: base + ending) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
