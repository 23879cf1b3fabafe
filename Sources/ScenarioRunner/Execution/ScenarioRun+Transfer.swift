import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// `transfer`: what plays here goes on on another device; this one stops only once it does.
extension ScenarioRun {
  /// What another device needs to go on where this one stands.
  private struct Standing {
    var appID: String
    var content: MediaInformation
    var items: [QueueItem]
    var current: Int
    var repeatMode: QueueRepeatMode?
    var rate: Double
    var activeTracks: [Int]?
    var isPaused: Bool
    var isLive: Bool
    var trackNames: [Int: String]
    var namesByContent: [String: [Int: String]]
    /// The app's own words, where it has some (cast-protocol.md 3.7).
    var session: JSONValue?
  }

  /// How far the devices may be apart.
  private static let tolerance = 2.0
  /// `supportedMediaCommands` of an app that can be taken elsewhere.
  private static let transferable = 262_144

  func transfer(_ action: Plan.TransferAction, of step: Plan.Step, until deadline: Duration) async throws(StepFailure) {
    let source = deviceIndex
    let standing = try await standing(until: deadline)
    let target = try await targetIndex(of: action.target, until: deadline)
    guard target != source else {
      throw StepFailure(.invalidRequest, "a transfer from a device to itself", help: "name another device")
    }
    try await onDevice(target) { () async throws(StepFailure) in
      _ = try requireConnection()
      try await begin(standing, from: source, until: deadline)
      try await meet(source, standing, until: deadline)
    }
    if action.stopsSource { try await stopMedia(until: deadline) }
  }

  private func standing(until deadline: Duration) async throws(StepFailure) -> Standing {
    let connection = try requireConnection()
    let session = try requireApp()
    await catchUp()
    guard let media = view.media, media.playerState != .idle, let content = media.media ?? media.extendedMedia else {
      throw StepFailure(.invalidState, "nothing plays that could be transferred")
    }
    var queue: [QueueItem] = []
    do {
      queue = try await queueItems(needsItems: true, until: deadline)
    } catch {
      // An app that tells nothing of a queue shows one item; the time of the step counts all the same.
      guard [.timeout, .protocol].contains(error.errorClass), now < deadline else { throw error }
    }
    // An item whose content nobody tells cannot be loaded elsewhere.
    let items = queue.filter { $0.media != nil }
    var standing = Standing(
      appID: session.appID, content: content, items: items,
      current: items.firstIndex { $0.itemID == media.currentItemID } ?? 0,
      repeatMode: media.repeatMode.flatMap(QueueRepeatMode.init), rate: media.playbackRate ?? 1,
      activeTracks: media.activeTrackIDs, isPaused: media.playerState == .paused,
      isLive: content.streamType == "LIVE", trackNames: loaded?.trackNames ?? [:],
      namesByContent: self.target.trackNames)
    // In a break the rate reads 0; it is the film's.
    if standing.rate <= 0 { standing.rate = 1 }
    if (media.supportedMediaCommands ?? 0) & Self.transferable != 0 {
      standing.session = try? await connection.storeSession(
        in: session, until: min(deadline, now + plan.timeouts.reply))
    }
    return standing
  }

  // MARK: the other device

  private func targetIndex(
    of target: Plan.TransferAction.Target, until deadline: Duration
  ) async throws(StepFailure) -> Int {
    switch target {
    case .role(let name):
      if let index = deviceIndex(ofRole: name) { return index }
      throw StepFailure(.notFound, "no device has the role `\(name)`")
    case .device(let selector):
      let found: [FoundDevice]
      do {
        found = try await access.find(selector, min(plan.timeouts.discover, max(.zero, deadline - now)))
      } catch {
        throw tellNotFound(error, for: selector)
      }
      if Task.isCancelled { throw .cancelled }
      guard found.count == 1, let device = found.first else {
        let failure = StepFailure(found.isEmpty ? .notFound : .ambiguous, "")
        throw tellNotFound(failure, candidates: found, for: selector)
      }
      if let known = devices.firstIndex(where: { $0.device?.isSame(as: device) == true }) { return known }
      return try await join(device, selector)
    }
  }

