import CastProtocol
import Testing
import WebClient

@testable import Preflight

/// A server with files, that answers ranges and counts what it is asked for.
final class FileWeb: WebFetching {
  private let files: [String: (type: String, bytes: [UInt8])]
  private let hasRanges: Bool
  private let asked = CountingWeb([:])

  init(_ files: [String: (type: String, bytes: [UInt8])], hasRanges: Bool = true) {
    (self.files, self.hasRanges) = (files, hasRanges)
  }

  var requests: [String] { asked.requests }

  func send(_ request: WebRequest, trustsAll: Bool, within limit: Duration) async throws(WebError) -> WebResponse {
    _ = try? await asked.send(request, trustsAll: trustsAll, within: limit)
    guard request.method == .get else {
      return WebResponse(
        status: 204,
        headers: [.init("Access-Control-Allow-Origin", "*"), .init("Access-Control-Allow-Headers", "*")])
    }
    guard let file = files["\(request.url)"] else { return WebResponse(status: 404) }
    let head: [WebHeaders.Field] = [.init("Content-Type", file.type), .init("Access-Control-Allow-Origin", "*")]
    let ends = (request.headers["Range"] ?? "").dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
    guard hasRanges, ends.count == 2, ends[0] < file.bytes.count else {
      let body = Array(file.bytes.prefix(request.bodyLimit))
      return WebResponse(
        status: 200, headers: WebHeaders(head + [.init("Content-Length", "\(file.bytes.count)")]), body: body,
        isCut: body.count < file.bytes.count)
    }
    let range = ends[0]...min(ends[1], file.bytes.count - 1)
    let place = "bytes \(range.lowerBound)-\(range.upperBound)/\(file.bytes.count)"
    return WebResponse(
      status: 206, headers: WebHeaders(head + [.init("Content-Range", place)]), body: Array(file.bytes[range]))
  }
}

/// Boxes as ISO 14496-12 has them, written by a test.
enum Boxes {
  static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }
  static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    let content = parts.flatMap(\.self)
    return number(content.count + 8, 4) + Array(type.utf8) + content
  }
  static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  static func picture(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    box(type, zeros(6) + [0, 1] + zeros(70), parts.flatMap(\.self))
  }
  static func sound(_ type: String, version: Int = 0, _ parts: [UInt8]...) -> [UInt8] {
    let more = version == 1 ? 16 : version == 2 ? 36 : 0
    return box(type, zeros(6) + [0, 1] + number(version, 2) + zeros(18) + zeros(more), parts.flatMap(\.self))
  }
  static func track(_ entry: [UInt8], padding: Int = 0) -> [UInt8] {
    let table = box("stsd", zeros(4) + number(1, 4), entry)
    return box(
      "trak", box("tkhd", zeros(84)), box("mdia", box("minf", box("stbl", box("stts", zeros(padding)), table))))
  }
  static func movie(_ tracks: [UInt8]...) -> [UInt8] { box("moov", box("mvhd", zeros(100)), tracks.flatMap(\.self)) }

  static let start = box("ftyp", Array("isom".utf8) + zeros(4) + Array("avc1mp41".utf8))
  static func h264(_ profile: Int, _ level: Int) -> [UInt8] {
    picture("avc1", box("avcC", [1, UInt8(profile), 0, UInt8(level), 0xFF, 0xE1]))
  }
  /// ES_Descriptor, DecoderConfigDescriptor and DecoderSpecificInfo.
  static func descriptors(_ kind: UInt8, _ specific: [UInt8]) -> [UInt8] {
    let info = specific.isEmpty ? [] : [5, 0x80, 0x80, 0x80, UInt8(specific.count)] + specific
    let configuration = [kind, 0x15] + zeros(11) + info
    let inner = [4, UInt8(configuration.count)] + configuration
    return box("esds", zeros(4), [3, UInt8(inner.count + 3), 0, 1, 0] + inner)
  }
  static let aac = sound("mp4a", descriptors(0x40, [0x11, 0x90]))
}

