import Foundation
import Glibc
import Testing

/// A web server that is not ours: Python's, with answers for tests, over TLS where it is given a certificate.
final class PythonServer: Sendable {
  let port: Int
  private let process: Process

  private static let program = """
    import http.server, ssl, sys, time
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *a): pass
        def say(self, status, body=b"", headers={}):
            self.send_response(status)
            for name, value in headers.items(): self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD": self.wfile.write(body)
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/moved": return self.say(307, headers={"Location": "/echo"})
            if self.path == "/see": return self.say(303, headers={"Location": "/method"})
            self.say(200, body + b"|" + (self.headers["X-Test"] or "").encode())
        def do_HEAD(self): self.do_GET()
        def do_GET(self):
            path = self.path
            if path == "/plain": self.say(200, b"hello", {"X-One": "1"})
            elif path == "/method": self.say(200, self.command.encode())
            elif path == "/there": self.say(302, headers={"Location": "plain"})
            elif path == "/loop": self.say(301, headers={"Location": "/loop"})
            elif path == "/away": self.say(302, headers={"Location": "http://127.0.0.1:%d/secret" % self.server.server_port.__add__(0)})
            elif path == "/big": self.say(200, b"x" * 100000)
            elif path == "/slow": time.sleep(5); self.say(200, b"late")
            elif path == "/trickle":
                self.send_response(200); self.send_header("Content-Length", "1000"); self.end_headers(); self.wfile.write(b"first"); self.wfile.flush(); time.sleep(30)
            elif path == "/cut":
                self.send_response(200); self.send_header("Content-Length", "100"); self.end_headers(); self.wfile.write(b"half"); self.close_connection = True
            elif path == "/chunked":
                self.send_response(200); self.send_header("Transfer-Encoding", "chunked"); self.end_headers()
                for part in (b"one ", b"two"): self.wfile.write(b"%x\\r\\n%s\\r\\n" % (len(part), part))
                self.wfile.write(b"0\\r\\n\\r\\n")
            elif path == "/garbage": self.wfile.write(b"SSH-2.0-nonsense\\r\\n\\r\\n"); self.close_connection = True
            elif path == "/closed": self.close_connection = True
            else: self.say(404, b"nothing")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if len(sys.argv) > 1:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  /// - Parameter certificate: A PEM file with a certificate and its key; `nil`: without TLS.
  init(certificate: String? = nil) throws {
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.program] + [certificate].compactMap(\.self)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "\(line)")
  }

  /// Not by SIGTERM: our threads block it, and a program that they start inherits that.
  deinit { kill(process.processIdentifier, SIGKILL) }
}

/// A root and certificates of it, made by OpenSSL's own program.
struct TestAuthority {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "web-client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.openssl(
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj",
        "/CN=Test root", "-keyout", "root.key", "-out", "root.pem",
      ], in: folder)
    try Self.openssl(["x509", "-in", "root.pem", "-outform", "DER", "-out", "root.der"], in: folder)
  }

  var root: [UInt8] { get throws { Array(try Data(contentsOf: folder.appending(path: "root.der"))) } }

  /// A file with a certificate for these names, and its key.
  func certificate(_ names: String, days: Int) throws -> String {
    let id = UUID().uuidString
    try Self.openssl(
      [
        "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=leaf", "-keyout",
        "\(id).key", "-out", "\(id).csr",
      ], in: folder)
    try Data("subjectAltName=\(names)\n".utf8).write(to: folder.appending(path: "\(id).ext"))
    try Self.openssl(
      [
        "x509", "-req", "-in", "\(id).csr", "-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial", "-days",
        "\(days)",
        "-extfile", "\(id).ext", "-out", "\(id).pem",
      ], in: folder)
    var both = try Data(contentsOf: folder.appending(path: "\(id).pem"))
    both += try Data(contentsOf: folder.appending(path: "\(id).key"))
    let file = folder.appending(path: "\(id)-both.pem")
    try both.write(to: file)
    return file.path
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  private static func openssl(_ arguments: [String], in folder: URL) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = folder
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "openssl \(arguments)")
  }
}
