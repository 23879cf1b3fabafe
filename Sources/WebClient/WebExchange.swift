import CastTransport
import NIOCore
import NIOHTTP1

/// One request and its answer on a connection.
final class WebExchange: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let request: WebRequest
  private let trustsAll: Bool
  private let promise: EventLoopPromise<WebResponse>
  private var response: WebResponse
  private var hasHead = false
  private var isOver = false

  init(_ request: WebRequest, address: String, trustsAll: Bool, promise: EventLoopPromise<WebResponse>) {
    self.request = request
    self.trustsAll = trustsAll
    self.promise = promise
    response = WebResponse(status: 0, address: address)
  }

  func channelActive(context: ChannelHandlerContext) {
    if request.url.scheme == .http { send(context) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard let handshake = event as? WebTLSHandler.Handshake else { return context.fireUserInboundEventTriggered(event) }
    response.certificate = handshake.proof.map {
      WebCertificate(validFrom: $0.validFrom, validTo: $0.validTo, names: $0.names, problem: $0.problem)
    }
    if !trustsAll, let problem = response.certificate.map(\.problem) ?? "the server showed no certificate" {
      return fail(
        WebError(
          .tls, "the certificate of \(request.url.host) is not trusted: \(problem)",
          help: "the server's owner has to renew or complete it; a clock of this computer that is wrong looks the same")
      )
    }
    send(context)
  }

  private func send(_ context: ChannelHandlerContext) {
    var headers = HTTPHeaders()
    headers.add(name: "Host", value: request.url.authority)
    for field in request.headers.fields where field.name.lowercased() != "host" {
      headers.add(name: field.name, value: field.value)
    }
    if !headers.contains(name: "User-Agent") { headers.add(name: "User-Agent", value: "Showcaller") }
    if !headers.contains(name: "Accept") { headers.add(name: "Accept", value: "*/*") }
    headers.add(name: "Connection", value: "close")
    if !request.body.isEmpty || request.method == .post || request.method == .put {
      headers.replaceOrAdd(name: "Content-Length", value: "\(request.body.count)")
    }
    let head = HTTPRequestHead(
      version: .http1_1, method: .init(rawValue: request.method.rawValue), uri: request.url.target, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !request.body.isEmpty {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: request.body)))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      hasHead = true
      response.status = Int(head.status.code)
      response.headers = WebHeaders(head.headers.map { .init($0.name, $0.value) })
      if request.cutsBody, let time = request.bodyTime { cutBody(after: time, context) }
    case .body(let buffer):
      let room = request.bodyLimit - response.body.count
      response.body += Array(buffer.readableBytesView.prefix(max(0, room)))
      guard buffer.readableBytes > room else { return }
      guard request.cutsBody else {
        return fail(
          WebError(.answerTooLong, "\(request.url.origin) answers more than \(request.bodyLimit >> 10) KiB"))
      }
      response.isCut = true
      succeed()
    case .end: succeed()
    }
  }

  /// Ends with what has come by then.
  private func cutBody(after time: Duration, _ context: ChannelHandlerContext) {
    let exchange = NIOLoopBound(self, eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: TimeAmount(time)) {
      exchange.value.response.isCut = true
      exchange.value.succeed()
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(
      WebError(
        .answerInvalid,
        hasHead
          ? "the answer of \(request.url.origin) ends in the middle" : "\(request.url.origin) closed without an answer")
    )
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case let error as TransportError: fail(WebError(.tls, "\(request.url.origin): \(error.message)", help: error.help))
    case is HTTPParserError:
      fail(WebError(.answerInvalid, "\(request.url.origin) does not answer as a web server does"))
    default: fail(WebError(.answerInvalid, "the connection to \(request.url.origin) broke: \(error)"))
    }
    context.close(promise: nil)
  }

  private func succeed() {
    guard !isOver else { return }
    isOver = true
    promise.succeed(response)
  }

  private func fail(_ error: WebError) {
    guard !isOver else { return }
    isOver = true
    promise.fail(error)
  }
}
