import CastProtocol

/// One media of the document, ready for LOAD, and what steps that use it must know.
struct CompiledMedia: Sendable {
  /// `nil` for a bare URL and for media written in place.
  var id: String?
  var information = MediaInformation()
  var duration: Duration?
  var isImage = false
  var isLive = false
  /// How far back one can seek in a live stream, where the document says so.
  var liveWindow: Duration?
  var tracks: [Track] = []
  var places = Plan.MediaPlaces()

  struct Track: Sendable {
    var id: String
    var number: Int
    /// `text`, `audio` or `video`.
    var kind: String
    var language: String?
    /// The place of its `id`.
    var span: SourceSpan
  }

  /// The document's names of tracks, by wire id.
  var trackNames: [Int: String] {
    Dictionary(tracks.map { ($0.number, $0.id) }, uniquingKeysWith: { first, _ in first })
  }

  /// A track by id, or by language where only one has it.
  func track(_ name: String) -> Track? {
    if let track = tracks.first(where: { $0.id == name }) { return track }
    let spoken = tracks.filter { $0.language == name }
    return spoken.count == 1 ? spoken[0] : nil
  }
}
