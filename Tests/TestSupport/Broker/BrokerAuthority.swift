import Foundation

/// Issues certificates for tests by OpenSSL's own program; its files go with its owner.
package final class BrokerAuthority: Sendable {
  package struct Problem: Error { package var message: String }

  /// Paths of files in PEM.
  package struct Issued: Sendable {
    package var certificate: String
    package var key: String
  }

  private let folder: URL

  package init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "showcaller-authority-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.run(
      "openssl",
      ["req", "-x509"] + Self.key + [
        "-days", "2", "-subj", "/CN=Test authority", "-keyout", "ca.key", "-out", "ca.pem",
      ],
      in: folder)
  }

  private static let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

  /// Its own certificate, for whoever trusts it.
  package var certificate: String { folder.appending(path: "ca.pem").path }

  /// - Parameter names: Alternative names, as OpenSSL spells them; `nil`: none, as for a client.
  package func certificate(commonName: String, names: String? = nil, days: Int = 2) throws -> Issued {
    let id = UUID().uuidString
    try Self.run(
      "openssl",
      ["req", "-new"] + Self.key + ["-subj", "/CN=\(commonName)", "-keyout", "\(id).key", "-out", "\(id).csr"],
      in: folder)
    try Data((names.map { "subjectAltName=\($0)\n" } ?? "").utf8).write(to: folder.appending(path: "\(id).ext"))
    try Self.run(
      "openssl",
      [
        "x509", "-req", "-in", "\(id).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "\(days)",
        "-extfile", "\(id).ext", "-out", "\(id).pem",
      ], in: folder)
    return Issued(
      certificate: folder.appending(path: "\(id).pem").path, key: folder.appending(path: "\(id).key").path)
  }

  static func run(_ program: String, _ arguments: [String], in folder: URL) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = folder
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Problem(message: "\(program) \(arguments) failed") }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
