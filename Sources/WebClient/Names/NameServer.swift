import CastTransport
import NIOCore
import NIOPosix

/// What can tell the addresses of a name.
package protocol NameLookup: Sendable {
  /// - Returns: IPv4 and IPv6 addresses; none where there is no such name.
  /// - Throws: Where nobody answers, or not to this.
  func addresses(of name: String, within limit: Duration) async throws(WebError) -> [String]
}

/// What this computer asks for every other connection, its file of hosts included.
package struct SystemNames: NameLookup {
  package init() {}

  package func addresses(of name: String, within limit: Duration) async throws(WebError) -> [String] {
    await HostLookup.addresses(of: name, within: limit)
  }
}

/// A name server that is asked directly, by its address: over UDP, and over TCP where an answer is cut.
package struct NameServer: NameLookup, Hashable, CustomStringConvertible {
  package let address: String
  package let port: Int

  private static let usualPort = 53
  /// A question over UDP is sent so often: either way may be lost.
  private static let tries = 3

  /// An address, with a port behind a colon where it is not 53; IPv6 with a port in brackets.
  /// - Returns: `nil` for anything else, names among it.
  package init?(_ text: String) {
    var (host, port) = (text[...], Substring("\(Self.usualPort)"))
    if text.hasPrefix("["), let close = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<close]
      let rest = text[text.index(after: close)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      if !rest.isEmpty { port = rest.dropFirst() }
    } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
      (host, port) = (text[..<colon], text[text.index(after: colon)...])
    }
    guard HostAddressText.isLiteral(String(host)), port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(port), (1...65_535).contains(number)
    else { return nil }
    address = String(host)
    self.port = number
  }

  package var description: String {
    let host = address.contains(":") && port != Self.usualPort ? "[\(address)]" : address
    return port == Self.usualPort ? host : "\(host):\(port)"
  }

  package func addresses(of name: String, within limit: Duration) async throws(WebError) -> [String] {
    async let four = answer(name, .a, within: limit)
    async let six = answer(name, .aaaa, within: limit)
    let answers = await [four, six]
    var addresses: [String] = []
    for answer in answers { addresses += try answer.get() }
    return addresses
  }

  private func answer(
    _ name: String, _ kind: NameQuestion.Kind, within limit: Duration
  ) async -> Result<[String], WebError> {
    guard let question = NameQuestion(name, kind, id: .random(in: .min ... .max)) else { return .success([]) }
    do throws(WebError) {
      let start = ContinuousClock.now
      var answer = try await ask(question, overTCP: false, within: limit)
      if answer.isCut {
        answer = try await ask(question, overTCP: true, within: limit - (ContinuousClock.now - start))
      }
      switch answer.code {
      case 0: return .success(answer.addresses)
      case 3: return .success([])
      default:
        throw WebError(.answerInvalid, "the name server \(self) refuses to answer for \(name) (code \(answer.code))")
      }
    } catch {
      return .failure(error)
    }
  }

  private func ask(
    _ question: NameQuestion, overTCP: Bool, within limit: Duration
  ) async throws(WebError) -> NameQuestion.Answer {
    let loop = TransportEventLoops.shared.group.next()
    let promise = loop.makePromise(of: NameQuestion.Answer.self)
    let silence = WebError(.timeout, "the name server \(self) did not answer in time")
    let nanoseconds = max(1, limit.components.seconds * 1_000_000_000 + limit.components.attoseconds / 1_000_000_000)
    let alarm = loop.scheduleTask(in: .nanoseconds(nanoseconds)) { promise.fail(silence) }
    do {
      let server = try SocketAddress(ipAddress: address, port: port)
      let channel: any Channel
      if overTCP {
        channel = try await ClientBootstrap(group: loop).connectTimeout(.nanoseconds(nanoseconds))
          .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              try channel.pipeline.syncOperations.addHandler(NameStream(question, promise))
            }
          }.connect(to: server).get()
      } else {
        // A socket of its own, so that each question comes from another port; connected, so that only the server is heard.
        channel = try await DatagramBootstrap(group: loop).channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
              NameDatagrams(question, promise, every: .nanoseconds(max(1, nanoseconds / Int64(Self.tries)))))
          }
        }.connect(to: server).get()
      }
      promise.futureResult.whenComplete { _ in
        alarm.cancel()
        channel.close(promise: nil)
      }
      return try await promise.futureResult.get()
    } catch let error as WebError {
      throw error
    } catch {
      alarm.cancel()
      promise.fail(silence)
      throw WebError(.unreachable, "the name server \(self) cannot be reached")
    }
  }
}

/// Sends a question again and again until an answer to it comes; what else comes is not heard.
private final class NameDatagrams: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  typealias OutboundOut = AddressedEnvelope<ByteBuffer>

  private let question: NameQuestion
  private let promise: EventLoopPromise<NameQuestion.Answer>
  private let interval: TimeAmount
  private var timer: RepeatedTask?

  init(_ question: NameQuestion, _ promise: EventLoopPromise<NameQuestion.Answer>, every interval: TimeAmount) {
    self.question = question
    self.promise = promise
    self.interval = interval
  }

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    guard let server = channel.remoteAddress else { return }
    let bytes = question.bytes
    timer = context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: interval) { _ in
      channel.writeAndFlush(AddressedEnvelope(remoteAddress: server, data: ByteBuffer(bytes: bytes)), promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let answer = question.answer(in: Array(unwrapInboundIn(data).data.readableBytesView)) else { return }
    promise.succeed(answer)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    promise.fail(ChannelError.ioOnClosedChannel)
  }

  /// Nobody listens at the port; the next try may find somebody.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

/// One question and its answer over TCP, each behind its length (RFC 1035 4.2.2).
private final class NameStream: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let question: NameQuestion
  private let promise: EventLoopPromise<NameQuestion.Answer>
  private var received: [UInt8] = []

  init(_ question: NameQuestion, _ promise: EventLoopPromise<NameQuestion.Answer>) {
    self.question = question
    self.promise = promise
  }

  func channelActive(context: ChannelHandlerContext) {
    let bytes = question.bytes
    let length = [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: length + bytes)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += unwrapInboundIn(data).readableBytesView
    guard received.count >= 2 else { return }
    let length = Int(received[0]) << 8 | Int(received[1])
    guard received.count >= 2 + length else { return }
    if let answer = question.answer(in: Array(received[2..<(2 + length)])), !answer.isCut {
      promise.succeed(answer)
    } else {
      promise.fail(WebError(.answerInvalid, "the name server answers something else"))
    }
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) { promise.fail(ChannelError.ioOnClosedChannel) }
  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
