import Foundation
import TestSupport
import Testing

/// A web server that is not ours, and has the files of a folder.
struct FolderServer {
  let port: Int
  private let running: Running

  private static let program = """
    import functools, http.server, os, ssl, sys
    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *a): pass
        # Players jump by asking for a part.
        def do_GET(self):
            path, part = self.translate_path(self.path), self.headers.get("Range", "")
            if not part.startswith("bytes=") or not os.path.isfile(path): return super().do_GET()
            first, _, last = part[6:].partition("-")
            data = open(path, "rb").read()
            end = min(int(last or len(data) - 1), len(data) - 1)
            self.send_response(206)
            self.send_header("Content-Type", self.guess_type(path))
            self.send_header("Content-Range", f"bytes {first}-{end}/{len(data)}")
            self.send_header("Content-Length", str(end + 1 - int(first)))
            self.end_headers()
            self.wfile.write(data[int(first):end + 1])
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=sys.argv[1]))
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  /// - Parameter certificate: A PEM file with certificate and key; without it the server speaks no TLS.
  init(_ folder: TemporaryFolder, certificate: String? = nil) async throws {
    running = try Running(
      URL(filePath: "/usr/bin/env"),
      ["python3", "-c", Self.program, folder.path("")] + (certificate.map { [$0] } ?? []),
      environment: [:], in: folder.url, limit: 120)
    port = try #require(Int(try await running.firstLine()))
  }

  func stop() async {
    running.signal(SIGTERM)
    _ = try? await running.finish()
  }
}
