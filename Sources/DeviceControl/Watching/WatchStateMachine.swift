package import CastClient
package import CastProtocol
package import RunReporting
import ScenarioLanguage

/// What a person at a terminal sees and does of one device: observations, keys and the ends of commands in, commands
/// out. Holds no clock, no socket and no terminal.
package struct WatchStateMachine: Sendable {
  /// How the device can be reached.
  package enum Link: Hashable, Sendable {
    case open
    /// Since when, why, which try is the next or under way, when it begins, and why the last one failed.
    case lost(since: Duration, reason: String, number: Int, nextTry: Duration?, failure: String?)
  }

  /// Something that happened, for the lines below the status.
  package struct Note: Hashable, Sendable {
    /// The time of day, as people here read it.
    package var clock: String
    package var text: String
    package var isProblem = false

    package init(clock: String, text: String, isProblem: Bool = false) {
      self.clock = clock
      self.text = text
      self.isProblem = isProblem
    }
  }

  package enum Effect: Hashable, Sendable {
    /// Do it on the device, and tell by ``finished(_:clock:)``.
    case run(RemoteCommand)
    /// Connect to this app and ask what it plays.
    case join(AppSession)
    case leave
    /// Draw all of the screen anew.
    case redraw
    /// Give the terminal back and stop until somebody lets this process go on.
    case suspend
  }

  /// Keys that are pressed while this many commands wait do nothing.
  static let pendingLimit = 8
  static let noteLimit = 50
  /// An app that closes its connections is joined again no more often than this.
  static let joinLimit = 3

  package private(set) var device: FoundDevice
  /// What its proof was worth, in a word.
  package private(set) var authentication: String
  package private(set) var snapshot: DeviceSnapshot
  package private(set) var link = Link.open
  package private(set) var notes: [Note] = []
  package private(set) var showsHelp = false
  /// What was asked for, the first under way since then.
  package private(set) var pending: [RemoteCommand] = []
  package private(set) var runningSince: Duration?
  /// The app session we asked to join, and how often.
  private var joined: (sessionID: String, count: Int)?
  private var isJoined = false

  package init(device: FoundDevice, authentication: AuthenticationFacts, snapshot: DeviceSnapshot) {
    self.device = device
    self.snapshot = snapshot
    self.authentication = Self.word(authentication)
  }

  /// The device's proof has come after the connection was open.
  package mutating func proven(_ facts: AuthenticationFacts) { authentication = Self.word(facts) }

  private static func word(_ facts: AuthenticationFacts) -> String {
    facts.isVerified ? "verified" : facts.doubt == nil ? "" : "not authenticated"
  }

  /// The status, with what moves reckoned for `now`; that of a lost device stands still.
  package func view(at now: Duration) -> StatusView {
    guard case .lost(let since, _, _, _, _) = link else { return StatusView(snapshot, at: now) }
    return StatusView(snapshot, at: min(now, since))
  }

  /// Whether the picture changes without anything happening.
  package var isMoving: Bool {
    if link != .open || runningSince != nil { return true }
    guard let media = snapshot.media else { return false }
    return media.playerState == .playing
  }

  // MARK: the device

  /// The app that runs is to be joined first of all.
  package mutating func begin() -> [Effect] { join() }

  /// What the device says of itself: one of which only an address was known is called by its name from now on.
  package mutating func learned(_ info: DeviceInfo) {
    guard device.isUnnamed else { return }
    if let name = info.friendlyName, !name.isEmpty { device.name = name }
    device.model = device.model ?? info.deviceModel
  }

  /// The status after the app was joined.
  package mutating func caughtUp(_ snapshot: DeviceSnapshot) { self.snapshot = snapshot }

  package mutating func observed(_ observation: Observation, clock: String) -> [Effect] {
    guard link == .open else { return [] }
    snapshot = observation.snapshot
    for act in observation.others { note("another sender \(act.text)", clock: clock) }
    if observation.scope == .error, let error = Self.text(observation.message) {
      note(error, clock: clock, isProblem: true)
    }
    // The app let go of us; the next status says whether it is still there.
    if observation.scope == .connection { isJoined = false }
    return observation.scope == .receiver ? join() : []
  }

  private static func text(_ message: JSONValue?) -> String? {
    guard let type = message?["type"]?.string, ["ERROR", "LOAD_FAILED", "LOAD_CANCELLED"].contains(type) else {
      return nil
    }
    let code = message?["detailedErrorCode"]?.int
    let name = code.flatMap { DetailedErrorCode.name(of: $0) }
    return ([type] + [code.map(String.init), name].compactMap(\.self)).joined(separator: " ")
  }

  private mutating func join() -> [Effect] {
    guard let app = snapshot.receiver?.application, !app.isIdleScreen, let transportID = app.transportID,
      app.namespaces.contains(.media)
    else { return [] }
    if joined?.sessionID != app.sessionID {
      joined = (app.sessionID, 0)
      isJoined = false
    }
    guard !isJoined, let count = joined?.count, count < Self.joinLimit else { return [] }
    isJoined = true
    joined = (app.sessionID, count + 1)
    return [
      .join(AppSession(appID: app.appID, sessionID: app.sessionID, transportID: transportID, isOurs: false))
    ]
  }

  // MARK: losing it

  /// - Parameter nextTry: When the first try begins; `nil`: at once.
  package mutating func lost(_ reason: String, at now: Duration, clock: String, nextTry: Duration? = nil) {
    snapshot.isConnected = false
    link = .lost(since: now, reason: reason, number: 1, nextTry: nextTry, failure: nil)
    note("lost: \(reason)", clock: clock, isProblem: true)
  }

  package mutating func trying(_ number: Int) {
    guard case .lost(let since, let reason, _, _, let failure) = link else { return }
    link = .lost(since: since, reason: reason, number: number, nextTry: nil, failure: failure)
  }

  package mutating func failed(_ number: Int, _ message: String, nextAt: Duration) {
    guard case .lost(let since, let reason, _, _, _) = link else { return }
    link = .lost(since: since, reason: reason, number: number + 1, nextTry: nextAt, failure: message)
  }

  /// - Returns: What to do, and how long it was away.
  package mutating func back(
    _ snapshot: DeviceSnapshot, on device: FoundDevice, authentication: AuthenticationFacts, at now: Duration,
    clock: String
  ) -> (effects: [Effect], away: Duration) {
    var away = Duration.zero
    if case .lost(let since, _, _, _, _) = link { away = now - since }
    link = .open
    self.snapshot = snapshot
    self.device = device
    self.authentication = Self.word(authentication)
    joined = nil
    note("back after \(away.seconds.decimals(1))s", clock: clock)
    return (join(), away)
  }

  // MARK: the person

  package mutating func pressed(_ key: TerminalKey, at now: Duration, clock: String) -> [Effect] {
    switch key {
    case .character("q"), .control("d"): return [.leave]
    case .character("?"), .character("h"):
      showsHelp.toggle()
      return []
    case .escape, .enter:
      showsHelp = false
      return []
    case .control("l"): return [.redraw]
    case .control("z"): return [.suspend]
    default: break
    }
    let control = RemoteControl(pending: pending, view: view(at: now))
    do throws(RemoteControl.Refusal) {
      guard let command = try control.command(for: key) else { return [] }
      guard link == .open else {
        note("\(command.text): the device is not reachable", clock: clock, isProblem: true)
        return []
      }
      return enqueue(command, at: now)
    } catch {
      note(error.message, clock: clock, isProblem: true)
      return []
    }
  }

  private mutating func enqueue(_ command: RemoteCommand, at now: Duration) -> [Effect] {
    guard !pending.isEmpty else {
      pending = [command]
      runningSince = now
      return [.run(command)]
    }
    if pending.count > 1, let merged = pending[pending.count - 1].merged(with: command) {
      pending[pending.count - 1] = merged
    } else if pending.count < Self.pendingLimit {
      pending.append(command)
    }
    return []
  }

  /// The command under way is over.
  /// - Parameter failure: Why it was not done.
  package mutating func finished(_ failure: StepFailure?, at now: Duration, clock: String) -> [Effect] {
    guard !pending.isEmpty else { return [] }
    let command = pending.removeFirst()
    if let failure { note("\(command.text): \(failure.message)", clock: clock, isProblem: true) }
    runningSince = nil
    // What was asked of a device that is gone now is not asked of it later.
    if link != .open { pending = [] }
    guard let next = pending.first else { return [] }
    runningSince = now
    return [.run(next)]
  }

  private mutating func note(_ text: String, clock: String, isProblem: Bool = false) {
    if notes.count >= Self.noteLimit { notes.removeFirst() }
    notes.append(Note(clock: clock, text: text, isProblem: isProblem))
  }

  /// Something worth telling from outside, such as what the device's proof was worth.
  package mutating func warn(_ text: String, clock: String) { note(text, clock: clock, isProblem: true) }
}
