import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import Synchronization
import Testing

@testable import CastTransport

/// Connections that are cut at each stage of the handshake, and what they leave behind: nothing.
@Suite(.serialized, .timeLimit(.minutes(2))) struct CutConnectionTests {
  /// A context for each connection: it lives as long as the connection's handler does.
  private final class Contexts: Sendable {
    private struct Weak: Sendable { weak var context: TLSContext? }
    private let fresh: Mutex<[TLSContext]>
    private let all: [Weak]

    init(_ contexts: [TLSContext]) {
      all = contexts.map { Weak(context: $0) }
      fresh = Mutex(contexts)
    }

    func next() -> TLSContext? { fresh.withLock { $0.popLast() } }
    var unusedCount: Int { fresh.withLock { $0.count } }
    /// How many handlers live.
    var liveCount: Int { all.count { $0.context != nil } - unusedCount }
  }

  /// One side of TLS on a plain socket.
  private final class Engine {
    private var engine: TLSEngine
    init(_ context: TLSContext) throws { engine = try TLSEngine(context) }

    func start() throws -> [UInt8] {
      try engine.start()
      return take()
    }

    func answer(to bytes: [UInt8]) -> [UInt8] {
      _ = bytes.withUnsafeBytes { engine.receive($0) }
      return take()
    }

    /// What is to be sent after as much as it takes has come; nothing at the end.
    func answer(from socket: RawSocket) async -> [UInt8] {
      while true {
        let bytes = await socket.readSome()
        if bytes.isEmpty { return [] }
        let answer = answer(to: bytes)
        if !answer.isEmpty { return answer }
      }
    }

    private func take() -> [UInt8] {
      let count = engine.pendingCiphertextCount
      guard count > 0 else { return [] }
      return [UInt8](unsafeUninitializedCapacity: count) {
        $1 = engine.takeCiphertext(into: UnsafeMutableRawBufferPointer($0))
      }
    }
  }

  enum Version: Int32, CaseIterable, CustomTestStringConvertible {
    case tls12 = 0x0303
    case tls13 = 0x0304
    var testDescription: String { self == .tls12 ? "TLS 1.2" : "TLS 1.3" }
  }
  enum Stage: CaseIterable { case connected, halfHello, hello, flight, halfFinished, finished, finishedInOrder }

  /// So many at each stage; `SHOWCALLER_CUTS` asks for more. What stays is counted exactly, so few show what many would.
  private static let cuts = ProcessInfo.processInfo.environment["SHOWCALLER_CUTS"].flatMap { Int($0) } ?? 100

  @Test("A server keeps nothing of connections that are cut", arguments: Version.allCases, Stage.allCases)
  func server(version: Version, stage: Stage) async throws {
    let certificate = try Certificate(commonName: "test")
    var made: [TLSContext] = []
    for _ in 0..<Self.cuts { made.append(try TLSContext.forServer(certificate, maximumVersion: version.rawValue)) }
    let contexts = Contexts(made)
    made = []
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let accepted = Arrival<any Channel>()
    let listener = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        accepted(channel)
        return channel.eventLoop.makeCompletedFuture {
          guard let context = contexts.next() else { throw ChannelError.ioOnClosedChannel }
          let handler = TLSHandler(engine: try TLSEngine(context), handshakeLimit: .seconds(5)) { result in
            if case .success(let byteChannel) = result { byteChannel.start { _ in } }
          }
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(listener.localAddress?.port)
    for _ in 0..<Self.cuts {
      try await Self.cut(port: port, at: stage)
      try await accepted.next()?.closeFuture.get()
    }
    try await group.next().submit {}.get()
    #expect(contexts.unusedCount == 0 && contexts.liveCount == 0)
    try await listener.close().get()
    try await group.shutdownGracefully()
  }

  private static func cut(port: Int, at stage: Stage) async throws {
    let socket = RawSocket.connected(to: port)
    if stage != .finishedInOrder { socket.resetOnClose() }
    if stage == .connected { return }
    let engine = try Engine(try TLSContext.forClients())
    let hello = try engine.start()
    socket.send(stage == .halfHello ? Array(hello.prefix(hello.count / 2)) : hello)
    if stage == .halfHello || stage == .hello { return }
    let finished = await engine.answer(from: socket)
    #expect(!finished.isEmpty)
    if stage == .flight { return }
    // Cut right behind: what the server answers cannot be written any more.
    socket.send(stage == .halfFinished ? Array(finished.prefix(finished.count / 2)) : finished)
  }

  @Test(
    "A client keeps nothing of connections that the device cuts", arguments: Version.allCases,
    [Stage.connected, .hello, .halfFinished, .finished])
  func client(version: Version, stage: Stage) async throws {
    let listener = RawSocket.listening()
    var made: [TLSContext] = []
    for _ in 0..<Self.cuts { made.append(try TLSContext(certificate: nil, maximumVersion: version.rawValue)) }
    let contexts = Contexts(made)
    made = []
    let certificate = try Certificate(commonName: "test")
    let server = try TLSContext.forServer(certificate)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let begun = Arrival<any Channel>()
    for _ in 0..<Self.cuts {
      async let served: Void = Self.cutNext(of: listener, as: server, at: stage)
      let connecting = ClientBootstrap(group: group)
        .channelInitializer { channel in
          begun(channel)
          return channel.eventLoop.makeCompletedFuture {
            guard let context = contexts.next() else { throw ChannelError.ioOnClosedChannel }
            let handler = TLSHandler(engine: try TLSEngine(context), handshakeLimit: .seconds(5)) { result in
              if case .success(let byteChannel) = result { byteChannel.start { _ in } }
            }
            try channel.pipeline.syncOperations.addHandler(handler)
          }
        }
        .connect(host: "127.0.0.1", port: listener.port)
      // At once after the connection, a reset may come before it is told of.
      if stage == .connected { _ = try? await connecting.get() } else { _ = try await connecting.get() }
      try await served
      try await begun.next()?.closeFuture.get()
    }
    try await group.next().submit {}.get()
    #expect(contexts.unusedCount == 0 && contexts.liveCount == 0)
    try await group.shutdownGracefully()
  }

  private static func cutNext(of listener: RawSocket, as server: TLSContext, at stage: Stage) async throws {
    let socket = await listener.accept()
    socket.resetOnClose()
    if stage == .connected { return }
    let engine = try Engine(server)
    _ = try engine.start()
    let flight = await engine.answer(from: socket)
    if stage == .hello { return }
    socket.send(stage == .halfFinished ? Array(flight.prefix(flight.count / 2)) : flight)
  }

  // MARK: writes that fail at once

  /// Fails each write from when it is told to, and ends the channel before it returns, as sockets do.
  private final class Severed: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    var isSevered = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      guard isSevered else { return context.write(data, promise: promise) }
      promise?.fail(ChannelError.ioOnClosedChannel)
      context.close(promise: nil)
    }
  }

  private final class Results {
    var handshakes: [Result<TLSByteChannel, TransportError>] = []
  }

  private static func bytes(of channel: EmbeddedChannel) throws -> [UInt8] {
    var all: [UInt8] = []
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { all += buffer.readableBytesView }
    return all
  }

  @Test("A handshake whose last flight cannot be written has failed, and nothing keeps the connection")
  func lastFlight() throws {
    let certificate = try Certificate(commonName: "test")
    weak var context: TLSContext?
    let results = Results()
    do {
      let own = try TLSContext.forServer(certificate, maximumVersion: Version.tls12.rawValue)
      context = own
      let severed = Severed()
      let handler = TLSHandler(engine: try TLSEngine(own), handshakeLimit: .seconds(5)) {
        results.handshakes.append($0)
      }
      let channel = EmbeddedChannel(handlers: [severed, handler])
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      let client = try Engine(try TLSContext.forClients())
      try channel.writeInbound(ByteBuffer(bytes: try client.start()))
      let finished = client.answer(to: try Self.bytes(of: channel))
      severed.isSevered = true
      _ = try? channel.writeInbound(ByteBuffer(bytes: finished))
      _ = try? channel.finish(acceptAlreadyClosed: true)
    }
    #expect(context == nil)
    #expect(results.handshakes.count == 1)
    guard case .failure? = results.handshakes.first else {
      Issue.record("the handshake did not fail")
      return
    }
  }

  @Test("The reason of a failure stays when the alert that tells of it cannot be written")
  func alert() throws {
    let certificate = try Certificate(commonName: "test")
    let severed = Severed()
    let results = Results()
    let handler = TLSHandler(
      engine: try TLSEngine(try TLSContext.forServer(certificate)), handshakeLimit: .seconds(5)
    ) { results.handshakes.append($0) }
    let channel = EmbeddedChannel(handlers: [severed, handler])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    severed.isSevered = true
    // A record of handshake that holds none.
    _ = try? channel.writeInbound(ByteBuffer(bytes: [22, 3, 1, 0, 4, 255, 255, 255, 255]))
    _ = try? channel.finish(acceptAlreadyClosed: true)
    guard case .failure(let error)? = results.handshakes.first else {
      Issue.record("the handshake did not fail")
      return
    }
    #expect(error.message.hasPrefix("the TLS handshake failed"), "\(error.message)")
  }
}
