import CastProtocol
import ScenarioLanguage

/// Apps, loads and queues of a recorded scenario, and what is expected of each.
extension ScenarioWriter {
  mutating func launch(_ app: RecordedStep.App, _ step: RecordedStep) {
    writeWait(before: step)
    playhead.nothingPlays()
    let name = app.id == Self.defaultAppID ? "default" : apps[app.id]?.name
    guard let name else { return remark("an app was launched whose id no document can name", at: step.at) }
    add("launch: \(name)", at: step.at)
    appID = app.id
    if !app.playsMedia { remark("this app takes no media: what senders said to it cannot be seen", at: step.at) }
  }

  mutating func load(_ load: RecordedStep.Load, _ step: RecordedStep) {
    writeWait(before: step)
    guard let id = definitions.mediaIDs[load.media] else {
      playhead.nothingPlays()
      return remark("something was loaded whose address no document can name", at: step.at)
    }
    playhead.play(load.media, at: step.position, autoplay: load.autoplay)
    let items =
      load.queue.map {
        recorder.queues[$0].initial.compactMap { item in
          item.media.flatMap { place in definitions.mediaIDs[place].map { (item.id, $0) } }
        }
      } ?? []
    if items.count > 1 {
      queue(items, of: load, step)
    } else {
      var keys: [String] = []
      if !load.autoplay { keys.append("autoplay: false") }
      if let start = load.start, let goal = waitablePosition(start) {
        keys.append("start: \(RecordedText.spelledToHalfSecond(goal))")
      }
      if abs(load.rate - 1) > 0.01 { keys.append("rate: \(load.rate.decimals(2))") }
      if let tracks = trackNames(load.tracks, of: load.media), !tracks.isEmpty {
        keys.append("tracks: [\(tracks.joined(separator: ", "))]")
      }
      if let style = load.style.flatMap(Self.style) { keys.append("text_style: \(style)") }
      let timeout = step.loadingTime > .seconds(8) ? ["timeout: \(RecordedText.limit(step.loadingTime * 3))"] : []
      add(
        keys.isEmpty ? "load: \(id)" : "load: { media: \(id), \(keys.joined(separator: ", ")) }", timeout, at: step.at)
    }
    expectLoaded(load, step, isQueue: items.count > 1)
  }

  mutating func queue(_ items: [(Int, String)], of load: RecordedStep.Load, _ step: RecordedStep) {
    var keys = ["items: [\(items.map(\.1).joined(separator: ", "))]"]
    let queue = load.queue.map { recorder.queues[$0] }
    if let start = items.firstIndex(where: { $0.0 == queue?.startID }), start > 0 {
      keys.append("start_at: \(start + 1)")
    }
    if let mode = queue?.repeatMode, mode != .off { keys.append("repeat: \(mode.word)") }
    let timeout = step.loadingTime > .seconds(8) ? ["timeout: \(RecordedText.limit(step.loadingTime * 3))"] : []
    add("queue: { \(keys.joined(separator: ", ")) }", timeout, at: step.at)
    if !load.autoplay {
      add("pause")
    }
    if let start = load.start, let goal = waitablePosition(start) {
      add("seek: \(RecordedText.spelledToHalfSecond(goal))")
    }
    if let tracks = trackNames(load.tracks, of: load.media), !tracks.isEmpty {
      add("tracks: [\(tracks.joined(separator: ", "))]")
    }
    if abs(load.rate - 1) > 0.01 { add("rate: \(load.rate.decimals(2))") }
  }

  mutating func expectLoaded(_ load: RecordedStep.Load, _ step: RecordedStep, isQueue: Bool) {
    var fields = ["player: \(load.autoplay ? "playing" : "paused")"]
    if let content = content(of: load.media) { fields.append(content) }
    if let media = recorder.media[load.media] {
      if media.isLiveStream {
        fields.append("stream: live")
      } else if let length = media.duration, length >= 0.1, length.isFinite {
        fields.append("duration: { about: \(RecordedText.spelledToTenth(length)), tolerance: 1s }")
      }
    }
    if let tracks = trackNames(load.tracks, of: load.media), !tracks.isEmpty {
      fields.append("active_tracks: { only: [\(tracks.joined(separator: ", "))] }")
    }
    if let media = recorder.media[load.media], media.isPicture { fields.removeFirst() }
    if !fields.isEmpty { expect(fields.joined(separator: ", ")) }
  }

  mutating func failedLoad(_ load: RecordedStep.Load, _ code: Int?, _ step: RecordedStep) {
    writeWait(before: step)
    playhead.nothingPlays()
    guard let id = definitions.mediaIDs[load.media] else {
      return remark("a load failed whose address no document can name", at: step.at)
    }
    lines.append(
      "  # The device could not play it\(Self.name(of: code)). To insist on that, remove `if_fails` from the `expect`.")
    add("load: \(id)", ["if_fails: ignore"], at: step.at)
    expect("player: idle, idle_reason: error", ["if_fails: ignore"])
  }

  /// `: 104, MEDIA_SRC_NOT_SUPPORTED`
  static func name(of code: Int?) -> String {
    guard let code else { return "" }
    return ": \([String(code), DetailedErrorCode.name(of: code)].compactMap { $0 }.joined(separator: ", "))"
  }

  func content(of place: Int) -> String? {
    if let title = recorder.media[place].flatMap({ RecordedDefinitions.title(of: $0) }) {
      return "title: \(RecordedText.value(title))"
    }
    return definitions.contents[place].map { "content: \(RecordedText.quoted($0))" }
  }

  func trackNames(_ ids: [Int], of place: Int) -> [String]? {
    let names = definitions.trackIDs[place] ?? [:]
    let known = ids.compactMap { names[$0] }
    // A receiver shows one text track.
    let texts = (recorder.media[place]?.tracks ?? []).filter { ids.contains($0.trackID) && $0.type == "TEXT" }
    return known.count == ids.count && texts.count < 2 ? known : nil
  }
}
