import Foundation
import Testing
import WebClient

/// The client against a server that is not ours.
@Suite struct WebClientTests {
  private static func url(_ server: PythonServer, _ path: String, scheme: String = "http", host: String = "127.0.0.1")
    throws
    -> WebURL
  {
    try WebURL(parsing: "\(scheme)://\(host):\(server.port)\(path)")
  }

  private static func text(_ response: WebResponse) -> String { String(decoding: response.body, as: UTF8.self) }

  @Test("An answer has its status, its headers and its body, however it is sent")
  func answers() async throws {
    let server = try PythonServer()
    let client = WebClient()
    let plain = try await client.send(WebRequest(.get, Self.url(server, "/plain")), within: .seconds(10))
    #expect(plain.status == 200 && Self.text(plain) == "hello" && plain.headers["x-one"] == "1")
    #expect(plain.address == "127.0.0.1" && plain.certificate == nil && !plain.isCut)
    let chunked = try await client.send(WebRequest(.get, Self.url(server, "/chunked")), within: .seconds(10))
    #expect(Self.text(chunked) == "one two")
    let head = try await client.send(WebRequest(.head, Self.url(server, "/plain")), within: .seconds(10))
    #expect(head.status == 200 && head.body.isEmpty && head.headers["Content-Length"] == "5")
    let post = WebRequest(
      .post, try Self.url(server, "/echo"), headers: [.init("X-Test", "yes")], body: Array("body".utf8))
    #expect(Self.text(try await client.send(post, within: .seconds(10))) == "body|yes")
    #expect(try await client.send(WebRequest(.get, Self.url(server, "/none")), within: .seconds(10)).status == 404)
  }

  @Test("A redirect is an answer, and is followed only by who wants that, not for ever")
  func redirects() async throws {
    let server = try PythonServer()
    let client = WebClient()
    #expect(try await client.send(WebRequest(.get, Self.url(server, "/there")), within: .seconds(10)).status == 302)
    #expect(
      Self.text(try await client.fetch(WebRequest(.get, Self.url(server, "/there")), within: .seconds(10))) == "hello")
    let moved = WebRequest(.post, try Self.url(server, "/moved"), body: Array("b".utf8))
    #expect(Self.text(try await client.fetch(moved, within: .seconds(10))) == "b|")
    let see = WebRequest(.post, try Self.url(server, "/see"), body: Array("b".utf8))
    #expect(Self.text(try await client.fetch(see, within: .seconds(10))) == "GET")
    let loop = await #expect(throws: WebError.self) {
      try await client.fetch(WebRequest(.get, Self.url(server, "/loop")), within: .seconds(20))
    }
    #expect(loop?.code == .tooManyRedirects)
  }

  @Test("A body that is too long is an error, or is cut where that is enough")
  func tooLong() async throws {
    let server = try PythonServer()
    var request = WebRequest(.get, try Self.url(server, "/big"))
    request.bodyLimit = 1_000
    let error = await #expect(throws: WebError.self) { try await WebClient().send(request, within: .seconds(10)) }
    #expect(error?.code == .answerTooLong)
    request.cutsBody = true
    let cut = try await WebClient().send(request, within: .seconds(10))
    #expect(cut.isCut && cut.body.count == 1_000)
  }

  @Test("A body that trickles is cut after its time, where that is enough; its head has to come in time all the same")
  func slowBody() async throws {
    let server = try PythonServer()
    var request = WebRequest(.get, try Self.url(server, "/trickle"))
    (request.cutsBody, request.bodyTime) = (true, .milliseconds(500))
    let start = ContinuousClock.now
    let response = try await WebClient().send(request, within: .seconds(20))
    #expect(response.status == 200 && response.isCut && response.body == Array("first".utf8))
    #expect(ContinuousClock.now - start < .seconds(10))
    request.url = try Self.url(server, "/slow")
    let error = await #expect(throws: WebError.self) { try await WebClient().send(request, within: .seconds(1)) }
    #expect(error?.code == .timeout)
  }

  static let bad: [(String, WebError.Code)] = [
    ("/cut", .answerInvalid), ("/garbage", .answerInvalid), ("/closed", .answerInvalid), ("/slow", .timeout),
  ]

  @Test("An answer that is none, or comes too late, is told as what it is", arguments: bad)
  func answersThatAreNone(path: String, code: WebError.Code) async throws {
    let server = try PythonServer()
    let start = ContinuousClock.now
    let error = await #expect(throws: WebError.self) {
      try await WebClient().send(WebRequest(.get, Self.url(server, path)), within: .seconds(2))
    }
    #expect(error?.code == code, "\(error?.message ?? "")")
    #expect(ContinuousClock.now - start < .seconds(4))
  }

  @Test("Where nobody listens, and where there is no such name, that is told")
  func nobody() async throws {
    let port = try WebURL(parsing: "http://127.0.0.1:1/")
    #expect(
      (await #expect(throws: WebError.self) { try await WebClient().send(WebRequest(.get, port), within: .seconds(5)) })?
        .code == .unreachable)
    let name = try WebURL(parsing: "http://no-such-name.invalid/")
    #expect(
      (await #expect(throws: WebError.self) { try await WebClient().send(WebRequest(.get, name), within: .seconds(8)) })?
        .code == .nameUnknown)
  }

  @Test("A certificate counts when its root is trusted, it is for the host, and it has not ended")
  func certificates() async throws {
    let authority = try TestAuthority()
    defer { authority.remove() }
    let good = try PythonServer(certificate: try authority.certificate("DNS:localhost,IP:127.0.0.1", days: 5))
    let trusting = WebClient(roots: [try authority.root])
    let request = WebRequest(.get, try Self.url(good, "/plain", scheme: "https"))
    let response = try await trusting.send(request, within: .seconds(10))
    let certificate = try #require(response.certificate)
    #expect(Self.text(response) == "hello" && certificate.problem == nil && certificate.names == ["localhost"])
    let days = (certificate.validTo - Date().timeIntervalSince1970) / 86_400
    #expect((4.9...5.1).contains(days), "\(days)")
    let byName = WebRequest(.get, try Self.url(good, "/plain", scheme: "https", host: "localhost"))
    #expect(try await trusting.send(byName, within: .seconds(10)).status == 200)
    let unknown = await #expect(throws: WebError.self) { try await WebClient().send(request, within: .seconds(10)) }
    #expect(unknown?.code == .tls && unknown?.message.contains("not trusted") == true, "\(unknown?.message ?? "")")
    let seen = try await WebClient().send(request, trustsAll: true, within: .seconds(10))
    #expect(seen.status == 200 && seen.certificate?.problem != nil)
  }

  @Test("A certificate of another host is not trusted")
  func wrongHost() async throws {
    let authority = try TestAuthority()
    defer { authority.remove() }
    let server = try PythonServer(certificate: try authority.certificate("DNS:other.example", days: 5))
    let error = await #expect(throws: WebError.self) {
      try await WebClient(roots: [try authority.root]).send(
        WebRequest(.get, Self.url(server, "/plain", scheme: "https")), within: .seconds(10))
    }
    #expect(error?.code == .tls && error?.message.lowercased().contains("mismatch") == true, "\(error?.message ?? "")")
  }

  @Test("TLS with a server that speaks none is told as that")
  func noTLS() async throws {
    let server = try PythonServer()
    let error = await #expect(throws: WebError.self) {
      try await WebClient().send(WebRequest(.get, Self.url(server, "/plain", scheme: "https")), within: .seconds(10))
    }
    #expect(error?.code == .tls, "\(error?.message ?? "")")
  }
}

