import CastProtocol
import Synchronization
import Workspace

/// Starts the control page, and tries again while its port is taken or its token cannot be stored; no screen waits for
/// it.
final class ControlStarter: Sendable {
  private static let wait = Duration.seconds(10)

  private let start: @Sendable () async throws(WorkspaceError) -> ServedControl
  private let control = Mutex<ServedControl?>(nil)

  init(_ start: @escaping @Sendable () async throws(WorkspaceError) -> ServedControl) { self.start = start }

  /// Tries once.
  func begin() async {
    if let failure = await tryOnce() {
      Terminal.tell("\(failure.message); it is tried again every 10 s", help: failure.help)
    }
  }

  /// Tries until it is there, or the task is cancelled.
  func follow(on clock: TimeSource) async {
    while control.withLock({ $0 == nil }), (try? await clock.sleep(for: Self.wait)) != nil { _ = await tryOnce() }
  }

  func close() async { await control.withLock { $0 }?.close() }

  private func tryOnce() async -> WorkspaceError? {
    do throws(WorkspaceError) {
      let started = try await start()
      control.withLock { $0 = started }
      return nil
    } catch {
      return error
    }
  }
}
