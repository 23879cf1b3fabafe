/// What plays, and where it is, in a run of a scenario that is being written: after the steps that are written so far.
struct ScenarioPlayhead {
  /// The media that is on, by its place in the book.
  private(set) var media: Int?
  /// Where content stands, in seconds; `nil`: nobody knows.
  private(set) var position: Double?
  /// Whether content moves by itself.
  private(set) var moves = false
  /// Whether the player was not paused last.
  private(set) var isToldToPlay = false

  mutating func nothingPlays() { self = Self() }

  /// From now on this is on.
  mutating func play(_ place: Int, at position: Double?, autoplay: Bool = true) {
    media = place
    self.position = position
    moves = autoplay && position != nil
    isToldToPlay = autoplay
  }

  /// An item that comes in a queue begins at its start in a run, wherever it began when it was recorded.
  mutating func playItem(_ place: Int, at position: Double?) {
    play(place, at: position)
    if (position ?? 0) > 3 { self.position = nil }
  }

  mutating func pause() { (moves, isToldToPlay) = (false, false) }

  /// - Parameter position: Where a status says that it goes on.
  mutating func playOn(at position: Double?) {
    (moves, isToldToPlay) = (true, true)
    if self.position != nil { self.position = position ?? self.position }
  }

  /// - Parameter pauses: What the player does then where it is another thing than before.
  mutating func seek(to position: Double?, pauses: Bool?) {
    if let pauses { (moves, isToldToPlay) = (!pauses, !pauses) }
    self.position = position
  }

  /// It was waited until content was there, or it was told to be there.
  mutating func reach(_ position: Double) { self.position = position }

  /// It was waited for some time: nobody knows how far content moved meanwhile.
  /// - Parameter standing: Where it stands all the same, as behind an ad.
  mutating func timePassed(standing: Double?) {
    if moves { position = standing }
  }

  /// Content moved in a way that no step explains.
  mutating func loseTrack() { position = nil }
}
