import Synchronization

/// What SIGHUP has read again; nothing until documents are served.
final class HangUp: Sendable {
  private let readers = Mutex<[@Sendable () -> Void]>([])

  func add(_ reader: @escaping @Sendable () -> Void) { readers.withLock { $0.append(reader) } }

  func ring() { for reader in readers.withLock({ $0 }) { reader() } }
}
