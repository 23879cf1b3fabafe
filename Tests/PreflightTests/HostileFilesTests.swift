import CastProtocol
import Testing

@testable import Preflight

/// Films and manifests that are made to be slow to read: what that costs is counted.
@Suite struct HostileFilesTests {
  /// A box that says of itself that it ends elsewhere.
  private static func header(_ type: String, _ size: Int) -> [UInt8] { Boxes.number(size, 4) + Array(type.utf8) }

  /// Every header is looked at once, and for what is inside of each box at most one more time in vain.
  private static func most(_ bytes: [UInt8]) -> Int { min(MP4Reading.mostBoxes, bytes.count / 4 + 2) }

  @Test("Boxes that reach beyond the one that they are in are looked at once each")
  func overlapping() {
    let count = 250
    let tail = Array(repeating: Self.header("stsd", 16) + Boxes.zeros(8), count: count).flatMap(\.self)
    let middle = { (outer: String, inner: String, after: [UInt8]) -> [UInt8] in
      var bytes = after
      for _ in 0..<count { bytes = Self.header(outer, 16) + Self.header(inner, bytes.count + 8) + bytes }
      return bytes
    }
    let inside = middle("trak", "mdia", middle("minf", "stbl", tail))
    let film = Self.header("moov", inside.count + 8) + inside
    var reading = MP4Reading(film)
    #expect(reading.outcome() == .unknown)
    #expect(reading.looks >= 3 * count && reading.looks <= Self.most(film))
  }

  @Test("More boxes than a film has are not looked at, nor any where nobody waits for it")
  func bounded() async {
    let many = Boxes.box("moov", Array(repeating: Self.header("trak", 8), count: 20_000).flatMap(\.self))
    var reading = MP4Reading(many)
    #expect(reading.outcome() == .unknown && reading.looks == MP4Reading.mostBoxes)
    let film = Boxes.movie(Boxes.track(Boxes.aac))
    #expect(MP4Reading.outcome(film) == .codecs(["mp4a.40.2"]))
    let cancelled = await withTaskGroup(of: MP4Reading.Outcome.self) { group in
      group.cancelAll()
      group.addTask { MP4Reading.outcome(film) }
      return await group.next()
    }
    #expect(cancelled == .unknown)
  }

  @Test("A film of very many codecs has the first of them")
  func codecs() {
    let names = (0..<2_000).map { String(String($0 + 10_000).suffix(4)) }
    let table = Boxes.zeros(8) + names.flatMap { Boxes.box($0) }
    let film = Boxes.movie(
      Boxes.box("trak", Boxes.box("mdia", Boxes.box("minf", Boxes.box("stbl", Boxes.box("stsd", table))))))
    #expect(MP4Reading.outcome(film) == .codecs(Array(names.prefix(50))))
  }

  @Test(
    "Boxes of any sizes, in one another and across one another, are read in bounded work",
    arguments: 0..<20 as Range<UInt64>)
  func anyBoxes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let types = [
      "moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1", "avcC", "mp4a", "esds", "encv", "sinf", "frma", "mdat",
      "hvcC",
    ]
    let extremes = [0, 1, 7, 8, 9, 16, 24, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
    var looks = 0
    for _ in 0..<100 {
      let count = 1 + random.next(below: 120)
      var inside: [UInt8] = []
      // From the end on, so that the sizes of what is already there are known.
      for place in 0..<count {
        let type = random.next(below: 3) == 0 ? types[random.next(below: types.count)] : types[(count - place) % 6]
        let size =
          switch random.next(below: 16) {
          case 0: extremes[random.next(below: extremes.count)]
          case 1, 2: inside.count + 8
          case 3...6: 8 + random.next(below: inside.count + 9)
          default: 16
          }
        let long = size == 1 ? [0, 0xFF, 0x7F, 0x80][random.next(below: 4)] : 0
        let more = size == 1 ? [UInt8(long)] + Boxes.number(Int.random(in: 0 ... .max, using: &random), 7) : []
        inside = Self.header(type, size) + more + inside
      }
      let film = Boxes.start + Self.header("moov", inside.count + 8 + random.next(below: 9) / 8) + inside
      for bytes in [film, Array(film.prefix(random.next(below: film.count + 1))), inside] {
        var reading = MP4Reading(bytes)
        _ = reading.outcome(at: .max / 8)
        #expect(reading.looks <= Self.most(bytes), "seed \(seed)")
        looks += reading.looks
        _ = MP4Reading.codecs(ofMovie: bytes)
      }
    }
    #expect(looks > 1_000, "hardly anything was read")
  }

  @Test(
    "Numbers of any size in a manifest lead to a segment with an address or to none", arguments: 0..<20 as Range<UInt64>
  )
  func anyNumbers(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let numbers =
      [Int.min, .min + 1, -1, 0, 1, 2, 2_048, .max - 1, .max].map { "\($0)" } + [
        "\(1 << 52)", "\(-1 << 52)", "\(1 << 53 - 1)", "\(-1 << 53)", "\(1 << 62)", "99999999999999999999", "x", "",
      ]
    let parts = [
      "$Time$", "$Number$", "$Number%099d$", "$Number%-1d$", "$RepresentationID$", "$Bandwidth$", "$$", "$", "v",
    ]
    var found = 0
    for _ in 0..<50 {
      func number() -> String { numbers[random.next(below: numbers.count)] }
      func text(_ most: Int) -> String {
        (0..<random.next(below: most)).map { _ in parts[random.next(below: parts.count)] }.joined()
      }
      let entries = (0..<random.next(below: 60)).map { _ in
        let time = random.next(below: 4) == 0 ? "t='\(number())' " : ""
        return "<S \(time)d='\(number())' r='\(number())'/>"
      }
      let manifest = """
        <MPD type='\(random.next(below: 4) == 0 ? "static" : "dynamic")'><Period><AdaptationSet>
        <SegmentTemplate media='\(text(200))' startNumber='\(number())'><SegmentTimeline>\(entries.joined())</SegmentTimeline>
        </SegmentTemplate><Representation id='\(text(200))' bandwidth='\(number())'/></AdaptationSet></Period></MPD>
        """
      let segment = try #require(StreamManifest(dash: Array(manifest.utf8)), "seed \(seed)").segment
      #expect((segment ?? "").utf8.count <= StreamManifest.mostAddress, "seed \(seed)")
      if segment != nil { found += 1 }
    }
    #expect(found > 5, "hardly anything was filled in")
  }
}