  /// Another device takes part from here on.
  private func join(_ device: FoundDevice, _ selector: Plan.DeviceSelector) async throws(StepFailure) -> Int {
    let index = devices.count
    let names = devices.map(\.name)
    devices.append(RunDevice(role: nil, selector: selector, monitors: []))
    lanes[Lane.watching(device: index)] = Lane(device: index)
    try await onDevice(index) { () async throws(StepFailure) in
      take(device, called: DeviceName.name(of: device, selector: selector).unique(among: names))
      wire?.enter(step: stepID, attempt: attempt)
      try await openConnection(to: device)
      await catchUp()
      startWatching()
    }
    return index
  }

  // MARK: going on

  /// Loads what was standing, from where it is by now.
  private func begin(_ standing: Standing, from source: Int, until deadline: Duration) async throws(StepFailure) {
    if let state = standing.session {
      do {
        return try await load(standing, until: deadline) { connection, session throws(ClientError) in
          try await connection.resume(state, in: session, until: deadline)
        }
      } catch {
        // The app here may not take what the other one gave: then it is told in the protocol's words.
        guard [.invalidRequest, .loadFailed, .invalidState].contains(error.errorClass) else { throw error }
      }
    }
    if standing.items.count > 1 { return try await beginQueue(standing, from: source, until: deadline) }
    var request = LoadRequest(media: standing.content)
    request.autoplay = !standing.isPaused
    request.currentTime = standing.isLive ? nil : position(of: source)
    if standing.rate != 1 { request.playbackRate = standing.rate }
    request.activeTrackIDs = standing.activeTracks
    request.customData = standing.items.first?.customData
    try await load(standing, until: deadline) { [request] connection, session throws(ClientError) in
      try await connection.load(request, in: session, until: deadline)
    }
  }

  private func beginQueue(_ standing: Standing, from source: Int, until deadline: Duration) async throws(StepFailure) {
    var items = standing.items
    items[standing.current].activeTrackIDs = standing.activeTracks
    items[standing.current].autoplay = !standing.isPaused
    guard let chunks = QueueChunks(items, current: standing.current) else {
      throw StepFailure(.refusedLocally, "the queue holds an item that is too long for one message")
    }
    var request = QueueLoadRequest(items: chunks.loaded)
    request.startIndex = 0
    request.repeatMode = standing.repeatMode
    request.currentTime = standing.isLive ? nil : position(of: source)
    try await load(standing, until: deadline) { [request] connection, session throws(ClientError) in
      try await connection.load(request, in: session, until: deadline)
    }
    let first = view.media?.currentItemID
    for chunk in chunks.following {
      try await command(.queueInsert(mediaSessionID: requireMedia(), .init(items: chunk)), deadline)
    }
    for chunk in chunks.preceding {
      try await command(
        .queueInsert(mediaSessionID: requireMedia(), .init(items: chunk, insertBefore: first)), deadline)
    }
    if standing.rate != 1 { try await setRate(.to(.literal(standing.rate)), until: deadline) }
  }

  private func load(
    _ standing: Standing, until deadline: Duration,
    _ send: (CastConnection, AppSession) async throws(ClientError) -> Int
  ) async throws(StepFailure) {
    try await loadMedia(
      standing.appID, trackNames: standing.trackNames, until: deadline, done: standing.isPaused ? .paused : .playing,
      send)
    target.trackNames = standing.namesByContent
  }

  /// Waits until this device shows the content within two seconds of where the source is; a slow start is made up for.
  private func meet(_ source: Int, _ standing: Standing, until deadline: Duration) async throws(StepFailure) {
    let content = standing.content.contentID
    try await wait(until: deadline, for: "the device to show the same content") { view, _ throws(StepFailure) in
      (view.media?.media ?? view.media?.extendedMedia)?.contentID == content
    }
    if standing.isLive { return }
    for attempt in 1...3 {
      await onEachDevice { await catchUp() }
      guard let wanted = position(of: source), let reached = view.position else { return }
      if abs(wanted - reached) <= Self.tolerance { return }
      if attempt == 3 {
        throw StepFailure(
          .timeout, "the device is \(abs(wanted - reached).decimals(1))s from where the other one is")
      }
      try await seek(Plan.SeekAction(target: .to(.literal(wanted))), until: deadline)
    }
  }

  /// Where the media of a device is now; `nil` when that is not known.
  private func position(of index: Int) -> Double? {
    let device = devices[index]
    return StatusView(device.lastSnapshot, at: now, loaded: device.loaded, secrets: secrets).position
  }
}
