import CastProtocol
import RunReporting
import ScenarioLanguage

/// What a key means, as things are: volume goes from what it is or soon will be, captions to the next track there is.
struct RemoteControl {
  /// What was asked for and is not done yet, in order.
  var pending: [RemoteCommand]
  var view: StatusView

  /// How far the arrow keys seek, in seconds, and how far the page keys.
  static let step = 10.0
  static let leap = 60.0
  /// Percent points.
  static let volumeStep = 5.0
  /// What devices play at; more is refused by most.
  static let rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]

  /// Why a key does nothing now.
  struct Refusal: Error, Hashable {
    var message: String
    init(_ message: String) { self.message = message }
  }

  /// - Returns: `nil` for a key that means nothing.
  /// - Throws: Why what it means cannot be done.
  func command(for key: TerminalKey) throws(Refusal) -> RemoteCommand? {
    switch key {
    case .character(" "), .character("p"): try loaded("play or pause") { isPlaying ? .pause : .play }
    case .left: try loaded("seek") { .seek(by: -Self.step) }
    case .right: try loaded("seek") { .seek(by: Self.step) }
    case .pageDown: try loaded("seek") { .seek(by: -Self.leap) }
    case .pageUp: try loaded("seek") { .seek(by: Self.leap) }
    case .home: try loaded("seek") { .seekToStart }
    case .up, .character("+"), .character("="): try volume(by: Self.volumeStep)
    case .down, .character("-"): try volume(by: -Self.volumeStep)
    case .character("m"): try mute()
    case .character("c"): try captions()
    case .character("["): try rate(-1)
    case .character("]"): try rate(1)
    case .backspace: try loaded("set the rate") { .rate(1) }
    case .character("s"): try skip()
    case .character("n"): try loaded("go to the next item") { .next }
    case .character("b"): try loaded("go to the previous item") { .previous }
    case .character("x"): try loaded("stop") { .stop }
    default: nil
    }
  }

  private var media: MediaStatus? { view.media }

  private func loaded(
    _ what: String, _ make: () throws(Refusal) -> RemoteCommand
  ) throws(Refusal) -> RemoteCommand {
    guard let media, media.playerState != .idle || media.extendedPlayerState != nil else {
      throw Refusal("nothing is loaded: there is nothing to \(what)")
    }
    return try make()
  }

  private var isPlaying: Bool {
    switch pending.last(where: { $0 == .play || $0 == .pause }) {
    case .play?: true
    case .pause?: false
    default: media?.playerState != .paused
    }
  }

  private func volume(by change: Double) throws(Refusal) -> RemoteCommand {
    let volume = view.snapshot.receiver?.volume
    if volume?.controlType == "fixed" { throw Refusal("the device's volume is fixed") }
    var level = volume?.level.map { ($0 * 100).rounded() }
    for case .volume(let wanted) in pending { level = wanted }
    guard let level else { throw Refusal("the device does not tell its volume") }
    // A device with larger steps would round a smaller change away.
    let step = (volume?.stepInterval).map { ($0 * 100).rounded() } ?? 0
    let least = max(abs(change), min(step, 50))
    return .volume(max(0, min(100, level + (change < 0 ? -least : least))))
  }

  private func mute() throws(Refusal) -> RemoteCommand {
    var isMuted = view.snapshot.receiver?.volume.muted ?? false
    for case .mute(let wanted) in pending { isMuted = wanted }
    return .mute(!isMuted)
  }

  /// Off, the first text track, the second ..., off; sound tracks stay as they are.
  private func captions() throws(Refusal) -> RemoteCommand {
    try loaded("show captions of") { () throws(Refusal) in
      let tracks = (media?.media ?? media?.extendedMedia)?.tracks ?? []
      let texts = tracks.filter { $0.type.uppercased() == "TEXT" }.map(\.trackID)
      guard !texts.isEmpty else { throw Refusal("it has no captions") }
      var active = media?.activeTrackIDs ?? []
      for case .tracks(let wanted) in pending { active = wanted }
      let current = texts.firstIndex { active.contains($0) }
      let next = current.map { $0 + 1 } ?? 0
      return .tracks(active.filter { !texts.contains($0) } + (texts.indices.contains(next) ? [texts[next]] : []))
    }
  }

  /// The next rate of the list upwards or downwards.
  private func rate(_ direction: Int) throws(Refusal) -> RemoteCommand {
    try loaded("set the rate of") { () throws(Refusal) in
      // In a break it reads 0, which is not the film's.
      var rate = media?.playbackRate ?? 1
      if media?.breakStatus != nil || rate == 0 { throw Refusal("the rate cannot be set in an ad") }
      for case .rate(let wanted) in pending { rate = wanted }
      let next =
        direction > 0 ? Self.rates.first { $0 > rate + 0.001 } : Self.rates.last { $0 < rate - 0.001 }
      guard let next else { throw Refusal("it plays at \(direction > 0 ? "most" : "least") \(rate.decimals(2))x") }
      return .rate(next)
    }
  }

  private func skip() throws(Refusal) -> RemoteCommand {
    guard let ad = AdState(view) else { throw Refusal("no ad is playing") }
    switch ad.skipping {
    case .now: return .skipAd
    case .in(let seconds): throw Refusal("the ad can be skipped in \(AdState.countdown(seconds))")
    case .never: throw Refusal("the ad cannot be skipped")
    }
  }
}
