/// The app sessions that runs of this computer started and did not end: a run that crashed leaves one behind, and the
/// next run that joins it may end it as its own.
package struct StartedSessions: Sendable {
  /// The session last started on a device and not ended since; `nil`: none.
  package var session: @Sendable (_ device: String) -> String?
  /// Notes the session that was started on a device; `nil`: it is over, or meant to stay.
  package var note: @Sendable (_ session: String?, _ device: String) -> Void

  package init(
    session: @escaping @Sendable (_ device: String) -> String?,
    note: @escaping @Sendable (_ session: String?, _ device: String) -> Void
  ) {
    self.session = session
    self.note = note
  }

  /// Remembers nothing.
  package static let none = StartedSessions(session: { _ in nil }, note: { _, _ in })
}
