import CastProtocol

/// What was there before a LOAD, as far as an app that keeps its media session id has to be judged by it.
struct EarlierMedia: Sendable {
  /// How far from where the load begins a position may be to be its beginning, in seconds.
  private static let beginning = 2.0
  /// How far a position has to fall to be a new beginning, in seconds.
  private static let fall = 5.0

  let mediaSessionID: Int
  /// Whether something played there when the load began, and has not ended since.
  var isActive: Bool
  private let names: Set<String>
  private var position: Double?
  /// What repeats begins anew by itself.
  private let repeats: Bool

  /// - Parameter position: Where it is now, in seconds.
  init(_ status: MediaStatus, position: Double?) {
    mediaSessionID = status.mediaSessionID
    isActive = status.isActive
    names = status.contentNames
    self.position = position
    repeats = status.repeatMode.map { $0 != QueueRepeatMode.off.rawValue } ?? false
  }

  /// Whether `status`, of the same media session id, tells of the load: by new content that was asked for, by our id
  /// unless it tells of the old content, or because the content that was asked for has begun anew.
  /// - Parameter startTime: Where the load begins, in seconds.
  mutating func isReplaced(
    by status: MediaStatus, wanted: [MediaInformation], from startTime: Double, isAnswer: Bool
  ) -> Bool {
    let wasActive = isActive
    isActive = status.isActive
    defer { position = status.currentTime ?? position }
    // The end of the old session is reported after our LOAD was sent (quirk 15).
    if status.playerState == .idle, let reason = status.idleReason { return reason == .error && isAnswer }
    let isWanted = wanted.isEmpty || wanted.contains(where: status.couldShow)
    if isAnswer, isWanted || status.isLoading || !wasActive { return true }
    guard isWanted else { return false }
    let isNewContent =
      !wanted.isEmpty && !status.contentNames.isEmpty && !names.isEmpty && names.isDisjoint(with: status.contentNames)
    if isNewContent { return true }
    return !repeats && (status.isLoading || !wasActive && status.isActive || hasFallen(to: status, from: startTime))
  }

  /// Whether the position has gone back to where the load begins.
  private func hasFallen(to status: MediaStatus, from startTime: Double) -> Bool {
    guard let now = status.currentTime, let position else { return false }
    return now < position - Self.fall && abs(now - startTime) <= Self.beginning
  }
}

extension MediaStatus {
  /// Whether something plays or is about to; an unknown state counts as busy (quirk 19).
  var isActive: Bool { playerState != .idle || loadingItemID != nil || extendedPlayerState == "LOADING" }

  /// Whether a load is under way and nothing plays yet.
  var isLoading: Bool { playerState == .idle && idleReason == nil && extendedPlayerState == "LOADING" }

  /// Whether this may be `wanted`: it says the same content, or none (quirk 20).
  func couldShow(_ wanted: MediaInformation) -> Bool {
    let present = contentNames
    return present.isEmpty || !present.isDisjoint(with: wanted.names)
  }

  /// What the content is called; nothing where the app does not say.
  var contentNames: Set<String> { (media ?? extendedMedia)?.names ?? [] }

  /// `a.mp4` in back quotes, or `other media`.
  var contentInWords: String {
    let content = (media ?? extendedMedia)?.contentID ?? ""
    return content.isEmpty ? "other media" : "`\(Refusal.short(content))`"
  }

  /// What an app does with which content, for messages: `a.mp4` plays.
  var inWords: String {
    let verb =
      switch playerState {
      case .idle: isLoading ? "loads" : "is idle"
      case .playing: "plays"
      case .paused: "is paused"
      case .buffering: "buffers"
      case .unknown: "is in an unknown state"
      }
    return "\(contentInWords) \(verb)"
  }
}

extension MediaInformation {
  /// All that the content is called.
  var names: Set<String> { Set([contentID, contentURL ?? ""].filter { !$0.isEmpty }) }
}
