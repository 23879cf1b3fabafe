import Glibc

/// A file of this computer, open from the moment it was registered: what takes its name later is not served
/// (docs/security.md 4c M5).
package final class MediaFile: Sendable {
  package struct Failure: Error, Hashable, Sendable {
    /// A lowercase fragment.
    package var message: String

    package init(_ message: String) { self.message = message }
  }

  private let descriptor: Int32
  /// In bytes.
  package let size: Int
  private let written: ChangeTime
  private let number: UInt64

  /// Seconds and nanoseconds of a file's last change.
  struct ChangeTime: Hashable, Sendable {
    var seconds: Int
    var nanoseconds: Int
  }

  /// Opens a regular file.
  package init(_ path: String) throws(Failure) {
    // A pipe without a writer would hold us up for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure("cannot read \(path): \(String(cString: strerror(errno)))") }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw Failure("\(path) is not a file")
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
    written = Self.written(status)
    number = UInt64(status.st_ino)
  }

  deinit { close(descriptor) }

  private static func written(_ status: stat) -> ChangeTime {
    ChangeTime(seconds: Int(status.st_mtim.tv_sec), nanoseconds: Int(status.st_mtim.tv_nsec))
  }

  /// Whether it is as it was when it was opened.
  package var isUnchanged: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && Int(status.st_size) == size && Self.written(status) == written
  }

  /// What tells one content from another (RFC 9110 8.8.3), with its quotes.
  package var entityTag: String {
    "\"\(String(number, radix: 16))-\(String(size, radix: 16))-\(String(written.seconds, radix: 16))-\(String(written.nanoseconds, radix: 16))\""
  }

  /// Reads at most `count` bytes from `offset` on.
  package func read(_ offset: Int, _ count: Int) throws(Failure) -> [UInt8] {
    guard isUnchanged else { throw Failure("it was changed while it was served") }
    var done = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      done = pread(descriptor, buffer.baseAddress, count, off_t(offset))
      used = max(0, done)
    }
    guard done >= 0 else { throw Failure("cannot read it: \(String(cString: strerror(errno)))") }
    return bytes
  }
}
