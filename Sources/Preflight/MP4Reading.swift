/// What a film in boxes (ISO 14496-12) says of its codecs, from the parts of it that were fetched.
struct MP4Reading {
  /// What the beginning of a film leads to.
  enum Outcome: Hashable {
    /// RFC 6381, each once.
    case codecs([String])
    /// The box with the codecs begins at `offset`; `length` is `nil` where its header was not read.
    case elsewhere(offset: Int, length: Int?)
    case unknown
  }

  /// More boxes are not looked at, whatever they are inside of.
  static let mostBoxes = 10_000
  /// No film has more.
  private static let mostCodecs = 50

  struct Box {
    let type: String
    /// The range of its content in the bytes at hand; it may end beyond them.
    let start: Int
    let end: Int
  }

  let bytes: [UInt8]
  /// How many boxes were looked at.
  private(set) var looks = 0

  /// - Parameter bytes: A part of the file that begins with a box.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// - Parameters:
  ///   - bytes: A part of the file that begins with a box.
  ///   - offset: Where it lies in the file.
  static func outcome(_ bytes: [UInt8], at offset: Int = 0) -> Outcome {
    var reading = MP4Reading(bytes)
    return reading.outcome(at: offset)
  }

  /// The codecs of a movie box, of which the end may be missing.
  static func codecs(ofMovie bytes: [UInt8]) -> [String] {
    var reading = MP4Reading(bytes)
    guard let movie = reading.box(at: 0, before: .max), movie.type == "moov" else { return [] }
    return reading.codecs(of: movie)
  }

  mutating func outcome(at offset: Int = 0) -> Outcome {
    var place = 0
    while let box = box(at: place, before: .max) {
      if box.type == "moov" {
        // A cut box would miss the sound, which often follows the long tables of the pictures.
        if box.end > bytes.count { return .elsewhere(offset: offset + place, length: box.end - place) }
        let found = codecs(of: box)
        return found.isEmpty ? .unknown : .codecs(found)
      }
      guard box.end > place, box.end < .max / 2 else { return .unknown }
      place = box.end
    }
    return place > bytes.count || place == bytes.count && place > 0
      ? .elsewhere(offset: offset + place, length: nil) : .unknown
  }

  private mutating func codecs(of movie: Box) -> [String] {
    var found: [String] = []
    for track in children(of: movie) where track.type == "trak" {
      var tables = [track]
      for name in ["mdia", "minf", "stbl", "stsd"] {
        tables = tables.flatMap { children(of: $0) }.filter { $0.type == name }
      }
      for table in tables {
        // A version, flags and a number come before the entries.
        for entry in boxes(from: table.start + 8, to: table.end) where found.count < Self.mostCodecs {
          if let codec = codec(of: entry), !found.contains(codec) { found.append(codec) }
        }
      }
    }
    return found
  }

  // MARK: boxes

  func number(_ place: Int, _ count: Int) -> Int? {
    guard place >= 0, count <= 7, place <= bytes.count - count else { return nil }
    return bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  func type(at place: Int) -> String? {
    guard place >= 0, place <= bytes.count - 4 else { return nil }
    return String(decoding: bytes[place..<(place + 4)], as: UTF8.self)
  }

  /// A box that begins at a place, and ends where the one that it is in does at the latest: whatever sizes are written,
  /// no byte is in two boxes side by side.
  private mutating func box(at place: Int, before end: Int) -> Box? {
    guard looks < Self.mostBoxes, !Task.isCancelled else { return nil }
    looks += 1
    guard var size = number(place, 4), let type = type(at: place + 4) else { return nil }
    var header = 8
    if size == 1 {
      // 64 bits, of which the first eight are zero in any file there is.
      guard number(place + 8, 1) == 0, let long = number(place + 9, 7) else { return nil }
      (size, header) = (long, 16)
    }
    // 0: to the end of the file.
    if size == 0 { size = max(8, bytes.count - place) }
    guard size >= header, size < .max / 4, end - place >= header else { return nil }
    return Box(type: type, start: place + header, end: min(place + size, end))
  }

  mutating func boxes(from start: Int, to end: Int) -> [Box] {
    var found: [Box] = []
    var place = start
    while place < min(end, bytes.count), let box = box(at: place, before: end) {
      found.append(box)
      place = box.end
    }
    return found
  }

  mutating func children(of box: Box) -> [Box] { boxes(from: box.start, to: box.end) }
}
