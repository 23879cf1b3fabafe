package import RunReporting

/// The receiver pages that a run's virtual receivers show, in a browser of this process.
package struct PageWatch: Sendable {
  /// Has what pages tell told to a function, until that is `nil`; when this returns, the one before is called no more.
  package var listen: @Sendable (_ tell: (@Sendable (EventKind.PageNote) -> Void)?) -> Void
  /// Keeps a picture of what the receiver of a name shows; `nil` where it shows no page. Takes a few seconds at most.
  package var picture: @Sendable (_ receiver: String, _ step: String) async -> EventKind.Screenshot?

  package init(
    listen: @escaping @Sendable (_ tell: (@Sendable (EventKind.PageNote) -> Void)?) -> Void,
    picture: @escaping @Sendable (_ receiver: String, _ step: String) async -> EventKind.Screenshot?
  ) {
    self.listen = listen
    self.picture = picture
  }
}