@Suite struct WebURLTests {
  static let good: [(String, String)] = [
    ("http://example.com", "http://example.com/"),
    ("HTTPS://Example.COM:443/a b".replacing(" ", with: "%20"), "https://example.com/a%20b"),
    ("http://e.com:8080/a/../b/./c?x=1#top", "http://e.com:8080/b/c?x=1"), ("http://[::1]:80/x", "http://[::1]/x"),
    ("https://e.com?q", "https://e.com/?q"), ("http://e.com/ü", "http://e.com/%C3%BC"),
    ("http://e.com/a/..", "http://e.com/"),
    ("http://e.com/../../x", "http://e.com/x"), ("http://e.com/%2e%2e/x", "http://e.com/%2e%2e/x"),
  ]

  @Test("An address is read, and written the shortest way", arguments: good)
  func read(text: String, written: String) throws { #expect(try WebURL(parsing: text).description == written) }

  static let bad: [String] = [
    "", "example.com", "ftp://e.com/", "http:/e.com", "http://", "http://u:p@e.com/", "http://e.com:0/",
    "http://e.com:99999/", "http://e.com:x/", "http://e com/", "http://e.com/\u{7}", "http://[::1/",
    "http://bücher.example/",
    "http://e.com/" + String(repeating: "x", count: 9_000), "http://[::1]x/",
  ]

  @Test("What is no address of a web server says so", arguments: bad)
  func refuse(text: String) {
    let error = #expect(throws: WebError.self) { try WebURL(parsing: text) }
    #expect(error?.code == .addressInvalid)
  }

  static let locations: [(String, String)] = [
    ("https://o.com/x", "https://o.com/x"), ("//o.com/x", "http://o.com/x"), ("/x?y", "http://e.com/x?y"),
    ("x", "http://e.com/a/x"), ("../x", "http://e.com/x"), ("?z", "http://e.com/a/b?z"), ("#f", "http://e.com/a/b?q"),
    ("", "http://e.com/a/b?q"), ("./", "http://e.com/a/"),
  ]

  @Test("A place is read from where it was said", arguments: locations)
  func resolve(location: String, meant: String) throws {
    #expect(try WebURL(parsing: "http://e.com/a/b?q").resolving(location).description == meant)
  }
}
