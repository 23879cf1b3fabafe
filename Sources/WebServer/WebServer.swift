import CastTransport
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// A web server on one address, with limits for whoever asks: behind the media server and the control page.
///
/// What is answered is the business of a function; this is only the socket and HTTP.
package final class WebServer: Sendable {
  /// Three for each thread, the socket and a few connections.
  private static let filesOfServer = 3 * NIOSingletons.groupLoopCountSuggestion + 5

  /// What one who asks may use.
  package struct Limits: Sendable {
    package var connections = 32
    package var connectionsPerPeer = 8
    /// Connections of all peers that `knows` does not know, on top of the others.
    package var strangers = 4
    /// Of the whole header, and of one field, in bytes.
    package var headerBytes = 8 << 10
    package var headerFields = 64
    package var bodyBytes = 64 << 10
    /// For a request to be there, and between two of them.
    package var idle = Duration.seconds(10)
    /// For what is sent with a request to be there, from the end of its header on.
    package var body = Duration.seconds(10)
    /// For a piece of an answer to be taken.
    package var stall = Duration.seconds(30)

    package init() {}
  }

  package struct Failure: Error, Hashable, Sendable {
    /// A lowercase fragment: it is printed after "error: ".
    package var message: String
    package var help: String?
  }

  /// Bytes of an answer that are read and sent at a time.
  private static let pieceSize = 128 << 10

  /// The address as it was asked for, and the port in use.
  package let host: String
  package let port: Int
  private let running: Task<Void, Never>

  private init(host: String, port: Int, running: Task<Void, Never>) {
    self.host = host
    self.port = port
    self.running = running
  }

  /// Listens on an address; port 0 is a free one.
  /// - Parameter knows: Whether it expects to be asked from an address.
  package static func start(
    host: String, port: Int, limits: Limits = Limits(), knows: @escaping @Sendable (String) -> Bool = { _ in true },
    answer: @escaping @Sendable (ServedRequest) async -> ServedAnswer
  ) async throws(Failure) -> WebServer {
    // The threads of web servers are started with the first one, and NIO ends the process where it cannot.
    guard OpenFiles.canOpen(filesOfServer) else {
      throw Failure(message: "cannot listen at \(host):\(port): too many open files")
    }
    let counter = ConnectionCounter(limits, knows: knows)
    var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
    decoder.maxHeaderFieldSize = limits.headerBytes
    decoder.maxHeaderListSize = limits.headerBytes
    decoder.maxHeaderFieldCount = limits.headerFields
    let configuration = HTTP1Channel.Configuration(
      additionalChannelHandlers: [AdmissionHandler(counter)], idleTimeout: .nanoseconds(limits.idle.nanoseconds),
      httpDecoderConfiguration: decoder)
    let child = HTTP1Channel(
      responder: { request, writer, channel in
        try await respond(to: request, writer, channel, limits, answer)
      }, configuration: configuration)
    let (ports, found) = AsyncStream<Result<Int, Failure>>.makeStream()
    // Quiet: what goes wrong with one connection is the peer's business.
    let logger = Logger(label: "web server") { _ in SwiftLogNoOpLogHandler() }
    let server = Server(
      childChannelSetup: child, configuration: ServerConfiguration(address: .hostname(host, port: port), backlog: 128),
      onServerRunning: { channel in found.yield(.success(channel.localAddress?.port ?? port)) },
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
    let running = Task {
      do {
        try await server.run()
      } catch {
        found.yield(.failure(failure(error, host, port)))
      }
      found.finish()
    }
    var iterator = ports.makeAsyncIterator()
    switch await iterator.next() {
    case .success(let port)?: return WebServer(host: host, port: port, running: running)
    case .failure(let failure)?: throw failure
    case nil: throw Failure(message: "cannot listen at \(host):\(port)")
    }
  }

  /// Stops listening, and ends what is open.
  package func close() async {
    running.cancel()
    await running.value
  }

  private static func failure(_ error: any Error, _ host: String, _ port: Int) -> Failure {
    guard let error = error as? IOError else { return Failure(message: "cannot listen at \(host):\(port): \(error)") }
    switch error.errnoCode {
    case EADDRINUSE:
      return Failure(
        message: "\(host):\(port) is in use", help: "stop what listens there, or take another port (0 is a free one)")
    case EADDRNOTAVAIL:
      return Failure(message: "\(host) is no address of this computer", help: "`ip addr` lists them")
    case EACCES:
      return Failure(message: "port \(port) is for the system only", help: "take one above 1023")
    default:
      return Failure(message: "cannot listen at \(host):\(port): \(String(cString: strerror(error.errnoCode)))")
    }
  }

  // MARK: one request

  @concurrent
  private static func respond(
    to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel, _ limits: Limits,
    _ answer: @Sendable (ServedRequest) async -> ServedAnswer
  ) async throws {
    var asked = ServedRequest(request, peer: channel.remoteAddress?.ipAddress ?? "")
    var answered: ServedAnswer
    do {
      asked.body = try await body(of: request, channel, limits)
      answered = await answer(asked)
    } catch {
      answered = ServedAnswer(413, headers: [("Connection", "close")])
    }
    let isHead = asked.method == .head
    var fields = HTTPFields()
    for (name, value) in answered.headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    if fields[.contentLength] == nil, let length = answered.length { fields[.contentLength] = "\(length)" }
    let head = HTTPResponse(status: .init(code: answered.status), headerFields: fields)
    // `Connection: close` was sent: throwing closes the channel.
    let isLast = fields[.connection] == "close"
    if isHead {
      try await writer.writeResponse(head)
      if isLast { throw ChannelError.eof }
      return
    }
    let body = try await writer.writeHead(head)
    switch answered.body {
    case .bytes(let bytes):
      if !bytes.isEmpty { try await send(bytes, to: body, channel, limits) }
    case .pieces(let length, let read):
      var offset = 0
      while offset < length {
        let piece = try read(offset, min(pieceSize, length - offset))
        if piece.isEmpty { throw ChannelError.inputClosed }
        try await send(piece, to: body, channel, limits)
        offset += piece.count
      }
    case .stream(let pieces):
      for await piece in pieces { try await send(piece, to: body, channel, limits) }
    }
    try await body.finish(nil)
    if isLast { throw ChannelError.eof }
  }

  @concurrent
  private static func body(
    of request: Request, _ channel: any Channel, _ limits: Limits
  ) async throws -> [UInt8] {
    let alarm = channel.eventLoop.scheduleTask(in: .nanoseconds(limits.body.nanoseconds)) {
      channel.close(promise: nil)
    }
    defer { alarm.cancel() }
    var bytes: [UInt8] = []
    for try await buffer in request.body {
      bytes += Array(buffer.readableBytesView)
      if bytes.count > limits.bodyBytes { throw ChannelError.inputClosed }
    }
    return bytes
  }

  /// Sends a piece; who does not take it for too long is cut off.
  @concurrent
  private static func send(
    _ bytes: [UInt8], to body: some ResponseBodyWriter, _ channel: any Channel, _ limits: Limits
  ) async throws {
    let alarm = channel.eventLoop.scheduleTask(in: .nanoseconds(limits.stall.nanoseconds)) {
      channel.close(promise: nil)
    }
    defer { alarm.cancel() }
    var body = body
    try await body.write(ByteBuffer(bytes: bytes))
  }
}

extension ServedAnswer {
  /// Of its body in bytes; `nil`: nobody knows.
  fileprivate var length: Int? {
    switch body {
    case .bytes(let bytes): bytes.count
    case .pieces(let length, _): length
    case .stream: nil
    }
  }
}

extension ServedRequest {
  fileprivate init(_ request: Request, peer: String) {
    let target = request.head.path ?? "/"
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var headers: [String: String] = [:]
    for field in request.headers {
      let name = field.name.canonicalName
      headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
    }
    self.init(
      Method(rawValue: request.method.rawValue), parts.first.map(String.init) ?? "/",
      query: parts.count > 1 ? String(parts[1]) : nil, host: request.head.authority, headers: headers, peer: peer)
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
