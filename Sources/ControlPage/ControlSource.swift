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
  /// The week of a playlist; `nil`: there is none of this number.
  package var week: @Sendable (Int) async -> JSONValue?
  /// A picture by its name; `nil`: there is none.
  package var art: @Sendable (String) async -> ArtShelf.Picture? = { _ in nil }
  /// `nil`: there is no playlist of this number.
  package var order: @Sendable (ScreenOrder, _ playlist: Int, _ screen: String) async -> PlaylistServer.OrderAnswer?
  package var trigger: @Sendable (_ name: String, _ playlist: Int, _ fires: Bool) -> TriggerAnswer

  package init(
    view: @escaping @Sendable () async -> ControlView, changes: @escaping @Sendable () -> AsyncStream<Void>,
    week: @escaping @Sendable (Int) async -> JSONValue?,
    order: @escaping @Sendable (ScreenOrder, Int, String) async -> PlaylistServer.OrderAnswer?,
    trigger: @escaping @Sendable (String, Int, Bool) -> TriggerAnswer
  ) {
    self.view = view
    self.changes = changes
    self.week = week
    self.order = order
    self.trigger = trigger
  }
}
