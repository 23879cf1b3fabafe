import Glibc

/// A file of this computer as it was when it was registered: what takes its name later is not served
/// (docs/security.md M5).
package struct MediaFile: Sendable {
  package struct Failure: Error, Hashable, Sendable {
    /// A lowercase fragment.
    package var message: String

    package init(_ message: String) { self.message = message }
  }

  /// What tells one file, and one content of it, from another.
  struct Identity: Hashable, Sendable {
    var device: UInt64
    var number: UInt64
    /// In bytes.
    var size: Int
    /// Of its last change.
    var seconds: Int
    var nanoseconds: Int

    init(_ status: stat) {
      device = UInt64(status.st_dev)
      number = UInt64(status.st_ino)
      size = Int(status.st_size)
      (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
    }
  }

  /// Without links.
  private let path: String
  private let identity: Identity

  /// Looks at a regular file, and opens it.
  /// - Parameter isReal: The path must lead there without any link: it was judged by where it leads.
  static func opened(_ path: String, isReal: Bool) throws(Failure) -> (MediaFile, OpenMediaFile) {
    guard let found = realpath(path, nil) else {
      throw Failure("cannot read \(path): \(String(cString: strerror(errno)))")
    }
    defer { free(found) }
    let real = String(cString: found)
    guard !isReal || real == path else { throw Failure("\(path) leads elsewhere than it did") }
    let open = try OpenMediaFile(real)
    return (MediaFile(path: real, identity: open.identity), open)
  }

  /// In bytes.
  package var size: Int { identity.size }

  /// Opens it again.
  /// - Throws: Where something else has its name by now.
  func open() throws(Failure) -> OpenMediaFile {
    let file = try OpenMediaFile(path)
    guard file.identity == identity else { throw Failure("it is another file by now") }
    return file
  }

  /// What tells one content from another (RFC 9110 8.8.3), with its quotes.
  package var entityTag: String {
    let parts = [UInt64(identity.number), UInt64(max(0, identity.size))].map { String($0, radix: 16) }
    return
      "\"\(parts.joined(separator: "-"))-\(String(identity.seconds, radix: 16))-\(String(identity.nanoseconds, radix: 16))\""
  }
}

/// A file that is open for as long as this is held.
package final class OpenMediaFile: Sendable {
  private let descriptor: Int32
  let identity: MediaFile.Identity

  /// - Parameter path: Without links.
  init(_ path: String) throws(MediaFile.Failure) {
    // A pipe without a writer would hold us up for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { throw MediaFile.Failure("cannot read \(path): \(String(cString: strerror(errno)))") }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw MediaFile.Failure("\(path) is not a file")
    }
    // A link that was put into the way leads to another place.
    if let place = Self.place(of: descriptor), place != path {
      close(descriptor)
      throw MediaFile.Failure("\(path) leads elsewhere than it did")
    }
    self.descriptor = descriptor
    identity = MediaFile.Identity(status)
  }

  deinit { close(descriptor) }

  /// Where an open file lies; `nil` where the system does not tell.
  private static func place(of descriptor: Int32) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = buffer.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return -1 }
      return readlink("/proc/self/fd/\(descriptor)", start.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// Whether it is as it was when it was opened.
  package var isUnchanged: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && MediaFile.Identity(status) == identity
  }

  /// Reads at most `count` bytes from `offset` on.
  package func read(_ offset: Int, _ count: Int) throws(MediaFile.Failure) -> [UInt8] {
    guard isUnchanged else { throw MediaFile.Failure("it was changed while it was served") }
    var done = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      done = pread(descriptor, buffer.baseAddress, count, off_t(offset))
      used = max(0, done)
    }
    guard done >= 0 else { throw MediaFile.Failure("cannot read it: \(String(cString: strerror(errno)))") }
    return bytes
  }

  /// All of it.
  func whole() throws(MediaFile.Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < identity.size {
      let piece = try read(bytes.count, identity.size - bytes.count)
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }
}
