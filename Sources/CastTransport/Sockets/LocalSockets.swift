import Glibc
import NIOCore
import NIOPosix

extension PlainServer {
  /// Listens at a path of the file system, for programs of the same user. Others are turned away without a word, but for
  /// root, whatever the file's mode is.
  /// - Parameter name: What the socket is called in errors; the path may be a detour.
  package static func listen(
    path: String, name: String, maximumConnections: Int = 16, eventLoops: TransportEventLoops = .shared,
    accept: @escaping @Sendable (any ByteChannel) -> Void
  ) async throws(TransportError) -> PlainServer {
    do {
      return PlainServer(
        listener: try await listening(maximumConnections, on: eventLoops, admits: { $0.isOfThisUser }, accept: accept)
          .bind(unixDomainSocketPath: path).get())
    } catch {
      throw .listening(at: name, error)
    }
  }
}

/// What the system tells of the process at the other end (`struct ucred` of unix(7)).
private struct PeerCredentials {
  var process: pid_t = 0
  var user: uid_t = 0
  var group: gid_t = 0
}

extension Channel {
  /// Whether a process of this user, or of root, is at the other end. To be called on the event loop.
  fileprivate var isOfThisUser: Bool {
    let peer = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
      var credentials = PeerCredentials()
      var length = socklen_t(MemoryLayout<PeerCredentials>.size)
      let status = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
      return status == 0 ? credentials.user : uid_t.max
    }
    return peer == geteuid() || peer == 0
  }
}

/// Asks who listens at a path of the file system.
package enum LocalExchange {
  /// Why there is no answer.
  package enum Failure: Error, Hashable, Sendable {
    /// Nobody listens there any more.
    case nobody
    case notAllowed
    /// In this time.
    case noAnswer(Duration)
    /// More than may come.
    case tooLong
    case other(String)
  }

  /// Sends `request` and gives what comes until the other end closes.
  package static func ask(
    path: String, _ request: [UInt8], answerLimit: Int, within limit: Duration,
    eventLoops: TransportEventLoops = .shared
  ) async throws(Failure) -> [UInt8] {
    let loop = eventLoops.group.next()
    let answer = loop.makePromise(of: [UInt8].self)
    let timer = loop.scheduleTask(in: TimeAmount(limit: limit)) { answer.fail(Failure.noAnswer(limit)) }
    let connected = ClientBootstrap(group: loop)
      .channelInitializer { channel in
        channel.closeOnExec()
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AnswerHandler(request, limit: answerLimit, answer))
        }
      }
      .connect(unixDomainSocketPath: path)
    connected.whenFailure { answer.fail($0) }
    defer { timer.cancel() }
    do {
      let bytes = try await answer.futureResult.get()
      connected.whenSuccess { $0.close(promise: nil) }
      return bytes
    } catch {
      connected.whenSuccess { $0.close(promise: nil) }
      throw Failure(error)
    }
  }
}

extension LocalExchange.Failure {
  fileprivate init(_ error: any Error) {
    switch error {
    case let failure as Self: self = failure
    case let error as IOError where error.errnoCode == ECONNREFUSED || error.errnoCode == ENOENT: self = .nobody
    case let error as IOError where [EACCES, EPERM, EPIPE, ECONNRESET].contains(error.errnoCode): self = .notAllowed
    default: self = .other(TransportError.reason(of: error))
    }
  }
}

/// Sends one request and collects what comes back.
private final class AnswerHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let request: [UInt8]
  private let limit: Int
  private let answer: EventLoopPromise<[UInt8]>
  private var bytes: [UInt8] = []

  init(_ request: [UInt8], limit: Int, _ answer: EventLoopPromise<[UInt8]>) {
    self.request = request
    self.limit = limit
    self.answer = answer
  }

  func channelActive(context: ChannelHandlerContext) {
    var buffer = context.channel.allocator.buffer(capacity: request.count)
    buffer.writeBytes(request)
    context.writeAndFlush(NIOAny(buffer), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes += unwrapInboundIn(data).readableBytesView
    guard bytes.count > limit else { return }
    answer.fail(LocalExchange.Failure.tooLong)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if bytes.isEmpty { answer.fail(LocalExchange.Failure.notAllowed) } else { answer.succeed(bytes) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    answer.fail(error)
    context.close(promise: nil)
  }
}
