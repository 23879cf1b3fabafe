import Glibc

/// The ends of a ledger's files as they were at one moment: what was written lately, however long the ledger is.
package struct LedgerTail: Sendable {
  /// The most bytes of all files that are read: some weeks of a few screens.
  package static let byteLimit = 32 << 20
  private static let chunk = 1 << 18

  private let files: [(path: String, size: Int)]

  /// Notes how long the files are by now.
  /// - Parameter paths: The newest first.
  package init(_ paths: [String]) {
    files = paths.compactMap { path in
      guard let size = try? Files.openRegular(path).status().st_size else { return nil }
      return (path, Int(size))
    }
  }

  /// Reads the newest files, the oldest of them first, as far as the limit goes. Of the one where it ends the beginning is
  /// left out, up to a line's end.
  /// - Parameters:
  ///   - body: Gets what was read, piece by piece.
  ///   - endFile: The next piece is of another file.
  /// - Returns: Whether it was all.
  @discardableResult
  package func read(_ body: ([UInt8]) -> Void, endFile: () -> Void) -> Bool {
    var room = Self.byteLimit
    var parts: [(path: String, range: Range<Int>)] = []
    for file in files where room > 0 {
      let count = min(room, file.size)
      parts.append((file.path, file.size - count..<file.size))
      room -= count
    }
    for part in parts.reversed() {
      Self.read(part.path, part.range, body)
      endFile()
    }
    return parts.count == files.count && parts.last.map { $0.range.lowerBound == 0 } ?? true
  }

  private static func read(_ path: String, _ range: Range<Int>, _ body: ([UInt8]) -> Void) {
    guard let file = try? Files.openRegular(path) else { return }
    var offset = range.lowerBound
    var skips = offset > 0
    while offset < range.upperBound {
      var bytes = [UInt8](repeating: 0, count: min(chunk, range.upperBound - offset))
      let count = pread(file.descriptor, &bytes, bytes.count, off_t(offset))
      guard count > 0 else { return }
      offset += count
      bytes.removeLast(bytes.count - count)
      if skips {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { continue }
        bytes.removeFirst(end + 1)
        skips = false
      }
      body(bytes)
    }
  }
}
