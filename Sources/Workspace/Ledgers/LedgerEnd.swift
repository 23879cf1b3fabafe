import Glibc

extension LedgerFile {
  /// The last whole line of a ledger's file, without its line break; `nil` where it has none.
  package static func lastLine(of path: String, limit: Int) throws(FileError) -> [UInt8]? {
    let file = try Files.openRegular(path)
    return try LedgerEnd(of: file.descriptor, size: Int(try file.status().st_size), limit: limit).line
  }
}

/// The end of a file to which lines are added: the last whole line, and where a new one begins.
struct LedgerEnd {
  /// Where the next line begins.
  var size: Int
  /// The last whole line without its line break; `nil` where there is none.
  var line: [UInt8]?

  private static let chunk = 64 << 10

  /// Looks for it from the end.
  /// - Throws: Also where the last line is longer than `limit`.
  init(of descriptor: Int32, size: Int, limit: Int) throws(FileError) {
    guard let end = try Self.lineBreak(in: descriptor, before: size, downTo: 0) else {
      self.size = 0
      return
    }
    self.size = end + 1
    let lowest = max(0, end - limit - 1)
    let start = try Self.lineBreak(in: descriptor, before: end, downTo: lowest).map { $0 + 1 } ?? lowest
    guard end - start <= limit else { throw .tooLarge(limit: limit) }
    line = try Self.bytes(of: descriptor, start..<end)
  }

  /// The place of the last line break before `end`.
  private static func lineBreak(in descriptor: Int32, before end: Int, downTo lowest: Int) throws(FileError) -> Int? {
    var end = end
    while end > lowest {
      let start = max(lowest, end - chunk)
      let bytes = try bytes(of: descriptor, start..<end)
      if let index = bytes.lastIndex(of: UInt8(ascii: "\n")) { return start + index }
      end = start
    }
    return nil
  }

  private static func bytes(of descriptor: Int32, _ range: Range<Int>) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(range.lowerBound + done))
      }
      if count > 0 {
        done += count
      } else if count == 0 {
        // Somebody cuts it meanwhile.
        throw .system(EIO)
      } else if errno != EINTR {
        throw .last
      }
    }
    return bytes
  }
}
