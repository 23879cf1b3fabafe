import CastProtocol

/// Makes input out of seeds: mostly right, so that it comes far.
struct Mutation {
  private let seeds: [[UInt8]]
  private let words: [[UInt8]]
  private var generator: SeededGenerator
  /// No reader takes more.
  private static let limit = 80_000

  init(_ family: Family, seed: UInt64) {
    seeds = family.seeds().filter { !$0.isEmpty && $0.count <= Self.limit }
    words = family.words.map { Array($0.utf8) }
    generator = SeededGenerator(seed: seed.mixed(with: family.name))
  }

  /// The next input; the same ones for the same seed.
  mutating func next() -> [UInt8] {
    guard !seeds.isEmpty else { return [UInt8.random(in: 0...255, using: &generator)] }
    var bytes = seeds[generator.next(below: seeds.count)]
    // A seed as it is must be read, too.
    for _ in 0..<generator.next(below: 6) { change(&bytes) }
    if bytes.count > Self.limit { bytes.removeSubrange(Self.limit...) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes.append(UInt8.random(in: 0...255, using: &generator)) }
    let index = generator.next(below: bytes.count)
    func end(_ most: Int, _ generator: inout SeededGenerator) -> Int {
      min(bytes.count, index + 1 + generator.next(below: most))
    }
    switch generator.next(below: 11) {
    case 0: bytes[index] ^= 1 << UInt8(generator.next(below: 8))
    case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
    case 2: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF, 0x0A, 0x20, 0x22][generator.next(below: 8)]
    case 3: bytes.removeSubrange(index..<end(64, &generator))
    case 4: bytes.insert(contentsOf: bytes[index..<end(64, &generator)], at: index)
    case 5: bytes.removeSubrange(index...)
    case 6:
      let other = seeds[generator.next(below: seeds.count)]
      let start = generator.next(below: other.count)
      bytes.replaceSubrange(index..., with: other[start...])
    case 7:
      // A piece of one in another, as lists and maps are nested.
      let other = seeds[generator.next(below: seeds.count)]
      let start = generator.next(below: other.count)
      bytes.insert(contentsOf: other[start..<min(other.count, start + 200)], at: index)
    case 8 where bytes.count < 4096:
      let piece = Array(bytes[index..<end(16, &generator)])
      for _ in 0..<generator.next(below: 200) { bytes.insert(contentsOf: piece, at: index) }
    default:
      guard !words.isEmpty else { return bytes[index] &+= 1 }
      let word = words[generator.next(below: words.count)]
      if generator.next(below: 2) == 0 {
        bytes.insert(contentsOf: word, at: index)
      } else {
        bytes.replaceSubrange(index..<min(bytes.count, index + word.count), with: word)
      }
    }
  }
}
