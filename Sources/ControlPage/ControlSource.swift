package import CastProtocol
package import Signage

/// What the control page shows and changes; the one who serves gives it.
package struct ControlSource: Sendable {
  package enum TriggerAnswer: Hashable, Sendable {
    case done
    /// Only a webhook is fired from here.
    case notWebhook
    case unknown
  }

  package var view: @Sendable () async -> ControlView
  /// An element after changes.
  package var changes: @Sendable () -> AsyncStream<Void>
  /// The week of a playlist; `nil`: there is none of this id.
  package var week: @Sendable (String) async -> JSONValue?
  /// A picture by its name; `nil`: there is none.
  package var art: @Sendable (String) async -> ArtShelf.Picture? = { _ in nil }
  /// `nil`: there is no playlist of this id.
  package var order: @Sendable (ScreenOrder, _ playlist: String, _ screen: String) async -> PlaylistServer.OrderAnswer?
  package var trigger: @Sendable (_ name: String, _ playlist: String, _ fires: Bool) async -> TriggerAnswer

  package init(
    view: @escaping @Sendable () async -> ControlView, changes: @escaping @Sendable () -> AsyncStream<Void>,
    week: @escaping @Sendable (String) async -> JSONValue?,
    order: @escaping @Sendable (ScreenOrder, String, String) async -> PlaylistServer.OrderAnswer?,
    trigger: @escaping @Sendable (String, String, Bool) async -> TriggerAnswer
  ) {
    self.view = view
    self.changes = changes
    self.week = week
    self.order = order
    self.trigger = trigger
  }
}
