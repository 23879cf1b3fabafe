import COpenSSL
import CastProtocol
import Glibc

/// The least that a sender can be: a blocking socket and OpenSSL, frames made beforehand or by hand, and a look for the
/// words that answer. No machine, no parser, no thread: the floor that ours is measured against.
final class RawSender {
  struct Failed: Error { var what: String }

  private let socketDescriptor: Int32
  private let ssl: OpaquePointer
  private var buffer: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 16 * 1024)

  nonisolated(unsafe) private static let context: OpaquePointer? = {
    let context = SSL_CTX_new(TLS_client_method())
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
    return context
  }()

  /// Connects to `127.0.0.1:PORT`, TCP and TLS.
  init(_ address: String) throws {
    guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else { throw Failed(what: address) }
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    var target = sockaddr_in()
    target.sin_family = sa_family_t(AF_INET)
    target.sin_port = port.bigEndian
    target.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &target) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0, let context = Self.context, let ssl = SSL_new(context) else {
      close(descriptor)
      throw Failed(what: "connect")
    }
    self.ssl = ssl
    socketDescriptor = descriptor
    guard SSL_set_fd(ssl, socketDescriptor) == 1, SSL_connect(ssl) == 1 else { throw Failed(what: "TLS") }
  }

  deinit {
    _ = SSL_shutdown(ssl)
    SSL_free(ssl)
    close(socketDescriptor)
  }

  /// CONNECT, GET_STATUS and its answer.
  func open() throws {
    try send([hello("receiver-0"), frame("receiver", to: "receiver-0", #"{"type":"GET_STATUS","requestId":1}"#)])
    try answer(containing: #""requestId":1"#)
  }

  /// GET_STATUS and its answer.
  func status(_ id: Int) throws {
    try send([frame("receiver", to: "receiver-0", #"{"type":"GET_STATUS","requestId":\#(id)}"#)])
    try answer(containing: #""requestId":\#(id)"#)
  }

  /// CONNECT, LAUNCH where the app does not run, CONNECT to it, LOAD, and the status that answers that.
  func load(_ round: Int) throws {
    try send([hello("receiver-0"), frame("receiver", to: "receiver-0", #"{"type":"GET_STATUS","requestId":1}"#)])
    var status = try answer(containing: "RECEIVER_STATUS")
    let name = Array(#""transportId":""#.utf8)
    if Self.place(of: Array("CC1AD845".utf8), in: status) == nil {
      try send([frame("receiver", to: "receiver-0", #"{"type":"LAUNCH","appId":"CC1AD845","requestId":2}"#)])
      status = try answer(containing: #""transportId":""#)
    }
    guard let place = Self.place(of: name, in: status) else { throw Failed(what: "no transport") }
    let transport = String(decoding: status[(place + name.count)...].prefix { $0 != 0x22 }, as: UTF8.self)
    let media =
      #"{"contentId":"https://media.example.com/raw-\#(round).mp4","contentType":"video/mp4","streamType":"BUFFERED"}"#
    try send([
      hello(transport),
      frame("media", to: transport, #"{"type":"LOAD","requestId":3,"autoplay":true,"media":\#(media)}"#),
    ])
    try answer(containing: "raw-\(round).mp4", or: "LOAD_FAILED")
  }

  private func hello(_ endpoint: String) -> [UInt8] {
    frame("tp.connection", to: endpoint, #"{"type":"CONNECT","origin":{}}"#)
  }

  private func frame(_ namespace: String, to destination: String, _ json: String) -> [UInt8] {
    let name = "urn:x-cast:com.google.cast.\(namespace)"
    let message = CastMessage(
      source: EndpointID("sender-raw"), destination: EndpointID(destination), namespace: Namespace(rawValue: name),
      payload: .text(json))
    return (try? FrameEncoder.frame(message)) ?? []
  }

  private func send(_ frames: [[UInt8]]) throws {
    for frame in frames {
      guard SSL_write(ssl, frame, Int32(frame.count)) == Int32(frame.count) else { throw Failed(what: "write") }
    }
  }

  /// The next message that holds one of the two texts; others are passed over.
  @discardableResult
  private func answer(containing text: String, or other: String? = nil) throws -> [UInt8] {
    let (wanted, alternative) = (Array(text.utf8), other.map { Array($0.utf8) })
    while true {
      while buffer.count >= 4 {
        let length = buffer[0..<4].reduce(0) { $0 << 8 | Int($1) }
        guard buffer.count >= 4 + length else { break }
        let body = Array(buffer[4..<4 + length])
        buffer.removeFirst(4 + length)
        if Self.place(of: wanted, in: body) != nil { return body }
        if let alternative, Self.place(of: alternative, in: body) != nil { return body }
      }
      let count = SSL_read(ssl, &chunk, Int32(chunk.count))
      guard count > 0 else { throw Failed(what: "read") }
      buffer.append(contentsOf: chunk[..<Int(count)])
    }
  }

  /// Where `text` begins in `body`.
  private static func place(of text: [UInt8], in body: [UInt8]) -> Int? {
    guard let first = text.first, text.count <= body.count else { return nil }
    return (0...body.count - text.count).first { start in
      body[start] == first && body[start..<start + text.count].elementsEqual(text)
    }
  }
}
