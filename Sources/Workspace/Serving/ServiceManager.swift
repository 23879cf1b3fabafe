package import CastProtocol
import Glibc

/// Tells the service manager how this process does, as sd_notify(3) says; does nothing where none has asked.
package struct ServiceManager: Sendable {
  package enum State: Sendable {
    case ready, reloading, stopping, alive
    /// What `systemctl status` shows, in a line.
    case status(String)

    var text: String {
      switch self {
      case .ready: "READY=1"
      case .reloading: "RELOADING=1"
      case .stopping: "STOPPING=1"
      case .alive: "WATCHDOG=1"
      case .status(let text): "STATUS=\(String(text.map { $0.isNewline ? " " : $0 }))"
      }
    }
  }

  /// The path of a datagram socket; `@` stands for the zero byte of an abstract one.
  private let path: String?
  /// How often it wants to hear that the process is alive, at least; `nil`: it does not.
  package let watchdogInterval: Duration?

  /// The one that these surroundings name.
  package init(_ surroundings: Surroundings) {
    let path = surroundings.environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    self.path = path
    let microseconds = surroundings.environment["WATCHDOG_USEC"].flatMap { Int64($0) }
    let isOurs = surroundings.environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    watchdogInterval = microseconds.flatMap { isOurs && path != nil && $0 > 0 ? .microseconds($0) : nil }
  }

  /// Tells it; what does not reach it is lost, as nobody waits for an answer.
  package func tell(_ state: State) {
    guard let path else { return }
    var address = sockaddr_un()
    var bytes = Array(path.utf8)
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < room else { return }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let text = Array(state.text.utf8)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0, length)
      }
    }
  }

  /// Tells it that the process is alive, twice as often as it wants, until the task is cancelled.
  /// - Parameter isWell: Whether the process works; while it does not, the manager gets no sign of life and restarts it.
  package func keepAlive(on clock: TimeSource, while isWell: @Sendable () -> Bool = { true }) async {
    guard let watchdogInterval else { return }
    repeat { if isWell() { tell(.alive) } } while (try? await clock.sleep(for: watchdogInterval / 2)) != nil
  }
}
