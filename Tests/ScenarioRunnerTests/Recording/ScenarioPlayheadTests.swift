import Testing

@testable import ScenarioRunner

/// What is known of what plays in a run of a scenario that is being written.
@Suite struct ScenarioPlayheadTests {
  private static func playing(at position: Double? = 10) -> ScenarioPlayhead {
    var playhead = ScenarioPlayhead()
    playhead.play(3, at: position)
    return playhead
  }

  @Test("What is loaded to wait does not move; what has no position moves nowhere that is known")
  func loaded() {
    let plays = Self.playing()
    #expect(plays.media == 3 && plays.position == 10 && plays.moves && plays.isToldToPlay)
    let live = Self.playing(at: nil)
    #expect(live.position == nil && !live.moves && live.isToldToPlay)
    var waits = ScenarioPlayhead()
    waits.play(3, at: 0, autoplay: false)
    #expect(waits.position == 0 && !waits.moves && !waits.isToldToPlay)
  }

  @Test("An item of a queue begins at its start in a run, also where it was joined later when it was recorded")
  func items() {
    var playhead = Self.playing()
    playhead.playItem(4, at: 2)
    #expect(playhead.media == 4 && playhead.position == 2)
    playhead.playItem(5, at: 40)
    #expect(playhead.media == 5 && playhead.position == nil && playhead.isToldToPlay)
  }

  @Test("After some time a position is known where content stands, and nowhere else")
  func time() {
    var moving = Self.playing()
    moving.timePassed(standing: nil)
    #expect(moving.position == nil)
    // What nobody knew before no status of a play makes known.
    moving.playOn(at: 20)
    #expect(moving.position == nil)
    var paused = Self.playing()
    paused.pause()
    paused.timePassed(standing: nil)
    #expect(paused.position == 10)
    paused.playOn(at: nil)
    #expect(paused.position == 10 && paused.moves)
    var ad = Self.playing()
    ad.timePassed(standing: 12)
    #expect(ad.position == 12)
  }

  @Test("A seek makes the position known, and changes whether it plays only where it was seen to")
  func seeks() {
    var playhead = Self.playing()
    playhead.loseTrack()
    #expect(playhead.position == nil)
    playhead.seek(to: 60, pauses: nil)
    #expect(playhead.position == 60 && playhead.isToldToPlay)
    playhead.seek(to: 30, pauses: true)
    #expect(playhead.position == 30 && !playhead.moves && !playhead.isToldToPlay)
  }

  @Test("Where nothing plays nothing of before is left")
  func nothing() {
    var playhead = Self.playing()
    playhead.nothingPlays()
    #expect(playhead.media == nil && playhead.position == nil && !playhead.moves && !playhead.isToldToPlay)
  }
}
