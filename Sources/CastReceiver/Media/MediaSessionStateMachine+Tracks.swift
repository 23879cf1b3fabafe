import CastProtocol

/// EDIT_TRACKS_INFO. Source: docs/protocol.md 4.2.
extension MediaSessionStateMachine {
  mutating func editTracks(_ request: JSONObject, at now: Duration) throws(Refusal) {
    guard var session else { return }
    if let ids = try Self.activeTracks(request, in: session) { session.activeTrackIDs = ids }
    let hasStyle = !Self.isAbsent(request["textTrackStyle"])
    if hasStyle, let style = request["textTrackStyle"], !session.media.setTextTrackStyle(style) {
      throw .invalidParameters
    }
    if hasStyle { preferredStyle = request["textTrackStyle"] }
    session.rememberTextTracks()
    self.session = session
    broadcastStatus(Parts(media: hasStyle), at: now)
  }

  /// What shall be active: a language counts before ids, and those before `enableTextTracks`; `nil`: as it is.
  private static func activeTracks(_ request: JSONObject, in session: MediaSession) throws(Refusal) -> [Int]? {
    if !isAbsent(request["language"]) {
      guard let language = request["language"]?.string else { throw .invalidParameters }
      guard let track = track(for: language, in: session.media.textTracks) else { throw .languageNotSupported }
      return withText([track.id], in: session)
    }
    if let ids = try trackIDs(request["activeTrackIds"], of: session.media) { return ids }
    guard !isAbsent(request["enableTextTracks"]) else { return nil }
    guard let enable = request["enableTextTracks"]?.flag, let first = session.media.textTracks.first else {
      throw .invalidParameters
    }
    if !enable { return withText([], in: session) }
    return withText(session.lastTextTrackIDs.isEmpty ? [first.id] : session.lastTextTrackIDs, in: session)
  }

  /// Changes the active text tracks and leaves sound and picture.
  private static func withText(_ ids: [Int], in session: MediaSession) -> [Int] {
    let text = Set(session.media.textTracks.map(\.id))
    return session.activeTrackIDs.filter { !text.contains($0) } + ids
  }

  /// The first track of that language, else the first that shares its primary subtag (`en` for `en-GB`).
  static func track(for language: String, in tracks: [LoadedMedia.Track]) -> LoadedMedia.Track? {
    let wanted = language.lowercased()
    func primary(_ language: String) -> Substring { language.prefix { $0 != "-" } }
    return tracks.first { $0.language?.lowercased() == wanted }
      ?? tracks.first { $0.language.map { primary($0.lowercased()) == primary(wanted) } == true }
  }
}
