import CastProtocol
import ScenarioLanguage

/// The steps of a recorded scenario, and what is expected after each.
extension ScenarioWriter {
  mutating func write(_ step: RecordedStep) {
    if step.lead.positionIsUnexplained { playhead.loseTrack() }
    switch step.act {
    case .launch(let app): launch(app, step)
    case .load(let load): self.load(load, step)
    case .failedLoad(let load, let code): failedLoad(load, code, step)
    case .away(let time):
      remark("the device was out of reach for \(RecordedText.spelledToTenth(time.seconds))", at: step.at)
    case .failed(let code):
      remark("playing ended with an error\(Self.name(of: code)); a run does not expect it", at: step.at)
      playhead.nothingPlays()
    case .end: end(step)
    case .stopApp:
      writeWait(before: step)
      add("stop_app", at: step.at)
      appID = nil
      playhead.nothingPlays()
    case .volume(let level):
      writeWait(before: step)
      add("volume: \((level * 100).decimals(0))%", at: step.at)
    case .mute(let isMuted):
      writeWait(before: step)
      add("mute: \(isMuted)", at: step.at)
    default:
      // What was done to media that the document cannot load cannot be done again.
      guard playhead.media != nil else { return }
      writeMedia(step)
    }
  }

  private mutating func writeMedia(_ step: RecordedStep) {
    switch step.act {
    case .pause:
      writeWait(before: step)
      add("pause", at: step.at)
      playhead.pause()
      expectAfter(step, player: "paused")
    case .play:
      writeWait(before: step)
      add("play", at: step.at)
      playhead.playOn(at: step.position)
    case .stop:
      writeWait(before: step)
      add("stop", at: step.at)
      playhead.nothingPlays()
    case .seek(let seek): self.seek(seek, step)
    case .rate(let rate):
      writeWait(before: step)
      add("rate: \(rate.decimals(2))", at: step.at)
    case .tracks(let ids, let place):
      let names = definitions.trackIDs[place] ?? [:]
      let known = ids.compactMap { names[$0] }
      guard known.count == ids.count else {
        return remark("tracks were chosen that the device did not name", at: step.at)
      }
      writeWait(before: step)
      add("tracks: [\(known.joined(separator: ", "))]", at: step.at)
    case .textStyle(let style):
      guard let text = Self.style(style) else { return }
      writeWait(before: step)
      add("text_style: \(text)", at: step.at)
    case .skipAd:
      expect("break: { skippable: true }", ["within: \(within(step.lead.time))"])
      add("skip_ad", at: step.at)
    case .jump(let jump): self.jump(jump, step)
    case .insert(let ids, let before, let queue): insert(ids, before, queue, step)
    case .remove(let ids, let queue):
      guard let names = names(of: ids, in: queue) else { return remark("items left the queue", at: step.at) }
      writeWait(before: step)
      add("queue_remove: [\(names.joined(separator: ", "))]", at: step.at)
    case .reorder(let ids, let queue):
      guard let names = names(of: ids, in: queue) else {
        return remark("the queue was put in another order", at: step.at)
      }
      writeWait(before: step)
      add("queue_reorder: { items: [\(names.joined(separator: ", "))] }", at: step.at)
    case .repeatMode(let mode):
      writeWait(before: step)
      add("queue_update: { repeat: \(mode.word) }", at: step.at)
    case .finished:
      expect("player: idle, idle_reason: finished", ["within: \(within(step.lead.time))"], at: step.at)
      playhead.nothingPlays()
    case .advanced(let place):
      playhead.playItem(place, at: step.position)
      guard let content = content(of: place) else { return remark("the next item came", at: step.at) }
      expect(content, ["within: \(within(step.lead.time))"], at: step.at)
    case .launch, .load, .failedLoad, .away, .failed, .end, .stopApp, .volume, .mute: break
    }
  }

  // MARK: what passes between steps

  /// What plays when the recording ends is still to play after as long.
  private mutating func end(_ step: RecordedStep) {
    guard playhead.media != nil, playhead.isToldToPlay else { return }
    let isReached = step.lead.position != nil
    writeWait(before: step, toEnd: true)
    if !isReached, step.lead.time >= .seconds(1), !isPicture { expect("player: playing") }
  }

