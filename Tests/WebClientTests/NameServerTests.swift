import Foundation
import Testing

@testable import WebClient

/// A name server in Python: names by what it does with them.
final class PythonNameServer {
  let port: Int
  private let process = Process()
  private let input = Pipe()

  private static let program = """
    import socket, struct, sys, threading
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    tcp = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    for _ in range(50):
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); udp.bind(("127.0.0.1", 0))
        try: tcp.bind(udp.getsockname()); break
        except OSError: udp.close()
    tcp.listen()
    print(udp.getsockname()[1], flush=True)
    asked = {}
    def answer(query, over_tcp):
        name, place = [], 12
        while query[place]:
            name.append(query[place + 1:place + 1 + query[place]].decode()); place += 1 + query[place]
        kind = query[place + 2]
        question, what = query[12:place + 5], name[0]
        asked[what] = asked.get(what, 0) + 1
        def made(code=0, data=None, cut=False, id=query[:2]):
            record = b"" if data is None else b"\\xc0\\x0c" + struct.pack(">HHIH", kind, 1, 60, len(data)) + data
            flags = 0x8180 | code | (0x200 if cut else 0)
            return id + struct.pack(">HHHHH", flags, 1, 1 if record else 0, 0, 0) + question + record
        address = socket.inet_aton("192.0.2.7") if kind == 1 else socket.inet_pton(socket.AF_INET6, "2001:db8::7")
        if what == "none": return [made(code=3)]
        if what == "broken": return [made(code=2)]
        if what == "silent": return []
        if what == "second": return [made(data=address)] if asked[what] > 2 else []
        if what == "forged": return [made(data=b"\\x01\\x02\\x03\\x04" if kind == 1 else bytes(16), id=b"\\0\\0"), made(data=address)]
        if what == "long" and not over_tcp: return [made(cut=True)]
        return [made(data=address)]
    def listen():
        while True:
            stream, _ = tcp.accept()
            head = stream.recv(2); query = stream.recv(struct.unpack(">H", head)[0])
            for message in answer(query, True):
                whole = struct.pack(">H", len(message)) + message
                stream.sendall(whole[:5]); stream.sendall(whole[5:])
            stream.close()
    threading.Thread(target=listen, daemon=True).start()
    def serve():
        while True:
            query, peer = udp.recvfrom(2000)
            for message in answer(query, False): udp.sendto(message, peer)
    threading.Thread(target=serve, daemon=True).start()
    sys.stdin.read()
    """

  init() throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.program]
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    var line: [UInt8] = []
    while line.last != 0x0A, let next = try output.fileHandleForReading.read(upToCount: 1), !next.isEmpty {
      line += next
    }
    port = try #require(Int(String(decoding: line.dropLast(), as: UTF8.self)))
  }

  deinit { try? input.fileHandleForWriting.close() }
}

/// A name server that is asked directly, over sockets. Sockets: named `WebClientTests.Name…`.
@Suite struct NameServerTests {
  private static func ask(_ name: String, within limit: Duration = .seconds(10)) async throws -> [String] {
    let server = try PythonNameServer()
    let asked = try #require(NameServer("127.0.0.1:\(server.port)"))
    let addresses = try await asked.addresses(of: "\(name).example.com", within: limit)
    withExtendedLifetime(server) {}
    return addresses
  }

  @Test(
    "IPv4 and IPv6 addresses come back, over TCP where the answer is cut, past forged answers, and from a second try",
    arguments: ["plain", "long", "forged", "second"])
  func known(name: String) async throws {
    #expect(try await Self.ask(name, within: .seconds(6)) == ["192.0.2.7", "2001:db8::7"])
  }

  @Test("A name that does not exist has no address")
  func unknown() async throws { #expect(try await Self.ask("none") == []) }

  static let failing: [(name: String, code: WebError.Code, limit: Duration)] = [
    ("broken", .answerInvalid, .seconds(10)), ("silent", .timeout, .milliseconds(300)),
  ]

  @Test("A server that cannot answer, or does not, is told, and in time", arguments: failing.indices)
  func failure(index: Int) async throws {
    let (name, code, limit) = Self.failing[index]
    do {
      let addresses = try await Self.ask(name, within: limit)
      Issue.record("\(addresses)")
    } catch let error as WebError {
      #expect(error.code == code, "\(error.message)")
    }
  }

  static let written: [(text: String, shown: String?)] = [
    ("8.8.8.8", "8.8.8.8"), ("8.8.8.8:5353", "8.8.8.8:5353"), ("2001:4860:4860::8888", "2001:4860:4860::8888"),
    ("[::1]:5353", "[::1]:5353"), ("[::1]", "::1"), ("dns.google", nil), ("8.8.8.8:", nil), ("8.8.8.8:0", nil),
    ("8.8.8.8:70000", nil), ("[::1]x", nil), ("", nil), ("[8.8.8.8", nil),
  ]

  @Test("A name server is an address with or without a port, and no name", arguments: written)
  func spelling(text: String, shown: String?) { #expect(NameServer(text)?.description == shown) }
}