@Suite struct MP4ReadingTests {
  private static let url = "https://e.com/film.mp4"

  static let entries: [(entry: [UInt8], codec: String)] = [
    (Boxes.h264(0x64, 0x28), "avc1.640028"), (Boxes.aac, "mp4a.40.2"),
    (Boxes.picture("hvc1", Boxes.box("hvcC", [1, 0x22, 0x20, 0, 0, 0] + Boxes.zeros(6) + [153])), "hvc1.2.4.H153"),
    (Boxes.picture("hev1", Boxes.box("hvcC", [1, 0x01, 0x60, 0, 0, 0] + Boxes.zeros(6) + [93])), "hev1.1.6.L93"),
    (Boxes.picture("av01", Boxes.box("av1C", [0x81, 0x04, 0x00, 0])), "av01.0.04M.08"),
    (Boxes.picture("av01", Boxes.box("av1C", [0x81, 0x0D, 0xC0, 0])), "av01.0.13H.10"),
    (Boxes.picture("vp09", Boxes.box("vpcC", [1, 0, 0, 0, 2, 41, 0xA0, 0])), "vp09.02.41.10"),
    (Boxes.picture("avc1", Boxes.box("colr", [1])), "avc1"),
    (Boxes.sound("mp4a", version: 1, Boxes.descriptors(0x40, [0x2B, 0x92])), "mp4a.40.5"),
    (Boxes.sound("mp4a", Boxes.descriptors(0x40, [0xF9, 0x48])), "mp4a.40.42"),
    (Boxes.sound("mp4a", Boxes.descriptors(0x6B, [])), "mp4a.6B"),
    (Boxes.sound("ac-3", Boxes.box("dac3", [0, 0, 0])), "ac-3"),
    (Boxes.sound("Opus", Boxes.box("dOps", Boxes.zeros(11))), "opus"),
    (
      Boxes.picture(
        "encv", Boxes.box("avcC", [1, 0x4D, 0x40, 0x1F]), Boxes.box("sinf", Boxes.box("frma", Array("avc1".utf8)))),
      "avc1.4D401F"
    ),
  ]

  @Test("A codec is what its entry says, as manifests write it", arguments: entries.indices)
  func entry(index: Int) {
    let (entry, codec) = Self.entries[index]
    #expect(MP4Reading.outcome(Boxes.start + Boxes.movie(Boxes.track(entry))) == .codecs([codec]))
  }

  @Test("Captions and time codes are no codecs to be judged")
  func others() {
    let movie = Boxes.movie(Boxes.track(Boxes.h264(0x64, 0x28)), Boxes.track(Boxes.box("tmcd", Boxes.zeros(20))))
    #expect(MP4Reading.outcome(movie) == .codecs(["avc1.640028"]))
  }

  private static func probe(_ web: FileWeb, model: CastModel? = nil) async -> ProbeReport {
    await Prober(web, ProbeRules(model: model, playsAt: 0)).probe(ProbeSubject(url, contentType: "video/mp4"))
  }

  static let films: [(name: String, bytes: [UInt8], requests: Int)] = {
    let (pictures, sound) = (Boxes.track(Boxes.h264(0x64, 0x33)), Boxes.track(Boxes.aac))
    let data = Boxes.box("mdat", Boxes.zeros(700_000))
    let long = Boxes.number(1, 4) + Array("mdat".utf8) + Boxes.number(700_016, 8) + Boxes.zeros(700_000)
    return [
      ("at the beginning", Boxes.start + Boxes.movie(pictures, sound) + data, 1),
      ("at the end", Boxes.start + data + Boxes.movie(pictures, sound), 2),
      ("at the end, behind a size of 64 bits", Boxes.start + long + Boxes.movie(pictures, sound), 2),
      ("behind several boxes", Boxes.start + data + data + Boxes.movie(pictures, sound), 3),
      (
        "longer than what is read at first",
        Boxes.start + Boxes.movie(Boxes.track(Boxes.h264(0x64, 0x33), padding: 500_000), sound) + data, 2
      ),
      (
        "at the end, and longer",
        Boxes.start + data + Boxes.movie(Boxes.track(Boxes.h264(0x64, 0x33), padding: 500_000), sound), 3
      ),
    ]
  }()