  private var isPicture: Bool { playhead.media.flatMap { recorder.media[$0] }?.isPicture ?? false }

  /// Waits as it was waited: for a position where content moved, else for some time.
  mutating func writeWait(before step: RecordedStep, toEnd: Bool = false) {
    let time = step.lead.time
    // Before the first step nobody waited for anything.
    guard time >= .milliseconds(750), stepCount > 0 else { return }
    if let reached = step.lead.position, let position = playhead.position, playhead.moves,
      let goal = waitablePosition(reached),
      goal > position + 0.4
    {
      let player = toEnd ? "player: playing, " : ""
      expect("\(player)position: { min: \(RecordedText.spelledToHalfSecond(goal)) }", ["within: \(within(time))"])
      playhead.reach(goal)
    } else {
      let seconds = time.seconds
      let shown =
        seconds < 10 ? RecordedText.spelledToHalfSecond(seconds) : RecordedText.spelledToHalfSecond(seconds.rounded())
      add("wait: \(shown)")
      playhead.timePassed(standing: step.lead.standing)
    }
  }

  /// A position to wait for: not so near to the end that it may be over first.
  func waitablePosition(_ reached: Double) -> Double? {
    var goal = (RecordedText.clampedSeconds(reached) * 2).rounded(.down) / 2
    if let media = playhead.media, let length = recorder.media[media]?.duration, length > 0 {
      goal = min(goal, ((length - 1) * 2).rounded(.down) / 2)
    }
    return goal > 0 ? goal : nil
  }

  /// Half as long again as it took, and some seconds.
  func within(_ time: Duration) -> String { RecordedText.limit(time * 1.5 + .seconds(5)) }

  /// What a status said afterwards.
  private mutating func expectAfter(_ step: RecordedStep, player: String) {
    guard let now = step.position, playhead.position != nil else { return expect("player: \(player)") }
    playhead.reach(now)
    expect("player: \(player), position: { about: \(RecordedText.spelledToHalfSecond(now)), tolerance: \(tolerance) }")
  }

  // MARK: what plays

  private mutating func seek(_ seek: RecordedStep.Seek, _ step: RecordedStep) {
    writeWait(before: step)
    let then = seek.pausesThen.map { ", then: \($0 ? "pause" : "play")" }
    if seek.isLive {
      let by = "\(seek.by < 0 ? "-" : "+")\(RecordedText.spelledToHalfSecond(abs(seek.by)))"
      add("seek: { by: \(by)\(then ?? "") }", at: step.at)
    } else {
      let seconds = (RecordedText.clampedSeconds(seek.to) * 2).rounded(.down) / 2
      let target = seconds == 0 ? "start" : RecordedText.spelledToHalfSecond(seconds)
      add("seek: \(then.map { "{ to: \(target)\($0) }" } ?? target)", at: step.at)
    }
    playhead.seek(to: step.position, pauses: seek.pausesThen)
  }

  private mutating func jump(_ jump: RecordedStep.Jump, _ step: RecordedStep) {
    writeWait(before: step)
    playhead.playItem(jump.media, at: step.position)
    let way: String? =
      switch jump.way {
      case .next: "next"
      case .previous: "previous"
      case .item: definitions.mediaIDs[jump.media]
      }
    guard let way else { return remark("another item was chosen that no document can name", at: step.at) }
    add("queue_jump: \(way)", at: step.at)
    if let content = content(of: jump.media) { expect("\(content), player: playing") }
  }

  private mutating func insert(_ ids: [Int], _ before: Int?, _ queue: Int, _ step: RecordedStep) {
    guard let names = names(of: ids, in: queue) else {
      return remark("items were put into the queue that the device did not name", at: step.at)
    }
    let place = before.flatMap { self.names(of: [$0], in: queue)?.first }
    writeWait(before: step)
    add(
      "queue_insert: { items: [\(names.joined(separator: ", "))]\(place.map { ", before: \($0)" } ?? "") }", at: step.at
    )
  }

  func names(of items: [Int], in queue: Int) -> [String]? {
    let names = items.compactMap { recorder.queues[queue].media(of: $0).flatMap { definitions.mediaIDs[$0] } }
    return names.count == items.count && !names.isEmpty ? names : nil
  }
}
