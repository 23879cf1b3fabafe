import Dispatch
import Glibc

/// The bytes of standard input as they come, read beside everything else.
enum KeyReader {
  /// Ends with standard input; until then a thread waits for it, which the end of the process takes along.
  static func bytes() -> AsyncStream<[UInt8]> {
    let (stream, continuation) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(64))
    DispatchQueue.global().async {
      var buffer = [UInt8](repeating: 0, count: 256)
      while true {
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count > 0 {
          if case .terminated = continuation.yield(Array(buffer.prefix(count))) { return }
        } else if count < 0, errno == EAGAIN {
          var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
          poll(&waiting, 1, -1)
        } else if count == 0 || errno != EINTR {
          return continuation.finish()
        }
      }
    }
    return stream
  }
}
