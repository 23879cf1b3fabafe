import Testing
import WebClient

@testable import Preflight

/// A server as a table of answers, for what no server here can be: trusted, and anywhere.
struct ScriptedWeb: WebFetching {
  var answers: [String: WebResponse] = [:]
  var options: WebResponse?

  func send(_ request: WebRequest, trustsAll: Bool, within limit: Duration) async throws(WebError) -> WebResponse {
    if request.method == .options, let options { return options }
    guard let answer = answers["\(request.url)"] else {
      throw WebError(.unreachable, "\(request.url.origin) cannot be reached")
    }
    return answer
  }
}

@Suite struct ProberTests {
  private static let now = 1_795_521_600.0
  private static let film: [UInt8] = [0, 0, 0, 24] + Array("ftypmp42".utf8)
  private static let open: WebHeaders.Field = .init("Access-Control-Allow-Origin", "*")

  private static func answer(
    _ type: String, _ body: [UInt8], _ more: [WebHeaders.Field] = [], certificate: WebCertificate? = nil
  ) -> WebResponse {
    answer(206, type, body, more, certificate: certificate)
  }

  private static func answer(
    _ status: Int, _ type: String?, _ body: [UInt8], _ more: [WebHeaders.Field] = [],
    certificate: WebCertificate? = nil
  ) -> WebResponse {
    WebResponse(
      status: status, headers: WebHeaders((type.map { [.init("Content-Type", $0)] } ?? []) + more), body: body,
      address: "192.0.2.1", certificate: certificate)
  }

  /// What lets pages ask for everything.
  private static let allowed = WebResponse(
    status: 204, headers: [open, .init("Access-Control-Allow-Headers", "Range, Accept-Encoding,content-type")])

  private static func codes(
    _ subject: ProbeSubject, _ answers: [String: WebResponse], model: CastModel? = nil, options: WebResponse = allowed
  ) async -> [String] {
    let web = ScriptedWeb(answers: answers, options: options)
    let report = await Prober(web, ProbeRules(model: model, playsAt: now)).probe(subject)
    return report.findings.map { "\($0.severity.rawValue) \($0.code.rawValue)" }
  }

  static let origins: [(origin: String?, codes: [String])] = [
    ("*", []), (" * ", []), ("https://www.gstatic.com", []), (nil, ["error cors"]), ("null", ["error cors"]),
    ("https://www.gstatic.com/", ["error cors"]), ("HTTPS://WWW.GSTATIC.COM", ["error cors"]),
    ("*, *", ["error cors"]), ("https://www.gstatic.com https://e.com", ["error cors"]), ("", ["error cors"]),
  ]

  @Test("Pages may read what names them, to the letter, or everybody, once", arguments: origins)
  func origin(origin: String?, codes: [String]) async {
    let fields = origin.map { [WebHeaders.Field("Access-Control-Allow-Origin", $0)] } ?? []
    let answer = Self.answer(200, "text/vtt", Array("WEBVTT\n".utf8), fields)
    #expect(await Self.codes(ProbeSubject(Self.url, .track), [Self.url: answer]) == codes)
  }

  @Test("Each answer on the way has to let pages read it, and behind another server none is called by its name")
  func redirectedCORS() async {
    func to(_ place: String, _ more: [WebHeaders.Field] = []) -> WebResponse {
      Self.answer(302, nil, [], [.init("Location", place)] + more)
    }
    let track = Self.answer(200, "text/vtt", Array("WEBVTT\n".utf8), [Self.open])
    let named = Self.answer(
      200, "text/vtt", Array("WEBVTT\n".utf8), [.init("Access-Control-Allow-Origin", "https://www.gstatic.com")])
    let subject = ProbeSubject(Self.url, .track)
    let (near, far) = ("https://cdn.example.com/b", "https://other.example/b")
    #expect(await Self.codes(subject, [Self.url: to(near), near: track]) == ["error cors"])
    #expect(await Self.codes(subject, [Self.url: to(near, [Self.open]), near: named]) == [])
    #expect(await Self.codes(subject, [Self.url: to(far, [Self.open]), far: track]) == [])
    #expect(await Self.codes(subject, [Self.url: to(far, [Self.open]), far: named]) == ["error cors"])
  }

