import Preflight
import Testing

/// How long a film lasts by its first bytes (ISO 14496-12, 8.2.2).
@Suite struct MediaHeadTests {
  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] { number(8 + content.count, 4) + type.utf8 + content }
  static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// A film of which the header has `ticks` of which `scale` are a second.
  static func film(scale: Int, ticks: Int, isLong: Bool = false) -> [UInt8] {
    let width = isLong ? 8 : 4
    let times = [UInt8](repeating: 7, count: 2 * width)
    let header = [isLong ? 1 : 0, 0, 0, 0] + times + number(scale, 4) + number(ticks, width)
    return box("ftyp", [1, 2, 3, 4]) + box("moov", box("iods", []) + box("mvhd", header + number(0, 80)))
      + box("mdat", [9])
  }

  static let films: [(bytes: [UInt8], duration: Duration?)] = [
    (film(scale: 1000, ticks: 12_500), .milliseconds(12_500)),
    (film(scale: 90_000, ticks: 5_400_000, isLong: true), .seconds(60)),
    (film(scale: 0, ticks: 9), nil), (film(scale: 1, ticks: 0), nil), (film(scale: 1, ticks: 0xFFFF_FFFF), nil),
    (film(scale: 1, ticks: 2_000_000), nil), ([], nil), (Array("RIFF....AVI ".utf8), nil),
    (box("mdat", [1, 2, 3]), nil), (Array(film(scale: 1000, ticks: 12_500).prefix(50)), nil),
  ]
  @Test("The movie header says how long a film lasts; what is cut, unknown or no film says nothing", arguments: films)
  func duration(bytes: [UInt8], duration: Duration?) {
    #expect(MediaHead.duration(bytes) == duration)
  }

  @Test("No prefix and no changed byte of a film is a trap")
  func hostile() {
    let film = Self.film(scale: 600, ticks: 6000, isLong: true)
    for length in film.indices { _ = MediaHead.duration(Array(film.prefix(length))) }
    for place in film.indices {
      for byte: UInt8 in [0, 1, 0x7F, 0xFF] {
        var changed = film
        changed[place] = byte
        _ = MediaHead.duration(changed)
      }
    }
  }
}
