/// What of a content somebody asks for (RFC 9110 14).
package enum ByteRange: Hashable, Sendable {
  case whole
  case part(Range<Int>)
  /// There is nothing there.
  case unsatisfiable

  /// Reads the header `Range`; what is no single range of bytes counts as none.
  package init(_ header: String?, of size: Int) {
    guard let header, header.hasPrefix("bytes="), header.utf8.count <= 64 else {
      self = .whole
      return
    }
    let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    // Several ranges may be answered with the whole; one is what receivers ask for.
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]) else {
      self = .whole
      return
    }
    switch (first, last) {
    case (nil, nil): self = .whole
    case (nil, let count?): self = count == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - count)..<size)
    case (let first?, _) where first >= size: self = .unsatisfiable
    case (let first?, nil): self = .part(first..<size)
    case (let first?, let last?): self = last < first ? .whole : .part(first..<min(last, size - 1) + 1)
    }
  }

  /// - Returns: `.some(nil)` for an empty text; `nil` for what is no number.
  private static func number(_ text: Substring) -> Int?? {
    if text.isEmpty { return .some(nil) }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    // What is too large to be read is behind every end.
    return .some(Int(text) ?? Int.max)
  }
}
