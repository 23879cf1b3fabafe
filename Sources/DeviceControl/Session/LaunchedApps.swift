/// The app sessions that runs of this computer started and did not end: a run that crashed leaves one behind, and the
/// next run that joins it may end it as its own.
package struct LaunchedApps: Sendable {
  /// The session last started on a device and not ended since; `nil`: none.
  package var session: @Sendable (_ device: String) -> String?
  /// Records the session that was started on a device; `nil`: there is none, or it is to stay.
  package var record: @Sendable (_ session: String?, _ device: String) -> Void

  package init(
    session: @escaping @Sendable (_ device: String) -> String?,
    record: @escaping @Sendable (_ session: String?, _ device: String) -> Void
  ) {
    self.session = session
    self.record = record
  }

  /// Remembers nothing.
  package static let none = LaunchedApps(session: { _ in nil }, record: { _, _ in })
}
