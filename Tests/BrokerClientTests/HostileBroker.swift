import Foundation
import Glibc
import TestSupport
import Testing

/// A TLS server of Python's that says what it is told to, once the client has spoken.
final class HostileBroker: Sendable {
  let port: Int
  private let process: Process
  private let authority: BrokerAuthority

  private static let program = """
    import socket, ssl, sys, threading
    first, again, times, plain = bytes.fromhex(sys.argv[2]), bytes.fromhex(sys.argv[3]), int(sys.argv[4]), sys.argv[5] == "plain"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[1][:-4] + ".key")
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    def serve(connection):
        try:
            if not plain: connection = context.wrap_socket(connection, server_side=True)
            if not plain: connection.recv(4096)
            connection.sendall(first)
            for _ in range(times): connection.sendall(again)
            while connection.recv(4096): pass
        except Exception: pass
        connection.close()
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()
    """

  /// - Parameters:
  ///   - again: Said `times` times after `first`.
  ///   - isPlain: Without TLS.
  init(
    _ authority: BrokerAuthority, first: [UInt8], again: [UInt8] = [], times: Int = 0, isPlain: Bool = false
  ) throws {
    self.authority = authority
    let own = try authority.certificate(commonName: "hostile", names: "DNS:localhost,IP:127.0.0.1")
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    func hex(_ bytes: [UInt8]) -> String {
      bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    process.arguments =
      ["python3", "-c", Self.program, own.certificate, hex(first), hex(again), "\(times)", isPlain ? "plain" : "tls"]
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