  static let questions: [(status: Int, origin: String?, headers: String?, codes: [String])] = [
    (204, "*", "Range, Accept-Encoding, Content-Type", []), (200, "https://www.gstatic.com", "*", []),
    (204, "*", "range", ["note cors"]), (204, "*", "Content-Type", ["warning cors"]),
    (204, nil, "*", ["warning cors"]), (204, "https://e.com", "*", ["warning cors"]), (405, "*", "*", ["warning cors"]),
    (204, "*", nil, ["warning cors"]), (204, "*", "X-Range, Orange", ["warning cors"]),
  ]

  @Test("Of a text track, too, a page asks before it sends what receivers send", arguments: questions.indices)
  func question(index: Int) async {
    let (status, origin, headers, codes) = Self.questions[index]
    let fields = [("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Headers", headers)]
      .compactMap { name, value in value.map { WebHeaders.Field(name, $0) } }
    let track = Self.answer(200, "text/vtt", Array("WEBVTT\n".utf8), [Self.open])
    let found = await Self.codes(
      ProbeSubject(Self.url, .track), [Self.url: track],
      options: WebResponse(status: status, headers: WebHeaders(fields)))
    #expect(found == codes)
  }

  private static let url = "https://cdn.example.com/a"

  static let answers: [(name: String, subject: ProbeSubject, answer: WebResponse, codes: [String])] = [
    ("a film", ProbeSubject(url, contentType: "video/mp4"), answer("video/mp4", film), []),
    ("a film that is not there", ProbeSubject(url), answer(404, "text/html", []), ["error status"]),
    ("a film without ranges", ProbeSubject(url), answer(200, "video/mp4", film), ["warning ranges"]),
    ("a film by another name", ProbeSubject(url), answer("image/png", film), ["warning mime"]),
    (
      "a film that the document takes for a still", ProbeSubject(url, contentType: "image/png"),
      answer("video/mp4", film),
      ["error mime"]
    ),
    ("a login page", ProbeSubject(url), answer(200, "text/html", Array("<!DOCTYPE html><html>".utf8)), ["error mime"]),
    (
      "a page that is not framed", ProbeSubject(url, contentType: "text/html"),
      answer(200, "text/html", Array("<html>".utf8), [.init("X-Frame-Options", "DENY")]), ["error framing"]
    ),
    ("a track", ProbeSubject(url, .track), answer(200, "text/vtt", Array("WEBVTT\n".utf8), [open]), []),
    (
      "a track that pages may not read", ProbeSubject(url, .track), answer(200, "text/vtt", Array("WEBVTT".utf8)),
      ["error cors"]
    ),
    (
      "a track for another page", ProbeSubject(url, .track),
      answer(200, "text/vtt", Array("WEBVTT".utf8), [.init("Access-Control-Allow-Origin", "https://e.com")]),
      ["error cors"]
    ),
    (
      "a track of another type", ProbeSubject(url, .track), answer(200, "text/plain", Array("WEBVTT".utf8), [open]),
      ["error mime"]
    ),
    (
      "a still that is too large", ProbeSubject(url),
      answer(
        200, "image/png",
        [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 7, 128, 0, 0, 4, 56]),
      ["warning image_size"]
    ),
    (
      "a still of many bytes", ProbeSubject(url),
      answer(206, "image/gif", Array("GIF89a".utf8) + [10, 0, 10, 0], [.init("Content-Range", "bytes 0-9/20000000")]),
      ["warning file_size"]
    ),
    (
      "a certificate that is not trusted", ProbeSubject(url),
      answer("video/mp4", film, certificate: .init(validFrom: 0, validTo: now * 2, names: [], problem: "self-signed")),
      ["error certificate"]
    ),
    (
      "a certificate that has ended by then", ProbeSubject(url),
      answer("video/mp4", film, certificate: .init(validFrom: 0, validTo: now - 1, names: [])),
      ["error certificate_ends"]
    ),
    (
      "a certificate that ends soon", ProbeSubject(url),
      answer("video/mp4", film, certificate: .init(validFrom: 0, validTo: now + 86_400 * 3, names: [])),
      ["warning certificate_ends"]
    ),
  ]

  @Test("Each thing that a receiver stumbles over is told, and nothing else", arguments: answers.indices)
  func single(index: Int) async {
    let (name, subject, answer, codes) = Self.answers[index]
    #expect(await Self.codes(subject, [Self.url: answer]) == codes, "\(name)")
  }

