/// Makes a ZIP archive (PKWARE APPNOTE 6.3) of files that are put in as they are: whoever reads it needs no decompressor,
/// and CI systems compress what they keep anyway. The same files give the same bytes.
struct ZipWriter {
  /// Of one archive; ZIP without its 64-bit extension has no room for 4 GiB.
  static let byteLimit = 1 << 30

  private(set) var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0

  /// 1 January 1980, the first day that the format knows.
  private static let day: UInt16 = 1 << 5 | 1
  /// Names are UTF-8.
  private static let flags: UInt16 = 1 << 11
  private static let version: UInt16 = 20
  /// Made on Unix, as a regular file that its owner alone reads and writes.
  private static let origin = 3 << 8 | version
  private static let mode: UInt32 = 0o100600 << 16

  /// Adds a file.
  /// - Parameter name: With `/` between folders.
  /// - Returns: Whether there was room for it.
  mutating func add(_ name: String, _ content: [UInt8]) -> Bool {
    let name = Array(name.utf8)
    guard name.count <= ZipArchive.nameLimit, count < ZipArchive.entryLimit,
      bytes.count + content.count + directory.count + 2 * (name.count + 100) < Self.byteLimit
    else { return false }
    var crc = CRC32()
    crc.add(content)
    var facts: [UInt8] = []
    // Stored as it is, at midnight.
    facts.append16(Self.version, Self.flags, 0, 0, Self.day)
    facts.append32(crc.value, UInt32(content.count), UInt32(content.count))
    facts.append16(UInt16(name.count), 0)
    directory.append32(ZipArchive.entryMark)
    directory.append16(Self.origin)
    directory += facts
    // No comment, the first disk, no text.
    directory.append16(0, 0, 0)
    directory.append32(Self.mode, UInt32(bytes.count))
    directory += name
    bytes.append32(ZipArchive.fileMark)
    bytes += facts
    bytes += name
    bytes += content
    count += 1
    return true
  }

  /// Ends the archive.
  /// - Returns: All of it.
  consuming func finish() -> [UInt8] {
    let start = bytes.count
    bytes += directory
    bytes.append32(ZipArchive.endMark)
    bytes.append16(0, 0, UInt16(count), UInt16(count))
    bytes.append32(UInt32(directory.count), UInt32(start))
    bytes.append16(0)
    return bytes
  }
}

extension [UInt8] {
  /// Adds numbers of two bytes each, the lower one first.
  fileprivate mutating func append16(_ numbers: UInt16...) { for number in numbers { append(littleEndian: number) } }

  /// Adds numbers of four bytes each, the lowest one first.
  fileprivate mutating func append32(_ numbers: UInt32...) { for number in numbers { append(littleEndian: number) } }

  private mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { self += $0 }
  }
}
