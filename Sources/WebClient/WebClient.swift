import CastTransport
import Dispatch
import NIOCore
import NIOHTTP1
import NIOPosix

/// Asks web servers, each time over a connection of its own.
///
/// For a few requests an hour: nothing is kept open, and what is not trusted is not sent a byte of the request.
package struct WebClient: WebFetching {
  /// Redirects that are followed (RFC 9110 15.4).
  package static let mostRedirects = 10
  private static let userAgent = "Showcaller"
  /// For the name, and for each of its addresses.
  private static let connectLimit = Duration.seconds(10)

  private let roots: [[UInt8]]

  /// - Parameter roots: What is trusted besides the roots of this computer, in DER.
  package init(roots: [[UInt8]] = []) { self.roots = roots }

  package func send(
    _ request: WebRequest, trustsAll: Bool = false, within limit: Duration
  ) async throws(WebError) -> WebResponse {
    let start = ContinuousClock.now
    func left() throws(WebError) -> Duration {
      let left = limit - (ContinuousClock.now - start)
      guard left > .zero else { throw WebError(.timeout, "\(request.url.origin) did not answer in time") }
      return left
    }
    let addresses = await HostLookup.addresses(of: request.url.host, within: min(try left(), Self.connectLimit))
    guard !addresses.isEmpty else {
      throw WebError(
        .nameUnknown, "the name \(request.url.host) has no address", help: "check the name, and this computer's network"
      )
    }
    var failure = WebError(.unreachable, "\(request.url.origin) cannot be reached")
    for address in addresses {
      do throws(WebError) {
        return try await exchange(request, with: address, trustsAll: trustsAll, within: try left())
      } catch {
        failure = error
        // Another address is tried only where this one has heard nothing of the request.
        guard error.code == .unreachable else { throw error }
      }
    }
    throw failure
  }

  private func exchange(
    _ request: WebRequest, with address: String, trustsAll: Bool, within limit: Duration
  ) async throws(WebError) -> WebResponse {
    let url = request.url
    let isAddress = HostAddressText.isLiteral(url.host)
    let loop = TransportEventLoops.shared.group.next()
    let promise = loop.makePromise(of: WebResponse.self)
    let nanoseconds = limit.components.seconds * 1_000_000_000 + limit.components.attoseconds / 1_000_000_000
    let bootstrap = ClientBootstrap(group: loop)
      .connectTimeout(.nanoseconds(min(nanoseconds, 10_000_000_000)))
      .channelInitializer { [roots] channel in
        channel.eventLoop.makeCompletedFuture {
          if url.scheme == .https {
            try channel.pipeline.syncOperations.addHandler(
              WebTLSHandler(host: url.host, isAddress: isAddress, roots: roots))
          }
          try channel.pipeline.syncOperations.addHTTPClientHandlers(leftOverBytesStrategy: .dropBytes)
          try channel.pipeline.syncOperations.addHandler(
            WebExchange(request, address: address, trustsAll: trustsAll, promise: promise))
        }
      }
    let alarm = loop.scheduleTask(in: .nanoseconds(nanoseconds)) {
      promise.fail(WebError(.timeout, "\(url.origin) did not answer in time"))
    }
    do {
      let channel = try await bootstrap.connect(to: SocketAddress(ipAddress: address, port: url.port)).get()
      promise.futureResult.whenComplete { _ in
        alarm.cancel()
        channel.close(promise: nil)
      }
      return try await withTaskCancellationHandler {
        try await promise.futureResult.get()
      } onCancel: {
        promise.fail(WebError(.timeout, "nobody waits for \(url.origin) any more"))
      }
    } catch let error as WebError {
      throw error
    } catch {
      alarm.cancel()
      promise.fail(error)
      throw WebError(.unreachable, "\(url.origin) cannot be reached at \(address): \(Self.words(error))")
    }
  }

  private static func words(_ error: any Error) -> String {
    switch error {
    case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
    case ChannelError.connectTimeout: "no answer"
    default: "\(error)"
    }
  }
}

/// Whether a host is written as an address.
enum HostAddressText {
  static func isLiteral(_ host: String) -> Bool { (try? SocketAddress(ipAddress: host, port: 0)) != nil }
}

extension WebFetching {
  /// Sends a request and follows redirects; a POST that is redirected with 303 or 302 becomes a GET.
  package func fetch(_ request: WebRequest, within limit: Duration) async throws(WebError) -> WebResponse {
    let start = ContinuousClock.now
    var request = request
    for _ in 0...WebClient.mostRedirects {
      let response = try await send(request, trustsAll: false, within: limit - (ContinuousClock.now - start))
      guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["location"] else {
        return response
      }
      let next = try request.url.resolving(location)
      if request.url.scheme == .https, next.scheme == .http {
        throw WebError(.tls, "\(request.url.origin) leads from https: to http:", help: "use the last address itself")
      }
      // What is secret to one server is none of another's business.
      if next.origin != request.url.origin {
        request.headers.fields.removeAll { ["authorization", "cookie"].contains($0.name.lowercased()) }
      }
      if [301, 302, 303].contains(response.status), request.method == .post {
        request.method = .get
        request.body = []
      }
      request.url = next
    }
    throw WebError(.tooManyRedirects, "\(request.url.origin) leads on and on", help: "use the last address itself")
  }
}