  static let hosts: [(url: String, codes: [String])] = [
    ("http://nas.local/a", ["error name_local"]), ("http://nas/a", ["error name_local"]),
    ("http://media.lan/a", ["error name_local"]), ("http://localhost/a", ["error name_local"]),
    ("http://127.0.0.1/a", ["error name_local"]), ("http://[::1]/a", ["error name_local"]),
    ("http://192.168.1.7/a", []),
    ("http://cdn.example.com/a", []),
  ]

  @Test("Names that only this network knows are told, addresses of it are fine", arguments: hosts)
  func names(url: String, codes: [String]) async {
    #expect(await Self.codes(ProbeSubject(url), [url: Self.answer("video/mp4", Self.film)]) == codes)
  }

  @Test("Redirects are followed; one that leaves TLS is refused by pages, and one without end is told")
  func redirects() async {
    func to(_ place: String) -> WebResponse { Self.answer(302, nil, [], [.init("Location", place)]) }
    let film = Self.answer("video/mp4", Self.film)
    #expect(await Self.codes(ProbeSubject(Self.url), [Self.url: to("/b"), "https://cdn.example.com/b": film]) == [])
    #expect(
      await Self.codes(ProbeSubject(Self.url), [Self.url: to("http://e.com/b"), "http://e.com/b": film])
        == ["error redirect"])
    #expect(await Self.codes(ProbeSubject(Self.url), [Self.url: to("/a")]) == ["error unreachable"])
    #expect(await Self.codes(ProbeSubject("ftp://e.com/a"), [:]) == ["error address_invalid"])
    #expect(await Self.codes(ProbeSubject(Self.url), [:]) == ["error unreachable"])
  }

  private static let master = """
    #EXTM3U
    #EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="hvc1.1.6.L93.B0,mp4a.40.2"
    low/index.m3u8
    """
  private static let list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nseg1.ts\n"

  private static func stream(_ segment: WebResponse) -> [String: WebResponse] {
    let type = "application/vnd.apple.mpegurl"
    return [
      "https://e.com/a.m3u8": answer(200, type, Array(master.utf8), [open]),
      "https://e.com/low/index.m3u8": answer(200, type, Array(list.utf8), [open]),
      "https://e.com/low/seg1.ts": segment,
    ]
  }

  @Test("An adaptive stream is followed to its first segment, which pages have to be let read, too")
  func hls() async {
    let subject = ProbeSubject("https://e.com/a.m3u8")
    let fine = Self.stream(Self.answer(206, "video/mp2t", [], [Self.open]))
    #expect(await Self.codes(subject, fine, model: .ultra) == [])
    #expect(await Self.codes(subject, fine, model: .chromecast) == ["warning codec"])
    #expect(await Self.codes(subject, fine) == ["note codec"])
    #expect(
      await Self.codes(subject, fine, model: .ultra, options: WebResponse(status: 405)) == ["warning cors"])
    #expect(
      await Self.codes(subject, Self.stream(Self.answer(206, "video/mp2t", [])), model: .ultra)
        == ["error cors"])
    #expect(
      await Self.codes(subject, Self.stream(Self.answer(404, nil, [])), model: .ultra) == [
        "error status"
      ])
    let empty = [
      "https://e.com/a.m3u8": Self.answer(200, "application/x-mpegurl", Array("#EXTM3U\n".utf8), [Self.open])
    ]
    #expect(await Self.codes(subject, empty) == ["warning manifest"])
    let none = ["https://e.com/a.m3u8": Self.answer(200, "application/x-mpegurl", Array("hello".utf8), [Self.open])]
    #expect(await Self.codes(subject, none) == ["error manifest"])
  }

  @Test("Reports come in the order of the addresses, and know type and size")
  func several() async throws {
    var answers: [String: WebResponse] = [:]
    for number in 0..<20 {
      answers["https://e.com/\(number)"] = Self.answer(
        "video/mp4", Self.film, [.init("Content-Range", "bytes 0-11/\(number + 100)")])
    }
    let reports = await Prober(ScriptedWeb(answers: answers), ProbeRules(playsAt: Self.now)).probe(
      (0..<20).map { ProbeSubject("https://e.com/\($0)") })
    #expect(
      reports.map(\.size) == (0..<20).map { $0 + 100 }
        && reports.allSatisfy { $0.type == "video/mp4" && $0.severity == nil })
  }
}
