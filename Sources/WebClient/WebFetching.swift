/// What can ask a web server.
package protocol WebFetching: Sendable {
  /// Sends one request and reads its answer; follows no redirect.
  /// - Parameters:
  ///   - trustsAll: The answer counts although its certificate is not trusted; ``WebResponse/certificate`` says why not.
  ///   - limit: The longest time for all of it, on the network clock.
  func send(_ request: WebRequest, trustsAll: Bool, within limit: Duration) async throws(WebError) -> WebResponse
}
