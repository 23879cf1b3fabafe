/// A set of numbers from 0 to 63, ascending: minutes, hours, days, months. It allocates nothing, and documents may hold
/// thousands of them.
package struct SmallNumbers: Hashable, Sendable, Sequence {
  private var bits: UInt64 = 0

  package init() {}

  /// - Parameter numbers: Each from 0 to 63.
  package init(_ numbers: some Sequence<Int>) { for number in numbers { insert(number) } }

  package var count: Int { bits.nonzeroBitCount }

  package func contains(_ number: Int) -> Bool { (0...63).contains(number) && bits & (1 << UInt64(number)) != 0 }

  package mutating func insert(_ number: Int) { bits |= 1 << UInt64(number) }

  package mutating func formUnion(_ others: SmallNumbers) { bits |= others.bits }

  package func makeIterator() -> some IteratorProtocol<Int> {
    var left = bits
    return AnyIterator {
      guard left != 0 else { return nil }
      defer { left &= left - 1 }
      return left.trailingZeroBitCount
    }
  }
}
