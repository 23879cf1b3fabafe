import Glibc

/// Reading from and writing to descriptors that somebody else opened, whatever they are: interrupted calls are made again,
/// short ones go on, and those that must not wait are waited for.
package enum Descriptor {
  private static let chunkSize = 1 << 16

  /// How much was read into `chunk`, 0 at the end.
  package static func read(_ descriptor: Int32, into chunk: inout [UInt8]) throws(FileError) -> Int {
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count >= 0 { return count }
      if errno == EAGAIN {
        wait(for: descriptor, POLLIN)
      } else if errno != EINTR {
        throw .last
      }
    }
  }

  /// What comes until the end, or the first `limit` bytes of it.
  /// - Parameter size: How much there probably is.
  package static func read(
    _ descriptor: Int32, atMost limit: Int, expecting size: Int = chunkSize
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    // A byte more than there is, to see the end in the same call.
    var chunk = [UInt8](repeating: 0, count: min(max(size, 0) + 1, chunkSize))
    while bytes.count < limit {
      let count = try read(descriptor, into: &chunk)
      if count == 0 { break }
      bytes += chunk.prefix(min(count, limit - bytes.count))
    }
    return bytes
  }

  /// Writes all of `text` before it returns, however long its reader takes.
  package static func write(_ text: String, to descriptor: Int32) throws(FileError) {
    var text = text
    let failure = text.withUTF8 { writeAll($0, to: descriptor) }
    if let failure { throw failure }
  }

  /// Writes all of `bytes` before it returns, however long their reader takes.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileError) {
    let failure = bytes.withUnsafeBufferPointer { writeAll($0, to: descriptor) }
    if let failure { throw failure }
  }

  private static func writeAll(_ buffer: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> FileError? {
    var done = 0
    while done < buffer.count {
      let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
      if count > 0 {
        done += count
      } else if count == 0 {
        return .system(ENOSPC)
      } else if errno == EAGAIN {
        // The other end is not ours to set to blocking.
        wait(for: descriptor, POLLOUT)
      } else if errno != EINTR {
        return .last
      }
    }
    return nil
  }

  private static func wait(for descriptor: Int32, _ event: Int32) {
    var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    poll(&waiting, 1, -1)
  }
}
