import Glibc

/// An open file or folder that no program we start gets, closed with its owner.
package struct OpenFile: ~Copyable, Sendable {
  /// Its number in this process, for what is not done here.
  package let descriptor: Int32

  /// Takes over an open descriptor.
  init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { _ = Glibc.close(descriptor) }

  /// Closes it and tells whether all that was written has arrived.
  package consuming func close() throws(FileError) {
    let number = release()
    guard Glibc.close(number) == 0 else { throw .last }
  }

  /// Gives the descriptor away: the caller closes it.
  consuming func release() -> Int32 {
    let number = descriptor
    discard self
    return number
  }

  func status() throws(FileError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last }
    return status
  }

  /// What stands in this folder under a name, which is not followed where it is a link.
  func kind(of name: String) throws(FileError) -> FileKind {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .last }
    return FileKind(status)
  }

  /// All of a regular file.
  /// - Throws: Also for what is no regular file and for one of more than `limit` bytes.
  package func contents(limit: Int) throws(FileError) -> [UInt8] {
    let status = try status()
    let kind = FileKind(status)
    guard kind == .regular else { throw .irregular(kind) }
    guard status.st_size <= limit else { throw .tooLarge(limit: limit) }
    // It may grow while it is read.
    let bytes = try Descriptor.read(descriptor, atMost: limit + 1, expecting: Int(status.st_size))
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    return bytes
  }

  /// Writes all of `bytes`.
  package func write(_ bytes: [UInt8]) throws(FileError) { try Descriptor.write(bytes, to: descriptor) }
}
