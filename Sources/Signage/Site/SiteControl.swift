/// What can be seen and asked of the screens that one process serves; whoever serves gives it.
package struct SiteControl: Sendable {
  package enum TriggerAnswer: Hashable, Sendable {
    case done
    /// Only a webhook is fired from outside.
    case notWebhook
    case unknown
  }

  package var view: @Sendable () async -> SiteView
  /// An element after changes.
  package var changes: @Sendable () -> AsyncStream<Void>
  /// `nil`: there is no playlist of this id. Without a screen the order is for all screens of the playlist.
  package var order: @Sendable (ScreenOrder, _ playlist: String, _ screen: String?) async -> PlaylistServer.OrderAnswer?
  /// Fires or clears a trigger of a playlist.
  package var trigger: @Sendable (_ name: String, _ playlist: String, _ fires: Bool) async -> TriggerAnswer

  package init(
    view: @escaping @Sendable () async -> SiteView, changes: @escaping @Sendable () -> AsyncStream<Void>,
    order: @escaping @Sendable (ScreenOrder, String, String?) async -> PlaylistServer.OrderAnswer?,
    trigger: @escaping @Sendable (String, String, Bool) async -> TriggerAnswer
  ) {
    self.view = view
    self.changes = changes
    self.order = order
    self.trigger = trigger
  }
}
