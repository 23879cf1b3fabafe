import CastProtocol
import DeviceControl
import RunReporting
package import ScenarioLanguage
import Synchronization

/// One screen of a playlist: it looks at its device, decides what should be on, and acts, for ever.
package actor Screen {
  /// What events and the ledger call it.
  package nonisolated let name: String
  let world: ScreenWorld
  let device: DeviceSession
  nonisolated let owner: ScreenOwner
  let timeouts: Plan.Timeouts
  /// What other systems call the screen.
  let ids: [String: String]
  private(set) var cursor: ScreenCursor
  private var account: PlayAccount
  /// What is on screen, as far as we know; a restart adopts it.
  private var onScreen: OnScreen?
  /// An item to go on with before the cursor is asked: a connection was lost under it, or it was found on the screen.
  private var pending: Pending?
  /// An edited program, which counts from the next item on.
  private nonisolated let edited = Mutex<Program?>(nil)
  /// Orders and changed triggers.
  nonisolated let signals: ScreenSignals
  /// Runs that want the device.
  nonisolated let loans: ScreenLoans
  private var failuresInRow = 0
  /// Over which content the device was lost last, and how often in a row.
  private var lossesOver: String?
  private var lossesInRow = 0
  /// What an earlier process left on the screen.
  private var leftover: String?
  /// What the device called it, as it was stored.
  private(set) var leftoverAddress: String?
  private var isMutedByUs = false
  /// What is in no record yet: the item that is on, as far as it was seen.
  private var ongoing: LedgerRecord.Play?
  /// The black picture of quiet hours; `nil`: it is not on.
  private(set) var black: Black?
  private var hasToldNoBlack = false
  /// The content that stands behind what plays in the receiver's queue.
  private(set) var queued: String?
  /// How often in a row the receiver did not take the next item.
  private(set) var refusals = 0
  private var lastComplaint: String?
  private var lastAddress: String?
  /// The device was lost, and nothing was told of what is on since.
  private var wasLost = false
  var returnPace = ReturnPace()
  /// Quiet hours were on: the next item waits until the site's program has switched the screens on.
  private var wasQuiet = false
  /// What was passed over, until it is known whether something is shown in its place.
  private var openSkip: LedgerRecord.Skip?

  /// What a screen shows.
  struct OnScreen: Sendable {
    var showing: Showing
    /// Unix time at which it began.
    var since: Double
    /// When it was loaded last, on the show clock.
    var loadedAt: Duration
    /// The address that the device was sent, as it may be stored.
    var address: String?
  }

  struct Pending: Sendable {
    var showing: Showing
    /// For how long it was on.
    var shown: Duration
    /// How often in a row the device was lost over it.
    var losses = 0
  }

  /// - Parameters:
  ///   - name: What events and the ledger call it.
  ///   - number: Its place among the screens of its process, from 0.
  ///   - seed: Drives shuffles.
  package init(
    _ name: String, number: Int = 0, selector: Plan.DeviceSelector, program: Program, seed: UInt64,
    in world: ScreenWorld
  ) {
    self.name = name
    self.world = world
    let owner = ScreenOwner(clock: world.times.show)
    self.owner = owner
    let tell: @Sendable (ScreenEvent) -> Void = { world.tell(name, $0) }
    let plan = program.plan
    var timeouts = Plan.Timeouts()
    timeouts.reply = timeouts.reply * world.speed
    timeouts.launch = timeouts.launch * world.speed
    timeouts.load = timeouts.load * world.speed
    timeouts.step = timeouts.step * world.speed
    self.timeouts = timeouts
    ids = selector.foreignIDs ?? [:]
    var policies = SessionPolicies(
      screenOf: plan.id, inventory: plan.inventory, timeouts: timeouts, authentication: world.authentication)
    policies.secrets = world.secrets
    policies.addressSeal = world.addressSeal
    policies.launchedApps = world.launchedApps
    policies.hold = DeviceHold(world.locking)
    let emitter = EventEmitter(
      show: world.times.show, wallClock: world.unixTime,
      sink: ScreenDiagnostics(tell: tell, heard: { world.heard(name) }), secrets: world.secrets)
    device = DeviceSession(
      number: number, selector: selector, policies: policies, access: world.access, times: world.times,
      emitter: emitter, owner: owner, random: world.random)
    let now = world.unixTime()
    cursor = ScreenCursor(program, at: Int(now), seed: seed, screen: name)
    account = PlayAccount(screen: name, from: now, reason: .deviceOff)
    let signals = ScreenSignals()
    (self.signals, loans) = (signals, ScreenLoans(signals))
    world.triggers.observe { signals.raise() }
  }

  /// Two playlists may have screens of one name.
  nonisolated var claimant: String { "\(name) in \(device.policies.document)" }
  var plan: PlaylistPlan { cursor.program.plan }
  nonisolated var isEdited: Bool { edited.withLock { $0 != nil } }
  var now: Duration { world.times.show.now }
  var unixTime: Double { world.unixTime() }
  /// Whole Unix seconds, by which the program decides.
  var moment: Int { Int(unixTime.rounded(.down)) }

  func tell(_ event: ScreenEvent) { world.tell(name, event) }

  /// Tells of a problem once, until another or none comes.
  func complain(_ text: String, _ event: ScreenEvent) {
    if text == lastComplaint { return }
    lastComplaint = text
    tell(event)
  }

  func endComplaint() { lastComplaint = nil }

  func noteLoss() { wasLost = true }

  func noteQuiet() { wasQuiet = true }

  /// It is this screen's turn.
  /// - Parameter wait: How long it may wait for what it is about to do, besides the usual.
  func promiseTurn(waiting wait: Duration = .zero) {
    world.turns.note(claimant, nextBy: now + wait + ScreenTurns.longest * world.speed)
  }

  /// - Returns: Whether the device was lost since it was told last what is on.
  func endLoss() -> Bool {
    defer { wasLost = false }
    return wasLost
  }

  /// Tells where the device is, once until it moves.
  func tellFound(_ device: FoundDevice) {
    guard device.address.text != lastAddress else { return }
    lastAddress = device.address.text
    tell(.found(device))
  }

  /// Takes an edited program from the next item on.
  package nonisolated func replace(_ program: Program) {
    edited.withLock { $0 = program }
    signals.raise()
  }

  // MARK: from begin to end

  /// Serves the screen until the task is cancelled, or somebody else takes it where the playlist says to stop then.
  package func run() async {
    recall(world.recall(name))
    await reach()
    await learnAddresses([pending?.showing.content, leftover].compactMap(\.self))
    await adopt()
    // The next item is loaded without asking again who has the screen.
    var takesBack = false
    var pace = Pace()
    while !Task.isCancelled {
      promiseTurn()
      if let wait = pace.wait(at: now) { try? await world.times.show.sleep(for: wait) }
      if let loan = loans.take() {
        await lend(to: loan)
        // The screen is the program's again, whatever the run left on it.
        takesBack = true
        continue
      }
      if await device.needsConnection {
        await regain()
        continue
      }
      takeEdit()
      let cause = owner.take()
      if !takesBack, let taker = await takerInTheWay(after: cause) {
        let next = await yield(to: taker)
        if case .end = next { break }
        takesBack = if case .takeBack = next { true } else { false }
        continue
      }
      takesBack = false
      await act()
    }
    record(account.end(at: unixTime))
    remember()
    await device.leave()
    device.policies.hold.end()
    world.claims.release(claimant)
    world.turns.rest(claimant)
    loans.take()?.granted.open()
  }

  /// Does what is to be done now, up to the next decision.
  private func act() async {
    let time = moment
    _ = takeSignals(nil)
    if wasQuiet, !cursor.isQuiet(at: time) {
      wasQuiet = false
      await world.switchedOn()
    }
    // The receiver went on to the next item while the device was lost over the one before.
    if queued != nil, await device.isAtNextItem { pending = nil }
    if let pending = takePending(at: time) {
      return await show(pending.showing, shown: pending.shown, decidedAt: time)
    }
    let duty = cursor.next(at: time)
    switch duty {
    case .show(let showing): await show(showing, decidedAt: time)
    case .rest(let screen, let decision): await rest(screen, decision)
    case .nothing: await showNothing()
    }
  }

  /// What was interrupted by no decision of ours goes on, if it would still be on.
  private func takePending(at time: Int) -> Pending? {
    defer { pending = nil }
    guard let pending else { return nil }
    if pending.losses > Self.mostLosses {
      // An item over which the device is lost again and again is none for this device.
      recordSkip(.init(at: unixTime, item: pending.showing.name, reason: ErrorClass.connectionLost.rawValue))
      return nil
    }
    let decision = cursor.decision(at: time)
    switch pending.showing.part {
    case .rule(let index): return decision.content == .rule(index) ? pending : nil
    case .fallback: return decision.content == .fallback ? pending : nil
    case .interrupt, .order:
      if case .quiet = decision.content { return nil }
      return pending
    }
  }

  private func takeEdit() {
    let program = edited.withLock { program in
      defer { program = nil }
      return program
    }
    guard let program else { return }
    cursor.replace(program)
    pending = nil
    tell(.reloaded)
  }

  // MARK: what others of its files change

  func record(_ records: [LedgerRecord]) { for record in records { world.record(record) } }

  func changeAccount(_ change: (inout PlayAccount) -> [LedgerRecord]) {
    let records = change(&account)
    if records.isEmpty { return }
    ongoing = nil
    record(records)
    // The next process must not account for this time again.
    remember()
  }

  /// Stores how far an item was seen that is on still.
  func setOngoing(_ play: LedgerRecord.Play) {
    ongoing = play
    remember()
  }

  func recordSkip(_ skip: LedgerRecord.Skip) { record([account.skip(skip)]) }

  /// Something is to be shown in place of what was passed over.
  func openSkip(_ skip: LedgerRecord.Skip) { openSkip = skip }

  /// - Parameter name: What is shown in its place; `nil`: nothing.
  func closeSkip(shown name: String?) {
    guard var skip = openSkip else { return }
    openSkip = nil
    skip.shownInstead = name
    recordSkip(skip)
  }

  func changeCursor<T>(_ change: (inout ScreenCursor) -> T) -> T { change(&cursor) }

  private static let mostLosses = 3

  /// An item that was on for so long before the device was lost did not cause the loss.
  private static let harmless = Duration.seconds(60)

  /// The device was lost over an item, which goes on when it is back.
  /// - Parameters:
  ///   - shown: For how long it was on, before earlier losses, too.
  ///   - stretch: For how long it was on since it was loaded last.
  func setPending(_ showing: Showing, shown: Duration, after stretch: Duration = .zero) {
    lossesInRow = lossesOver == showing.content && stretch < Self.harmless ? lossesInRow + 1 : 1
    lossesOver = showing.content
    pending = Pending(showing: showing, shown: shown, losses: lossesInRow)
  }

  func setOnScreen(_ new: OnScreen?) {
    onScreen = new
    if new != nil { black = nil }
    remember()
  }

  func setBlack(_ new: Black?) {
    black = new
    if new != nil { hasToldNoBlack = false }
    remember()
  }

  /// Tells once that the black picture cannot be shown.
  func tellNoBlack(_ failure: StepFailure) {
    if hasToldNoBlack { return }
    hasToldNoBlack = true
    tell(.note("the black picture cannot be shown, the app is ended instead: \(failure.message)"))
  }

  /// - Parameter content: What stands behind what plays; `nil`: nothing.
  func setQueued(_ content: String?) {
    queued = content
    if content != nil { refusals = 0 }
  }

  func countRefusal() { refusals += 1 }
  /// The device is connected anew, and may be another.
  func forgetRefusals() { refusals = 0 }

  var shownNow: OnScreen? { onScreen }
  /// What no record is about yet: since when, and why nothing is on if nothing is.
  var unrecorded: (since: Double, reason: LedgerRecord.GapReason) { (account.covered, account.reason) }
  /// Seconds of the current item that statuses prove.
  var shownForCertain: Double { ongoing?.shown ?? 0 }
  var muted: Bool { isMutedByUs }
  func setMuted(_ isMuted: Bool) { isMutedByUs = isMuted }

  /// - Returns: How many items in a row would not be shown.
  func countFailure() -> Int {
    failuresInRow += 1
    return failuresInRow
  }

  func endFailures() {
    failuresInRow = 0
    if shownNow?.showing.content != lossesOver { (lossesOver, lossesInRow) = (nil, 0) }
  }

  // MARK: what a restart goes on with

  private static let version = 1

  func remember() {
    var object: JSONObject = ["v": .int(Self.version), "cursor": cursor.json, "covered": JSONValue(account.covered)]
    if isMutedByUs { object["muted"] = true }
    if let ongoing {
      let record = LedgerRecord(screen: name, .play(ongoing))
      object["ongoing"] = .object(JSONObject(record.members(in: cursor.program.zone)))
    }
    if let onScreen {
      var on: JSONObject = [
        "content": .string(onScreen.showing.content), "part": .string(onScreen.showing.part.key),
        "index": .int(onScreen.showing.index), "since": JSONValue(onScreen.since),
      ]
      on["address"] = onScreen.address.map { .string($0) }
      object["on"] = .object(on)
    }
    if let black {
      object["black"] = [
        "address": .string(black.address), "since": JSONValue(unixTime - (now - black.loadedAt).seconds),
      ]
    }
    world.remember(name, .object(object))
  }

  private func recall(_ stored: JSONValue?) {
    guard let stored, stored["v"]?.int == Self.version else { return }
    if let json = stored["cursor"] { cursor.restore(json) }
    if let covered = stored["covered"]?.number, covered < unixTime {
      account = PlayAccount(screen: name, from: covered, reason: .stopped)
      if let json = stored["ongoing"], case .play(let play)? = LedgerRecord(json)?.kind,
        covered < play.end, play.end < unixTime
      {
        // The process was killed while it was on.
        record(account.play(play, to: play.end) + account.rest(at: play.end, .stopped))
      }
      record(account.rest(at: unixTime, .deviceOff))
    }
    isMutedByUs = stored["muted"]?.bool ?? false
    leftover = stored["on"]?["content"]?.string
    leftoverAddress = stored["on"]?["address"]?.string
    if let address = stored["black"]?["address"]?.string, let since = stored["black"]?["since"]?.number {
      device.noteServed(LocalMedia.black, as: address)
      black = Black(loadedAt: now - .clamped(seconds: max(0, unixTime - since)), address: address)
    }
    guard let on = stored["on"], let part = on["part"]?.string, let index = on["index"]?.int,
      let showing = cursor.showing(part: part, index: index), showing.content == on["content"]?.string,
      let since = on["since"]?.number, since <= unixTime
    else { return }
    pending = Pending(showing: showing, shown: .clamped(seconds: unixTime - since))
  }

  /// Goes on with what an earlier process left on the screen: no flash, no chime.
  private func adopt() async {
    guard !Task.isCancelled, await !device.needsConnection else { return }
    let isAdopted = await device.adopt(appID: plan.appID, within: timeouts.reply, playing: ownContents)
    let isSame = isAdopted ? await playsNow(pending?.showing.content) : false
    // What is ours but not what should be on is simply loaded over.
    if !isSame { pending = nil }
  }

  /// What may be on because of us; also what the playlist had before it was edited.
  var ownContents: OwnContents {
    OwnContents(
      plan.contents + [leftover, black.map { _ in LocalMedia.black }].compactMap(\.self), stored: leftoverAddress)
  }

  /// Whether the player has this content on.
  func playsNow(_ content: String?) async -> Bool {
    guard let content else { return false }
    // An earlier process may have sent another value of its secret.
    let stored = content == leftover && SecretPlaceholder.occurs(in: content) ? leftoverAddress : nil
    return await device.plays(oneOf: OwnContents([content], stored: stored))
  }
}

extension PlaylistPlan {
  /// The addresses of everything that it may show.
  package var contents: [String] {
    (program.flatMap(\.items) + interrupts.flatMap(\.items) + fallback).map(\.media.contentID)
  }
}
