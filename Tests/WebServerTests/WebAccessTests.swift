import Testing
import WebServer

/// Who may ask for what (docs/security.md 4d).
@Suite struct WebAccessTests {
  private static let token = String(repeating: "a1", count: 32)
  private static let host = "127.0.0.1:8020"

  private static func access(readersNeedToken: Bool = false) -> WebAccess {
    WebAccess(token: token, hosts: [host, "localhost:8020"], readersNeedToken: readersNeedToken)
  }

  private static func request(
    _ method: ServedRequest.Method = .post, host: String? = host, headers: [String: String] = [:],
    peer: String = "10.0.0.2"
  ) -> ServedRequest {
    ServedRequest(method, "/api/screens", host: host, headers: headers, peer: peer)
  }

  private static let good = ["authorization": "Bearer \(token)"]

  @Test("What changes anything needs the token; what only reads does not on this computer")
  func tokens() {
    var local = Self.access()
    #expect(local.refusal(of: Self.request(), isOpen: false, at: .zero) == .noToken)
    #expect(local.refusal(of: Self.request(headers: Self.good), isOpen: false, at: .zero) == nil)
    #expect(local.refusal(of: Self.request(.get), isOpen: false, at: .zero) == nil)
    var reachable = Self.access(readersNeedToken: true)
    #expect(reachable.refusal(of: Self.request(.get), isOpen: false, at: .zero) == .noToken)
    #expect(reachable.refusal(of: Self.request(.get), isOpen: true, at: .zero) == nil)
    #expect(reachable.refusal(of: Self.request(.post), isOpen: true, at: .zero) == .noToken, "nothing open is changed")
    #expect(reachable.refusal(of: Self.request(.get, headers: Self.good), isOpen: false, at: .zero) == nil)
  }

  static let wrong: [String] = [
    "", "Bearer", "Bearer ", token, "bearer \(token)", "Bearer \(token)a", "Bearer \(token.dropLast())",
    "Bearer \(token.dropLast())0", "Basic \(token)", "Bearer  \(token)",
  ]