  @Test("A film is judged by its codecs, wherever it lists them", arguments: films.indices)
  func film(index: Int) async {
    let (name, bytes, requests) = Self.films[index]
    let web = FileWeb([Self.url: ("video/mp4", bytes)])
    let report = await Self.probe(web, model: .chromecast)
    #expect(report.codecs == ["avc1.640033", "mp4a.40.2"], "\(name)")
    #expect(report.findings.map { "\($0.severity) \($0.code)" } == ["warning codec"], "\(name)")
    #expect(report.json["codecs"] == ["avc1.640033", "mp4a.40.2"])
    #expect(web.requests.count == requests, "\(name)")
    #expect(await Self.probe(web, model: .googleTV).findings == [])
  }

  @Test("What lies too far, is too large, or cannot be asked for, is not known, and no fault")
  func bounded() async {
    let movie = Boxes.movie(Boxes.track(Boxes.h264(0x6E, 0x33)))
    let data = Boxes.box("mdat", Boxes.zeros(300_000))
    let many = FileWeb([Self.url: ("video/mp4", Boxes.start + (0..<20).flatMap { _ in data } + movie)])
    let report = await Self.probe(many)
    #expect(report.codecs == [] && report.findings == [] && many.requests.count <= 5)
    let plain = FileWeb([Self.url: ("video/mp4", Boxes.start + data + movie)], hasRanges: false)
    #expect(await Self.probe(plain).findings.map(\.code) == [.ranges])
    let claims = Boxes.number(0x7FFF_FFFF, 4) + Array("moov".utf8) + Boxes.zeros(3_000_000)
    let large = FileWeb([Self.url: ("video/mp4", Boxes.start + claims)])
    #expect(await Self.probe(large).codecs == [] && large.requests.count <= 5)
  }

  @Test("Any bytes are read or not, and never trap")
  func damaged() {
    var random = SystemRandomNumberGenerator()
    for (entry, _) in Self.entries {
      let whole = Boxes.start + Boxes.movie(Boxes.track(entry), Boxes.track(Boxes.aac))
      for _ in 0..<500 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] =
            [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        }
        _ = MP4Reading.outcome(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))), at: .max / 8)
      }
    }
  }

  @Test("A manifest is read to its end, however long its first part is, and it is told where that is too far")
  func manifests() async {
    let address = "https://e.com/live/a.mpd"
    func manifest(_ padding: Int) -> [UInt8] {
      Array(
        """
        <?xml version="1.0"?><MPD type="static"><!-- \(String(repeating: "x", count: padding)) --><BaseURL>v/</BaseURL><Period>
        <AdaptationSet codecs="avc1.640028"><SegmentTemplate media="$Time$.m4s"><SegmentTimeline><S t="77" d="1"/></SegmentTimeline>
        </SegmentTemplate><Representation><BaseURL>hd/</BaseURL></Representation></AdaptationSet></Period></MPD>
        """.utf8)
    }
    for (padding, codes) in [(10, []), (900_000, []), (2_200_000, [ProbeFinding.Code.manifest])] {
      let web = FileWeb([
        address: ("application/dash+xml", manifest(padding)), "https://e.com/live/v/hd/77.m4s": ("video/mp4", [1]),
      ])
      let report = await Prober(web, ProbeRules(playsAt: 0)).probe(ProbeSubject(address))
      #expect(report.findings.map(\.code) == codes, "\(padding): \(report.findings)")
      #expect(report.findings.allSatisfy { $0.severity == .warning && $0.text.contains("longer than 2 MiB") })
      #expect(report.codecs == (codes.isEmpty ? ["avc1.640028"] : []))
    }
  }
}
