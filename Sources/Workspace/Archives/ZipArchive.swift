import Glibc

/// Reads a ZIP archive of files that are not compressed, as ``ZipWriter`` makes it. What it says of itself is not trusted:
/// names, numbers and sizes are checked before anything is read by them, and the content by its checksum.
final class ZipArchive: Sendable {
  /// Why an archive cannot be read, in words that follow "cannot read FILE: ".
  struct Problem: Error, Hashable { var text: String }

  static let fileMark: UInt32 = 0x0403_4B50
  static let entryMark: UInt32 = 0x0201_4B50
  static let endMark: UInt32 = 0x0605_4B50
  /// How many files an archive may have, and how many bytes one's name.
  static let entryLimit = 8192
  static let nameLimit = 1024

  /// Where a file's content is.
  private struct Entry: Sendable {
    var crc: UInt32
    var size: Int
    /// Of its own header, which the content follows.
    var offset: Int
  }

  private static let endSize = 22
  private static let entrySize = 46
  private static let headerSize = 30
  private static let chunkSize = 1 << 16

  private let file: Kept
  private let size: Int
  private let entries: [String: Entry]
  /// The names of all files, in the order of the archive.
  let names: [String]

  private final class Kept: Sendable {
    let file: OpenFile
    init(_ file: consuming OpenFile) { self.file = file }
  }

  /// Whether a file begins as an archive does.
  static func isOne(_ path: String) -> Bool {
    guard let file = try? Files.openRegular(path) else { return false }
    let head = (try? Descriptor.read(file.descriptor, atMost: 4)) ?? []
    return head.number(at: 0, of: UInt32.self) == fileMark || head.number(at: 0, of: UInt32.self) == endMark
  }

  /// Opens an archive and reads its directory.
  /// - Throws: ``Problem``, where it is none, or one that is compressed, encrypted, damaged or too large.
  init(_ path: String) throws(Problem) {
    do throws(FileError) {
      file = Kept(try Files.openRegular(path))
      size = try file.file.status().st_size
    } catch {
      throw Problem(text: error.message)
    }
    guard size <= ZipWriter.byteLimit else { throw Problem(text: "it is larger than \(ZipWriter.byteLimit >> 20) MiB") }
    let (count, start, length) = try Self.end(file.file.descriptor, size)
    guard count <= Self.entryLimit else { throw Problem(text: "it has more than \(Self.entryLimit) files") }
    let directory = try Self.read(file.file.descriptor, at: start, count: length)
    var entries: [String: Entry] = [:]
    var names: [String] = []
    var place = 0
    for _ in 0..<count {
      guard directory.number(at: place, of: UInt32.self) == Self.entryMark,
        let flags = directory.number(at: place + 8, of: UInt16.self),
        let method = directory.number(at: place + 10, of: UInt16.self),
        let crc = directory.number(at: place + 16, of: UInt32.self),
        let packed = directory.number(at: place + 20, of: UInt32.self),
        let unpacked = directory.number(at: place + 24, of: UInt32.self),
        let nameLength = directory.number(at: place + 28, of: UInt16.self),
        let extraLength = directory.number(at: place + 30, of: UInt16.self),
        let commentLength = directory.number(at: place + 32, of: UInt16.self),
        let offset = directory.number(at: place + 42, of: UInt32.self)
      else { throw Self.damaged }
      let nameStart = place + Self.entrySize
      place = nameStart + Int(nameLength) + Int(extraLength) + Int(commentLength)
      guard place <= directory.count, nameLength <= Self.nameLimit,
        let name = String(validating: directory[nameStart..<nameStart + Int(nameLength)], as: UTF8.self)
      else { throw Self.damaged }
      // A folder has an entry of its own where other programs made the archive.
      if name.hasSuffix("/"), unpacked == 0 { continue }
      guard Self.isSafe(name) else { throw Problem(text: "the name `\(name)` leads out of it") }
      guard flags & 1 == 0 else { throw Problem(text: "\(name) is encrypted") }
      guard method == 0, packed == unpacked else { throw Problem(text: "\(name) is compressed") }
      guard entries[name] == nil else { throw Problem(text: "it has two files \(name)") }
      entries[name] = Entry(crc: crc, size: Int(unpacked), offset: Int(offset))
      names.append(name)
    }
    self.entries = entries
    self.names = names
  }