  @Test("A token that is not the token is wrong, also where it is nearly", arguments: wrong)
  func wrongTokens(header: String) {
    var access = Self.access()
    #expect(
      access.refusal(of: Self.request(headers: ["authorization": header]), isOpen: false, at: .zero) == .wrongToken)
  }

  @Test("Who guesses is stopped after ten wrong tokens a minute, and nobody else is")
  func guessing() {
    var access = Self.access()
    var told: [WebAccess.Refusal?: Int] = [:]
    for number in 0..<10_000 {
      let guess = Self.request(headers: ["authorization": "Bearer \(number)"])
      told[access.refusal(of: guess, isOpen: false, at: .milliseconds(number)), default: 0] += 1
    }
    #expect(told == [.wrongToken: 10, .tooManyFailures: 9_990])
    #expect(access.refusal(of: Self.request(headers: Self.good), isOpen: false, at: .seconds(20)) == .tooManyFailures)
    #expect(
      access.refusal(of: Self.request(.get), isOpen: false, at: .seconds(20)) == nil,
      "metrics of the same computer are read on")
    #expect(
      access.refusal(of: Self.request(headers: Self.good, peer: "10.0.0.3"), isOpen: false, at: .seconds(20)) == nil)
    #expect(access.refusal(of: Self.request(headers: Self.good), isOpen: false, at: .seconds(61)) == nil)
  }

  @Test("Guesses from ever new addresses are forgotten, not collected")
  func manyPeers() {
    var access = Self.access()
    for number in 0..<5_000 {
      let guess = Self.request(headers: ["authorization": "Bearer x"], peer: "peer \(number)")
      #expect(access.refusal(of: guess, isOpen: false, at: .seconds(number)) == .wrongToken)
    }
  }

  static let hosts: [String?] = [
    nil, "", "127.0.0.1", "127.0.0.1:80", "evil.example", "evil.example:8020", "127.0.0.1:8020.evil.example",
    "localhost", "[::1]:8020", "127.0.0.1:8020 ",
  ]

  @Test("A name that is not ours gets nothing, not even the page", arguments: hosts)
  func rebinding(host: String?) {
    var access = Self.access()
    #expect(
      access.refusal(of: Self.request(.get, host: host, headers: Self.good), isOpen: true, at: .zero) == .wrongHost)
  }

  static let origins: [String] = [
    "null", "http://evil.example", "https://127.0.0.1:8020", "http://127.0.0.1", "http://127.0.0.1:8021", "file://", "",
    "http://127.0.0.1:8020.evil.example", "http://localhost:8020/",
  ]

  @Test("A page of another site may not ask, whatever it knows", arguments: origins)
  func crossSite(origin: String) {
    var access = Self.access()
    var headers = Self.good
    headers["origin"] = origin
    #expect(access.refusal(of: Self.request(headers: headers), isOpen: false, at: .zero) == .wrongOrigin)
    headers["origin"] = "http://localhost:8020"
    #expect(access.refusal(of: Self.request(headers: headers), isOpen: false, at: .zero) == nil)
  }

  private static func proxied() -> WebAccess {
    WebAccess(
      token: token, hosts: [host, "localhost:8020"], proxyHosts: ["screens.example.com"], readersNeedToken: false)
  }

  @Test("Under the name of a proxy with TLS the page is answered, to who has the token, also for reading")
  func proxy() {
    var access = Self.proxied()
    let name = "screens.example.com"
    #expect(access.refusal(of: Self.request(.get, host: name), isOpen: true, at: .zero) == nil)
    #expect(access.refusal(of: Self.request(.get, host: name), isOpen: false, at: .zero) == .noToken)
    // Some proxies ask by the address that they know.
    #expect(access.refusal(of: Self.request(.get), isOpen: false, at: .zero) == .noToken)
    var headers = Self.good
    headers["origin"] = "https://\(name)"
    #expect(access.refusal(of: Self.request(host: name, headers: headers), isOpen: false, at: .zero) == nil)
    headers["origin"] = "https://127.0.0.1:8020"
    #expect(access.refusal(of: Self.request(host: name, headers: headers), isOpen: false, at: .zero) == .wrongOrigin)
    #expect(access.refusal(of: Self.request(.get, host: "\(name).evil.example"), isOpen: true, at: .zero) == .wrongHost)
    var plain = Self.access()
    #expect(
      plain.refusal(of: Self.request(.get, host: name, headers: Self.good), isOpen: true, at: .zero) == .wrongHost)
  }

  @Test("What a proxy hands on needs the token, although the proxy is on this computer")
  func handedOn() {
    for header in ["forwarded", "x-forwarded-for", "x-real-ip"] {
      var access = Self.access()
      let request = Self.request(.get, headers: [header: "10.0.0.9"])
      #expect(access.refusal(of: request, isOpen: false, at: .zero) == .noToken, "\(header)")
    }
  }

  @Test("Who guesses through a proxy locks out nobody else who comes through it")
  func guessingByProxy() {
    var access = Self.proxied()
    func request(_ token: String, from address: String) -> ServedRequest {
      let headers = ["authorization": "Bearer \(token)", "x-forwarded-for": "1.2.3.\(token.count), \(address)"]
      return Self.request(host: "screens.example.com", headers: headers, peer: "127.0.0.1")
    }
    for number in 0..<20 {
      let told = access.refusal(
        of: request(String(repeating: "x", count: number), from: "203.0.113.5"), isOpen: false, at: .zero)
      #expect(told == (number < 10 ? .wrongToken : .tooManyFailures))
    }
    #expect(access.refusal(of: request(Self.token, from: "203.0.113.6"), isOpen: false, at: .zero) == nil)
    #expect(access.refusal(of: request(Self.token, from: "203.0.113.5"), isOpen: false, at: .zero) == .tooManyFailures)
  }

  @Test("A refusal says what to do, in JSON")
  func answers() {
    #expect(WebAccess.Refusal.noToken.answer.status == 401)
    #expect(WebAccess.Refusal.noToken.answer.header("WWW-Authenticate") == "Bearer")
    #expect(WebAccess.Refusal.tooManyFailures.answer.status == 429)
    #expect(
      WebAccess.Refusal.wrongHost.answer.status == 403 && WebAccess.Refusal.wrongOrigin.answer.status == 403)
  }
}
