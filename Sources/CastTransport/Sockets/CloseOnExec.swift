import Glibc
import NIOCore

extension Channel {
  /// Keeps the socket from programs this process starts, which NIO does not. To be called on the event loop.
  func closeOnExec() {
    _ = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
      fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }
}
