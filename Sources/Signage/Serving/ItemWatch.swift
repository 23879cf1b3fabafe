import CastProtocol

/// One item on a screen, from the first status that shows it to its end: how long it was seen, and whether the player
/// is stuck.
///
/// A value without I/O; times are on the show clock.
package struct ItemWatch: Hashable, Sendable {
  /// Why an item is over.
  package enum End: Hashable, Sendable {
    /// Its time is up.
    case lengthReached
    /// The player says that it came to its end.
    case finished
    /// The player stood still, buffered or was paused for longer than the watchdog allows.
    case stuck
    /// The player says that it cannot go on.
    case failed
    /// The player is idle and does not say why, or somebody stopped it.
    case stopped
    /// Somebody had the player go on to the next item of its queue.
    case jumped
  }

  /// What an item may do.
  package struct Limits: Hashable, Sendable {
    /// How long it is shown; `nil`: to its end.
    package var length: Duration?
    package var stalledAfter: Duration
    package var bufferingOver: Duration
    /// A still stands still.
    package var moves: Bool

    package init(length: Duration?, stalledAfter: Duration, bufferingOver: Duration, moves: Bool) {
      self.length = length
      self.stalledAfter = stalledAfter
      self.bufferingOver = bufferingOver
      self.moves = moves
    }
  }

  private let limits: Limits
  private var phase = PlayerSight.Phase.loading
  /// Since when it is in ``phase``.
  private var since: Duration
  /// Until when ``shown`` and ``stalled`` are counted.
  private var countedTo: Duration
  private var lastAdvance: Duration
  /// When it was first seen.
  package private(set) var firstShown: Duration?
  /// For how long it was seen.
  package private(set) var shown = Duration.zero
  /// For how long it was on but stood still.
  package private(set) var stalled = Duration.zero
  /// How many statuses told of it.
  package private(set) var statuses = 0
  private var lastReceived: Duration?
  /// What ``shown`` was as of the last status.
  private var shownAtStatus = Duration.zero
  /// ``shown`` as far as a status covers it.
  package var shownForCertain: Duration { shownAtStatus }
  /// Content seconds as last told.
  package private(set) var position: Double?
  private var duration: Double?
  package private(set) var end: End?
  /// Whether the player did not say why it is idle.
  package private(set) var endIsGuessed = false
  /// Whether the player says that a sender stopped it; that was not we, who end an item with the next one.
  package private(set) var isStoppedBySender = false

  /// - Parameter alreadyShown: For how long it was on before anybody watched it.
  package init(_ limits: Limits, at time: Duration, alreadyShown: Duration? = nil) {
    self.limits = limits
    since = time
    countedTo = time
    lastAdvance = time
    if let alreadyShown {
      firstShown = time - alreadyShown
      phase = .playing
    }
  }

  /// How near its end content may be for an idle player to have finished it: statuses of the end get lost.
  private static let nearEnd = 2.0

  /// A status told of it.
  package mutating func observe(_ sight: PlayerSight, at time: Duration) {
    guard end == nil else { return }
    count(to: time)
    if sight.receivedAt != lastReceived || statuses == 0 {
      statuses += 1
      lastReceived = sight.receivedAt
      shownAtStatus = shown
    }
    let wasNearEnd = isNearEnd
    if sight.isAtNextItem {
      end = wasNearEnd || sight.phase == .idle(.finished) ? .finished : .jumped
      return
    }
    duration = sight.duration ?? duration
    if let new = sight.position {
      if position.map({ abs(new - $0) > 0.05 }) ?? true { lastAdvance = time }
      position = new
    }
    if sight.phase != phase {
      phase = sight.phase
      since = time
      lastAdvance = time
    }
    switch phase {
    case .playing: firstShown = firstShown ?? time
    // A still may count as paused from the beginning.
    case .paused where !limits.moves: firstShown = firstShown ?? time
    case .idle(let reason):
      end = Self.end(by: reason, isNearEnd: wasNearEnd)
      endIsGuessed = reason == nil
      isStoppedBySender = end == .stopped && reason == .cancelled
    case .paused, .buffering, .loading: break
    }
    timerFired(at: time)
  }

  private var isNearEnd: Bool {
    guard let estimatedPosition, let duration else { return false }
    return estimatedPosition >= duration - Self.nearEnd
  }

  /// Content seconds as they must be by now, if it went on playing since it was told.
  package var estimatedPosition: Double? { position.map { $0 + shownSincePosition.seconds } }

  /// When the content comes to its end if it goes on playing; `nil` where that is not known.
  package var expectedEnd: Duration? {
    guard phase == .playing, let estimatedPosition, let duration else { return nil }
    return countedTo + .seconds(max(0, duration - estimatedPosition))
  }

  /// Since the position was told.
  private var shownSincePosition: Duration { phase == .playing ? countedTo - lastAdvance : .zero }

  private static func end(by reason: MediaStatus.IdleReason?, isNearEnd: Bool) -> End {
    switch reason {
    case .finished: .finished
    case .error: .failed
    case .cancelled, .interrupted, .unknown: .stopped
    case nil: isNearEnd ? .finished : .stopped
    }
  }

  /// Time has passed.
  package mutating func timerFired(at time: Duration) {
    guard end == nil else { return }
    count(to: time)
    guard let nextCheck, time >= nextCheck else { return }
    let isOver = limits.length.map { length in firstShown.map { time - $0 >= length } ?? false } ?? false
    end = isOver ? .lengthReached : .stuck
    if !isOver, phase == .playing {
      // It said that it plays, and stood still.
      let stood = min(time - lastAdvance, shown)
      shown -= stood
      stalled += stood
    }
  }

  /// When it may be over without a status.
  package var nextCheck: Duration? {
    guard end == nil else { return nil }
    let over = limits.length.flatMap { length in firstShown.map { $0 + length } }
    let stuck: Duration? =
      switch phase {
      case .playing: limits.moves && position != nil ? lastAdvance + limits.stalledAfter : nil
      case .paused: limits.moves ? since + limits.stalledAfter : nil
      case .buffering, .loading: since + limits.bufferingOver
      case .idle: nil
      }
    return [over, stuck].compactMap(\.self).min()
  }

  /// Nothing more will be seen of it.
  /// - Parameter isLost: Whether the device was lost: then only what its last status covers was shown for certain.
  package mutating func close(at time: Duration, isLost: Bool = false) {
    count(to: time)
    if isLost { shown = shownAtStatus }
  }

  private mutating func count(to time: Duration) {
    guard time > countedTo else { return }
    defer { countedTo = time }
    guard firstShown != nil else { return }
    switch phase {
    case .playing: shown += time - countedTo
    case .paused where !limits.moves: shown += time - countedTo
    case .paused, .buffering, .loading: stalled += time - countedTo
    case .idle: break
    }
  }
}
