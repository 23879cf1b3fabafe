extension MP4Reading {
  /// How long a film lasts by its movie header, where that is among the bytes at hand.
  static func duration(_ bytes: [UInt8]) -> Duration? {
    var reading = MP4Reading(bytes)
    let movie = reading.boxes(from: 0, to: bytes.count).first { $0.type == "moov" }
    guard let movie, let header = reading.children(of: movie).first(where: { $0.type == "mvhd" }) else { return nil }
    // A version and flags; times of creation and change; the ticks of a second; the length in ticks.
    let isLong = reading.number(header.start, 1) == 1
    let (scalePlace, lengthPlace) = isLong ? (20, 24) : (12, 16)
    guard lengthPlace + (isLong ? 8 : 4) <= header.end - header.start,
      let scale = reading.number(header.start + scalePlace, 4), scale > 0,
      let ticks = isLong
        ? reading.number(header.start + lengthPlace + 1, 7) : reading.number(header.start + lengthPlace, 4),
      // All ones: it is not known.
      ticks > 0, ticks != (isLong ? 0xFF_FFFF_FFFF_FFFF : 0xFFFF_FFFF),
      ticks / scale < Self.mostSeconds
    else { return nil }
    return .seconds(ticks / scale) + .seconds(Double(ticks % scale) / Double(scale))
  }

  /// No film is longer, in seconds.
  private static let mostSeconds = 1_000_000
}

/// What the beginning of a file of media says.
package enum MediaHead {
  /// How long the content lasts; `nil` where its first bytes do not say.
  package static func duration(_ bytes: [UInt8]) -> Duration? { MP4Reading.duration(bytes) }
}
