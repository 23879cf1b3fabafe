package import CastProtocol
package import Signage

/// What the control page shows and changes; the one who serves gives it.
package struct ControlSource: Sendable {
  package var site: SiteControl
  /// The week of a playlist; `nil`: there is none of this id.
  package var week: @Sendable (String) async -> JSONValue?
  /// A picture by its name; `nil`: there is none.
  package var art: @Sendable (String) async -> ArtShelf.Picture? = { _ in nil }

  package init(_ site: SiteControl, week: @escaping @Sendable (String) async -> JSONValue?) {
    self.site = site
    self.week = week
  }
}
