import Glibc

/// Writes text and bytes to a file descriptor, whole and in order.
package struct DescriptorWriter: Sendable {
  /// What is written to; whoever made this closes it.
  package let descriptor: Int32

  /// A writer to an open descriptor.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Writes all of `text` before it returns, however long its reader takes; returns the error number of a failed write.
  package func writeNow(_ text: String) -> Int32? {
    var text = text
    return text.withUTF8(writeAll)
  }

  /// Writes all of `bytes` before it returns; returns the error number of a failed write, or `nil`.
  package func writeNow(_ bytes: [UInt8]) -> Int32? { bytes.withUnsafeBufferPointer(writeAll) }

  private func writeAll(_ buffer: UnsafeBufferPointer<UInt8>) -> Int32? {
    var done = 0
    while done < buffer.count {
      let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
      if count > 0 {
        done += count
      } else if count == 0 {
        return ENOSPC
      } else if errno == EAGAIN {
        // The other end is not ours to set to blocking.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
