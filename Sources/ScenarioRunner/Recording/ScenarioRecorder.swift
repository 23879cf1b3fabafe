package import CastClient
package import CastProtocol
import DeviceControl

/// Makes steps of what an observer sees of a device while somebody uses it: statuses with their times in, steps out.
///
/// Holds no clock and no socket. What it keeps has limits, so that a device that never stops telling cannot make it grow.
package struct ScenarioRecorder: Sendable {
  /// More steps nobody edits by hand.
  package static let stepLimit = 1_000
  static let queueLimit = 100
  static let itemLimit = 200
  /// How far a position may be off what was expected before somebody must have sought, in content seconds at rate 1.
  static let jump = 1.5
  /// Seeks that follow each other sooner are one, as of somebody who presses forward three times.
  static let seekPause = Duration.seconds(2)
  /// The same for the volume.
  static let volumePause = Duration.seconds(2)

  package internal(set) var steps: [RecordedStep] = []
  package internal(set) var media = RecordedMediaBook()
  package internal(set) var queues: [RecordedQueue] = []
  /// The furthest that a position was off what the status before let expect, in seconds.
  package internal(set) var jitter = 0.0
  /// Whether there was no room for all that came.
  package internal(set) var isFull = false
  /// How often somebody spoke on namespaces of the app's own, which steps cannot tell.
  package private(set) var ownMessages = 0
  /// Since when no app has run that ran before.
  package private(set) var appGoneAt: Duration?
  /// How long it lasted.
  package private(set) var length = Duration.zero

  /// When it began, by the clock of the statuses.
  private var begin = Duration.zero
  /// What the device said last.
  var lastSnapshot = DeviceSnapshot()
  /// When the last step was done.
  var settledAt = Duration.zero
  /// A media session that does not play yet.
  var loading: Loading?
  /// The media session that plays.
  var playing: Playing?
  /// What led to the load that is under way, where the media before it ended first.
  var leadToLoad: RecordedStep.Lead?
  private var lostAt: Duration?
  /// Whether the status at hand is the first after the device was away.
  private(set) var returns = false

  /// Which media session a status is about.
  struct Key: Hashable {
    var source: EndpointID?
    var session: Int
  }

  /// A load under way.
  struct Loading {
    var key: Key
    var began: Duration
    /// Whether it was seen to begin.
    var isSeenFromStart: Bool
    var lead: RecordedStep.Lead
  }

  /// What plays, as of its last status.
  struct Playing {
    var key: Key
    var media: Int
    var queue: Int?
    var item: Int?
    var isPaused = false
    var rate = 1.0
    /// Where content stood when the last step was done, in seconds.
    var position: Double?
    /// What is to be said of an item that comes next: whether the one before had ended by itself, and what led to it.
    var leaving: (isByItself: Bool, lead: RecordedStep.Lead)?
    /// Whether a seek is not settled: the player still buffers.
    var seeks = false
    /// Whether content moved since the last step in a way that no step explains.
    var positionIsUnexplained = false
    /// Whether an ad played since the last step.
    var sawAd = false
  }

  package init() {}

  // MARK: what is seen

  /// The device as it was when the recording began.
  package mutating func begin(_ snapshot: DeviceSnapshot, at time: Duration) {
    begin = time
    settledAt = time
    lastSnapshot = DeviceSnapshot()
    lastSnapshot.isConnected = true
    // How loud it was before is nobody's doing.
    lastSnapshot.receiver = ReceiverStatus()
    lastSnapshot.receiver?.volume = snapshot.receiver?.volume ?? .init()
    take(snapshot, at: time, isFirst: true)
  }

  package mutating func observe(_ observation: Observation) {
    switch observation.scope {
    case .receiver, .media: take(observation.snapshot, at: observation.at)
    case .error:
      lastSnapshot.detailedErrorCode = observation.snapshot.detailedErrorCode ?? lastSnapshot.detailedErrorCode
    case .message: hear(observation)
    case .connection: break
    }
  }

  /// The connection broke.
  package mutating func lose(at time: Duration) { lostAt = lostAt ?? time }

  /// It is connected again.
  package mutating func regain(_ snapshot: DeviceSnapshot, at time: Duration) {
    if let lostAt { add(.away(time - lostAt), at: time) }
    lostAt = nil
    returns = true
    take(snapshot, at: time)
    returns = false
  }

  /// The recording is over; for a device that is lost it was over then: nobody has seen what it did since.
  package mutating func end(at now: Duration) {
    let time = min(now, lostAt ?? now)
    flushLoad(lastSnapshot, at: time)
    length = max(.zero, time - begin)
    let lead = lead(at: time)
    add(.end, at: time, lead: lead)
  }

  private mutating func take(_ snapshot: DeviceSnapshot, at time: Duration, isFirst: Bool = false) {
    length = max(.zero, time - begin)
    takeApp(snapshot, at: time, isFirst: isFirst)
    takeVolume(snapshot, at: time)
    takeMedia(snapshot, at: time, isFirst: isFirst)
    lastSnapshot = snapshot
  }

  private mutating func hear(_ observation: Observation) {
    guard let namespace = observation.namespace else { return }
    if namespace == .media, let json = observation.message, case .queueChange(_, let change)? = MediaMessage(json) {
      take(change, at: observation.at)
    } else if !namespace.isOfPlatform, ownMessages < .max {
      ownMessages += 1
    }
    lastSnapshot = observation.snapshot
  }

  // MARK: the device

  private static func app(of snapshot: DeviceSnapshot) -> ReceiverStatus.Application? {
    snapshot.receiver?.application.flatMap { $0.isIdleScreen ? nil : $0 }
  }

  private mutating func takeApp(_ snapshot: DeviceSnapshot, at time: Duration, isFirst: Bool) {
    let (old, new) = (Self.app(of: lastSnapshot), Self.app(of: snapshot))
    if old?.sessionID == new?.sessionID {
      // The media namespace may come later than the app itself.
      if let new, new.playsMedia { noteMediaApp(new) }
      return
    }
    flushLoad(lastSnapshot, at: time)
    let lead = lead(at: time)
    playing = nil
    leadToLoad = nil
    guard let new else {
      appGoneAt = time
      return add(.stopApp, at: time, lead: lead)
    }
    appGoneAt = nil
    let app = RecordedStep.App(id: new.appID, name: new.displayName, isJoined: isFirst, playsMedia: new.playsMedia)
    add(.launch(app), at: time, lead: lead)
  }

  private mutating func noteMediaApp(_ app: ReceiverStatus.Application) {
    guard let last = steps.lastIndex(where: { if case .launch = $0.act { true } else { false } }),
      case .launch(var launched) = steps[last].act, launched.id == app.appID, !launched.playsMedia
    else { return }
    launched.playsMedia = true
    steps[last].act = .launch(launched)
  }

  private mutating func takeVolume(_ snapshot: DeviceSnapshot, at time: Duration) {
    guard let old = lastSnapshot.receiver?.volume, let new = snapshot.receiver?.volume, !new.isFixed else { return }
    if let level = new.level, let known = old.level, level.isFinite, abs(level - known) > new.step / 2 {
      let level = max(0, min(1, level))
      if let last = steps.last, case .volume = last.act, time - settledAt < Self.volumePause {
        steps[steps.count - 1].act = .volume(level)
        settledAt = time
      } else {
        add(.volume(level), at: time)
      }
    }
    if let isMuted = new.muted, let known = old.muted, isMuted != known { add(.mute(isMuted), at: time) }
  }

  // MARK: steps

  /// A position that content can have: some live streams count from 1970.
  static func sensible(_ position: Double?) -> Double? {
    position.flatMap { (0...604_800).contains($0) ? $0 : nil }
  }

  /// What passed since the last step was done.
  /// - Parameter position: Where content is now, where a status says it; else it is reckoned.
  func lead(at time: Duration, position: Double? = nil) -> RecordedStep.Lead {
    var lead = RecordedStep.Lead(time: max(.zero, time - settledAt))
    lead.positionIsUnexplained = playing?.positionIsUnexplained ?? false
    if lead.positionIsUnexplained { return lead }
    guard let playing, let base = playing.position, !playing.isPaused else { return lead }
    if lastSnapshot.media?.breakStatus != nil {
      lead.standing = Self.sensible(lastSnapshot.position(at: time))
      return lead
    }
    guard media[playing.media]?.isLiveStream == false, let now = position ?? lastSnapshot.position(at: time) else {
      return lead
    }
    // Faster than it plays it gets nowhere by itself: somebody must have moved it in a way that was not seen.
    let most = lead.time.seconds * playing.rate * 1.1 + Self.jump
    if now - base > most {
      lead.positionIsUnexplained = true
    } else if now > base + 0.4 {
      lead.position = now
    } else if playing.sawAd {
      lead.standing = now
    }
    return lead
  }

  /// - Parameters:
  ///   - lead: What passed before it; `nil`: as it is now.
  ///   - began: When it began, where that was before it was done.
  mutating func add(
    _ act: RecordedStep.Act, at time: Duration, lead: RecordedStep.Lead? = nil, began: Duration? = nil,
    position: Double? = nil
  ) {
    guard steps.count < Self.stepLimit || act == .end else {
      isFull = true
      return
    }
    var step = RecordedStep(at: max(.zero, (began ?? time) - begin), act: act)
    step.lead = lead ?? self.lead(at: time)
    step.loadingTime = began.map { max(.zero, time - $0) } ?? .zero
    step.position = position
    steps.append(step)
    settledAt = time
    guard var now = playing else { return }
    now.positionIsUnexplained = false
    now.sawAd = lastSnapshot.media?.breakStatus != nil
    now.position = position ?? Self.sensible(lastSnapshot.position(at: time))
    playing = now
  }

  /// Changes the newest step, which turned out to be another.
  mutating func changeLast(to act: RecordedStep.Act, at time: Duration, position: Double?) {
    guard !steps.isEmpty else { return }
    steps[steps.count - 1].act = act
    steps[steps.count - 1].position = position ?? steps[steps.count - 1].position
    settledAt = time
    if let position { playing?.position = position }
  }
}
