package import CastProtocol
import RunReporting

/// What this run loaded: which media session is ours, and how the document calls its tracks.
package struct LoadedMedia: Hashable, Sendable {
  /// The app our media session lives in.
  package var source: EndpointID
  package var mediaSessionID: Int
  /// The document's names of tracks, by wire id.
  package var trackNames: [Int: String]
  /// The queue item that the player goes on to by itself, where this session put one behind what plays.
  package var nextItemID: Int?

  package init(source: EndpointID, mediaSessionID: Int, trackNames: [Int: String] = [:]) {
    self.source = source
    self.mediaSessionID = mediaSessionID
    self.trackNames = trackNames
  }
}
