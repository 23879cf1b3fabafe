/// Families that do wrong on purpose, each in its way.
extension Family {
  static let traps = wrong("wrong-traps") { bytes throws(Violation) in
    if bytes.contains(0x21) { _ = [Int]()[bytes.count] }
  }
  static let hangs = wrong("wrong-hangs") { bytes throws(Violation) in
    var count = bytes.count
    while bytes.contains(0x21), count >= 0 { count = count &* 3 & 0xFF }
  }
  static let grows = wrong("wrong-grows") { bytes throws(Violation) in
    Hoard.shared.pieces.append([UInt8](repeating: bytes.first ?? 1, count: 1 << 20))
  }
  static let lies = wrong("wrong-lies") { bytes throws(Violation) in
    if bytes.contains(0x21) { throw Violation("the law that is broken on purpose") }
  }

  private static func wrong(
    _ name: String, _ body: @escaping @Sendable ([UInt8]) throws(Violation) -> Void
  ) -> Family {
    Family(name: name, seeds: { [Array("seed".utf8)] }, words: ["!"], makeReader: { WrongReader(body) })
  }

  private final class WrongReader: Reader {
    private let body: @Sendable ([UInt8]) throws(Violation) -> Void
    init(_ body: @escaping @Sendable ([UInt8]) throws(Violation) -> Void) { self.body = body }
    func read(_ bytes: [UInt8]) async throws(Violation) { try body(bytes) }
  }

  /// Memory that nobody gives back.
  private final class Hoard: @unchecked Sendable {
    static let shared = Hoard()
    var pieces: [[UInt8]] = []
  }
}
