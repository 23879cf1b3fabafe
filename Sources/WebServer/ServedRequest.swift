/// What somebody asks of a web server of ours.
package struct ServedRequest: Hashable, Sendable {
  package enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case options = "OPTIONS"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// `nil`: a method that no server of ours knows.
  package var method: Method?
  /// As it was sent, beginning with `/`, without the query; percent-encoding stands.
  package var path: String
  /// Without the question mark; `nil`: none.
  package var query: String?
  /// The header `Host`, or what HTTP/2 calls authority.
  package var host: String?
  /// Lower-case names; several fields of one name are joined by commas.
  package var headers: [String: String]
  /// The address of who asks, without a port.
  package var peer: String
  package var body: [UInt8]

  package init(
    _ method: Method? = .get, _ path: String, query: String? = nil, host: String? = nil,
    headers: [String: String] = [:],
    peer: String = "127.0.0.1", body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.host = host
    self.headers = headers
    self.peer = peer
    self.body = body
  }
}

/// What a web server of ours answers.
package struct ServedAnswer: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// A stretch of something that is read piece by piece; the reader throws where it cannot be read any more.
    case pieces(length: Int, read: @Sendable (_ offset: Int, _ count: Int) throws -> [UInt8])
    /// It ends when the stream does, or nobody listens any more.
    case stream(AsyncStream<[UInt8]>)
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Body

  package init(_ status: Int, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A text with its type.
  package static func text(_ status: Int, _ text: String, type: String = "text/plain; charset=utf-8") -> ServedAnswer {
    ServedAnswer(status, headers: [("Content-Type", type)], body: .bytes(Array(text.utf8)))
  }

  /// The first value of a header.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
