import CastProtocol

/// One media of the document, ready for LOAD, and what steps that use it must know.
struct CompiledMedia: Sendable {
  /// `nil` for a bare URL and for media written in place.
  var id: String?
  var information = MediaInformation()
  var duration: Duration?
  var isImage = false
  var isLive = false
  /// Ids of other systems.
  var foreignIDs: [String: String] = [:]
  /// How far back one can seek in a live stream, where the document says so.
  var liveWindow: Duration?
  private(set) var tracks: [Track] = []
  /// The document's names of tracks, by wire id.
  private(set) var trackNames: [Int: String] = [:]
  /// Places in ``tracks``.
  private var byID: [String: Int] = [:]
  private var byLanguage: [String: [Int]] = [:]
  var places = Plan.MediaSpans()
  /// All that receivers fetch from the web for it.
  var addresses: [FetchedAddress] = []

  struct Track: Sendable {
    var id: String
    var number: Int
    /// `text`, `audio` or `video`.
    var kind: String
    var language: String?
    /// The place of its `id`.
    var span: SourceSpan
  }

  /// Adds a track with an id and a number of its own.
  mutating func add(_ track: Track) {
    byID[track.id] = tracks.count
    if let language = track.language { byLanguage[language, default: []].append(tracks.count) }
    trackNames[track.number] = track.id
    tracks.append(track)
  }

  /// A track by id, or by language where only one has it.
  func track(_ name: String) -> Track? {
    if let index = byID[name] { return tracks[index] }
    guard let spoken = byLanguage[name], spoken.count == 1 else { return nil }
    return tracks[spoken[0]]
  }
}
