import CastProtocol
import ScenarioLanguage

/// Where a picture of an item is to be had: addresses of the program, and nothing else ever (docs/security.md W7).
package struct ArtAddress: Hashable, Sendable {
  /// `https:`, `http:` or `file:`; the smallest picture first, so that none is fetched that is larger than it need be.
  package var urls: [String]
  /// The playlist's file, from which `file:` addresses are read.
  package var document: String

  /// Looked at before the largest so far is taken.
  static let mostURLs = 5

  package init(urls: [String], document: String) { (self.urls, self.document) = (urls, document) }

  /// Of the pictures in an item's metadata, and of a still.
  /// - Returns: `nil`: it has none, or their addresses hold secrets.
  package init?(of showing: Showing, in document: String) {
    // A document names the largest first.
    let images = (showing.item.media.metadata?["images"]?.array ?? []).compactMap { $0["url"]?.string }.reversed()
    let urls = (images + (showing.isStill ? [showing.content] : [])).filter(Self.isFetched).prefix(Self.mostURLs)
    guard !urls.isEmpty else { return nil }
    self.init(urls: Array(urls), document: document)
  }

  private static func isFetched(_ url: String) -> Bool {
    ["https:", "http:", "file:"].contains(where: url.hasPrefix) && !SecretPlaceholder.occurs(in: url)
  }
}
