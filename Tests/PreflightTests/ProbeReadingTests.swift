import Testing
import WebClient

@testable import Preflight

@Suite struct ProbeReadingTests {
  static let kinds: [(bytes: [UInt8], type: String?)] = [
    ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"), (Array("GIF87a".utf8), "image/gif"),
    (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), "image/webp"), (Array("RIFF\0\0\0\0WAVEfmt ".utf8), "audio/wav"),
    ([0x1A, 0x45, 0xDF, 0xA3], "video/webm"), (Array("OggS".utf8), "audio/ogg"), (Array("ID3".utf8), "audio/mpeg"),
    (Array("\u{FEFF}WEBVTT".utf8), "text/vtt"), (Array("<?xml version='1.0'?><MPD>".utf8), "application/dash+xml"),
    (Array("<tt xmlns='x'>".utf8), "application/ttml+xml"), (Array("  <HTML>".utf8), "text/html"),
    (Array("#EXTM3U".utf8), "application/x-mpegurl"), ([], nil), ([0x47, 0, 0], nil), (Array("hello".utf8), nil),
  ]

  @Test("What something is is told by how it begins", arguments: kinds)
  func sniffing(bytes: [UInt8], type: String?) { #expect(ContentSniffing.type(of: bytes) == type) }

  static let pictures: [(bytes: [UInt8], size: [Int]?)] = [
    (Array("GIF89a".utf8) + [0x40, 0x01, 0xF0, 0x00], [320, 240]),
    ([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0, 0, 11, 8, 0x02, 0xD0, 0x05, 0x00], [1_280, 720]),
    ([0xFF, 0xD8, 0xFF, 0xC4, 0, 3, 1, 0xFF, 0xC2, 0, 11, 8, 0, 9, 0, 7], [7, 9]),
    ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0], nil), ([0xFF, 0xD8, 0xFF], nil),
    (Array("RIFF\0\0\0\0WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 0xFF, 4, 0, 0xCF, 2, 0], [1_280, 720]),
    (Array("RIFF\0\0\0\0WEBPVP8L".utf8) + [1, 0, 0, 0, 0x2F, 0xFF, 0xC4, 0xB3, 0], [1_280, 720]),
    (Array("hello".utf8), nil),
  ]

  @Test("The size of a picture is read from its first bytes", arguments: pictures)
  func sizes(bytes: [UInt8], size: [Int]?) {
    #expect(ContentSniffing.imageSize(of: bytes).map { [$0.width, $0.height] } == size)
  }

  @Test("Any bytes are read or not, and never trap")
  func damaged() {
    var random = SystemRandomNumberGenerator()
    for (bytes, _) in Self.pictures {
      for _ in 0..<2_000 {
        var changed = bytes
        if let index = changed.indices.randomElement(using: &random) {
          changed[index] = .random(in: 0...255, using: &random)
        }
        _ = ContentSniffing.imageSize(of: Array(changed.prefix(Int.random(in: 0...changed.count, using: &random))))
      }
    }
  }

  @Test("A DASH manifest leads to its first segment, by template, list or base")
  func dash() {
    func segment(_ inner: String, base: String = "") -> String? {
      let text = """
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011">\(base)<Period><AdaptationSet codecs="avc1.640028, mp4a.40.2">
        \(inner)</AdaptationSet></Period></MPD>
        """
      return StreamManifest(dash: Array(text.utf8))?.segment
    }
    let template = "<SegmentTemplate media=\"$RepresentationID$/$Number%05d$-$$.m4s\" startNumber=\"7\"/>"
    #expect(segment("\(template)<Representation id=\"v1\"/>") == "v1/00007-$.m4s")
    #expect(
      segment("<SegmentTemplate initialization=\"i-$Bandwidth$.mp4\"/><Representation bandwidth=\"9\"/>") == "i-9.mp4")
    #expect(
      segment("<Representation><SegmentList><SegmentURL media=\"s.m4s\"/></SegmentList></Representation>") == "s.m4s")
    #expect(
      segment("<Representation><BaseURL>f.mp4</BaseURL></Representation>", base: "<BaseURL>x/</BaseURL>") == "f.mp4")
    #expect(segment("<Representation/>") == nil)
    #expect(StreamManifest(dash: Array("<html/>".utf8)) == nil && StreamManifest(hls: "#EXT") == nil)
    let codecs = StreamManifest(dash: Array("<MPD><AdaptationSet codecs='a, b,a'/></MPD>".utf8))?.codecs
    #expect(codecs == ["a", "b"])
  }

  private static func manifest(_ inner: String, type: String = "static", base: String = "") -> StreamManifest? {
    StreamManifest(
      dash: Array(
        "<MPD type='\(type)'>\(base)<Period>\(inner)</Period></MPD>".utf8))
  }

  static let timelines: [(type: String, entries: String, segment: String)] = [
    ("static", "<S t='900' d='10' r='5'/><S d='7'/>", "v-900.m4s"), ("static", "<S d='10'/>", "v-0.m4s"),
    ("static", "", "v-0.m4s"), ("dynamic", "<S t='900' d='10' r='5'/>", "v-950.m4s"),
    ("dynamic", "<S t='900' d='10' r='5'/><S d='7'/>", "v-960.m4s"),
    ("dynamic", "<S t='900' d='10' r='-1'/>", "v-900.m4s"),
    ("dynamic", "<S t='1' d='9223372036854775807' r='9223372036854775807'/>", "v-1.m4s"),
    ("static", "<S t='x'/>", "v-0.m4s"),
    ("static", "<S t='-9223372036854775808' d='1'/>", "v-0.m4s"),
    ("dynamic", "<S t='5' d='-9223372036854775808' r='1'/>", "v-5.m4s"),
    ("dynamic", "<S t='5' d='-4503599627370496' r='2048'/>", "v-0.m4s"),
    ("dynamic", String(repeating: "<S d='4503599627370496' r='1'/>", count: 2_200), "v-4503599627370496.m4s"),
    ("dynamic", String(repeating: "<S d='-4503599627370496' r='1'/>", count: 2_200), "v--4503599627370496.m4s"),
    ("dynamic", "<S t='9007199254740991' d='1'/>", "v-9007199254740991.m4s"),
  ]

  @Test("A segment of a timeline is one that is there, the newest of a live stream", arguments: timelines)
  func timeline(type: String, entries: String, segment: String) {
    let inner = """
      <AdaptationSet><SegmentTemplate media="v-$Time$.m4s"><SegmentTimeline>\(entries)</SegmentTimeline></SegmentTemplate>
      <Representation/></AdaptationSet>
      """
    #expect(Self.manifest(inner, type: type)?.segment == segment)
  }

  /// Templates, what is put into them, and whether something becomes of that.
  static let fillings: [(template: String, id: String, bandwidth: String, number: String, isFilled: Bool)] = {
    func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    return [
      ("$RepresentationID$", "v", "9", "1", true), ("$RepresentationID$", many("v", 2_000), "9", "1", true),
      ("$RepresentationID$", many("v", 3_000), "9", "1", false), ("$Bandwidth$", "v", many("9", 3_000), "1", false),
      ("$Number$", "v", "9", many("1", 3_000), false), (many("x", 3_000), "v", "9", "1", false),
      (many("$RepresentationID$", 100), many("v", 2_000), "9", "1", false),
      (many("$RepresentationID$", 100), many("$Bandwidth$", 180), many("9", 2_000), "1", false),
      (many("$Number$", 8), "v", "9", many("1", 2_000), false),
      (many("$RepresentationID$", 100), many("v", 80), "9", "1", true),
    ]
  }()

  @Test("A template that would become longer than an address leads nowhere", arguments: fillings.indices)
  func filling(index: Int) throws {
    let (template, id, bandwidth, number, isFilled) = Self.fillings[index]
    let inner = """
      <AdaptationSet><SegmentTemplate initialization="\(template)" startNumber="\(number)"/>
      <Representation id="\(id)" bandwidth="\(bandwidth)"/></AdaptationSet>
      """
    let segment = try #require(Self.manifest(inner)).segment
    #expect((segment != nil) == isFilled && (segment ?? "").utf8.count <= StreamManifest.mostAddress)
  }

  @Test("Bases are each relative to the one before, templates are taken from where they stand")
  func bases() throws {
    let inner = """
      <BaseURL>/media/</BaseURL><SegmentTemplate startNumber="3" media="$Number$.m4s"/>
      <AdaptationSet><BaseURL>video/</BaseURL><SegmentTemplate media="s$Number%03d$.m4s"/>
      <Representation><BaseURL>../hd/</BaseURL></Representation></AdaptationSet>
      """
    let manifest = try #require(Self.manifest(inner, base: "<BaseURL>https://cdn.example/a/b/</BaseURL>"))
    #expect(manifest.bases == ["https://cdn.example/a/b/", "/media/", "video/", "../hd/"])
    #expect(manifest.segment == "s003.m4s")
  }

  static let policies: [(fields: [(String, String)], isFramed: Bool)] = [
    ([], true), ([("X-Frame-Options", "DENY")], false), ([("X-Frame-Options", "sameorigin")], false),
    ([("X-Frame-Options", "ALLOW-FROM https://e.com")], true), ([("X-Frame-Options", "DENY, SAMEORIGIN")], false),
    ([("X-Frame-Options", "DENY"), ("Content-Security-Policy", "frame-ancestors *")], true),
    ([("X-Frame-Options", "DENY"), ("Content-Security-Policy", "default-src 'self'")], false),
    ([("Content-Security-Policy", "default-src 'self'; Frame-Ancestors 'none'")], false),
    ([("Content-Security-Policy", "frame-ancestors 'self'")], false),
    ([("Content-Security-Policy", "frame-ancestors")], false),
    ([("Content-Security-Policy", "frame-ancestors 'self' https:")], true),
    ([("Content-Security-Policy", "frame-ancestors https://*.gstatic.com:443/x")], true),
    ([("Content-Security-Policy", "frame-ancestors www.gstatic.com")], true),
    ([("Content-Security-Policy", "frame-ancestors *.evilgstatic.com gstatic.com ftp: httpx: http")], false),
    ([("Content-Security-Policy", "frame-ancestors http:")], true),
    ([("Content-Security-Policy", "frame-ancestors ws:")], true),
    ([("Content-Security-Policy", "frame-ancestors http://www.gstatic.com")], true),
    ([("Content-Security-Policy", "frame-ancestors ftp://www.gstatic.com")], false),
    ([("Content-Security-Policy", "frame-ancestors *"), ("Content-Security-Policy", "frame-ancestors 'none'")], false),
    ([("Content-Security-Policy", "frame-ancestors *; frame-ancestors 'none'")], true),
    ([("Content-Security-Policy-Report-Only", "frame-ancestors 'none'")], true),
  ]

  @Test("A page is framed as browsers decide it: the newer header wins", arguments: policies.indices)
  func framing(index: Int) {
    let (fields, isFramed) = Self.policies[index]
    let headers = WebHeaders(fields.map { .init($0.0, $0.1) })
    #expect((FramePolicy.obstacle(in: headers, origin: ProbeRules.origin) == nil) == isFramed, "\(fields)")
  }

  @Test(
    "Pictures in the boxes of films are pictures",
    arguments: [("avif", "image/avif"), ("heic", "image/heic"), ("isom", "video/mp4")])
  func boxes(brand: String, type: String) {
    #expect(ContentSniffing.type(of: [0, 0, 0, 24] + Array("ftyp\(brand)".utf8)) == type)
  }

  static let codecs: [(codec: String, plays: [CastModel])] = [
    ("avc1.640028", CastModel.allCases), ("avc1.64002A", [.ultra, .googleTV]),
    ("avc1.640033", [.googleTV]), ("avc1.6E0028", []), ("hvc1.1.6.L93.B0", [.ultra, .googleTV]),
    ("hvc1.2.4.H153", [.ultra, .googleTV]), ("hvc1.2.4.H156", []), ("hvc1.4.10.L93", []), ("vp09.01.10.08", []),
    ("vp09.02.41.10", [.ultra, .googleTV]), ("vp09.00.52.08", []),
    ("av01.0.04M.08", []), ("vp09.00.10.08", [.ultra, .googleTV, .nestHub]), ("mp4a.40.2", CastModel.allCases),
    ("dtsc", []), ("avc1", CastModel.allCases), ("", CastModel.allCases),
  ]

  @Test("A codec plays on the models that have it", arguments: codecs)
  func models(codec: String, plays: [CastModel]) {
    #expect(CastModel.allCases.filter { $0.complaint(about: codec) == nil } == plays)
  }

  @Test("A device's model name says its kind")
  func modelNames() {
    let names = [
      "Chromecast", "Chromecast Ultra", "Chromecast with Google TV", "Google TV Streamer", "Nest Hub Max", "TV",
    ]
    #expect(names.map { CastModel(modelName: $0) } == [.chromecast, .ultra, .googleTV, .googleTV, .nestHub, nil])
  }
}