  private static let damaged = Problem(text: "it is damaged")

  /// The end of the archive says where its directory is.
  private static func end(
    _ descriptor: Int32, _ size: Int
  ) throws(Problem) -> (count: Int, start: Int, length: Int) {
    // A comment may follow, of 64 KiB at most.
    let tailSize = min(size, endSize + 0xFFFF)
    let tail = try read(descriptor, at: size - tailSize, count: tailSize)
    guard tail.count >= endSize else { throw Problem(text: "it is no ZIP archive") }
    for place in stride(from: tail.count - endSize, through: 0, by: -1) {
      guard tail.number(at: place, of: UInt32.self) == endMark,
        let count = tail.number(at: place + 10, of: UInt16.self),
        let length = tail.number(at: place + 12, of: UInt32.self),
        let start = tail.number(at: place + 16, of: UInt32.self),
        let comment = tail.number(at: place + 20, of: UInt16.self), place + endSize + Int(comment) == tail.count
      else { continue }
      guard Int(start) + Int(length) <= size - tail.count + place else { throw damaged }
      return (Int(count), Int(start), Int(length))
    }
    throw Problem(text: "it is no ZIP archive, or its end is missing")
  }

  /// Whether a name stays below the folder that an archive is unpacked in.
  private static func isSafe(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return !name.utf8.contains(0) && !name.utf8.contains(UInt8(ascii: "\\"))
      && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
  }

  private static func read(_ descriptor: Int32, at offset: Int, count: Int) throws(Problem) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw got == 0 ? damaged : Problem(text: FileError.last.message) }
      done += got
    }
    return bytes
  }

  /// How many bytes a file has; `nil` where there is none of that name.
  func size(of name: String) -> Int? { entries[name]?.size }

  /// All of a file.
  /// - Throws: ``Problem``, also where there is none of that name, or one of more than `limit` bytes.
  func contents(of name: String, limit: Int) throws(Problem) -> [UInt8] {
    guard let size = size(of: name) else { throw Problem(text: "it has no \(name)") }
    guard size <= limit else { throw Problem(text: "\(name) is larger than \(limit >> 10) KiB") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    try forEachChunk(of: name) { bytes += $0 }
    return bytes
  }

  /// Reads a file in chunks. The checksum is compared after the last: discard what came if this throws.
  func forEachChunk(of name: String, _ body: (ArraySlice<UInt8>) -> Void) throws(Problem) {
    guard let entry = entries[name] else { throw Problem(text: "it has no \(name)") }
    guard entry.offset + Self.headerSize <= size else { throw Self.damaged }
    let header = try Self.read(file.file.descriptor, at: entry.offset, count: Self.headerSize)
    guard header.number(at: 0, of: UInt32.self) == Self.fileMark,
      let nameLength = header.number(at: 26, of: UInt16.self), let extraLength = header.number(at: 28, of: UInt16.self)
    else { throw Self.damaged }
    var place = entry.offset + Self.headerSize + Int(nameLength) + Int(extraLength)
    let end = place + entry.size
    guard end <= size else { throw Self.damaged }
    var crc = CRC32()
    while place < end {
      let chunk = try Self.read(file.file.descriptor, at: place, count: min(Self.chunkSize, end - place))
      crc.add(chunk)
      body(chunk[...])
      place += chunk.count
    }
    guard crc.value == entry.crc else { throw Problem(text: "\(name) is damaged: its checksum is wrong") }
  }
}

extension [UInt8] {
  /// The number that stands at `place`, the lowest byte first; `nil` where the bytes end before.
  fileprivate func number<Number: FixedWidthInteger>(at place: Int, of: Number.Type) -> Number? {
    let width = Number.bitWidth / 8
    guard place >= 0, place + width <= count else { return nil }
    return (0..<width).reduce(Number(0)) { $0 | Number(self[place + $1]) << Number(8 * $1) }
  }
}
