import CastClient
import CastProtocol
package import RunReporting
import ScenarioLanguage

/// What another device needs to go on from where this one is.
struct PlaybackState: Sendable {
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
  /// The app's own words, where it has some (docs/protocol.md 3.7).
  var session: JSONValue?
}

/// Where what plays goes on.
package struct TransferTarget: Sendable {
  package var session: DeviceSession
  /// Of the same step, for that device.
  package var scope: ActionScope

  package init(session: DeviceSession, scope: ActionScope) {
    self.session = session
    self.scope = scope
  }
}

/// `transfer`: what plays on one device goes on on another.
extension DeviceSession {
  /// What plays here goes on on another device; this one stops only once that one plays.
  /// - Parameter target: Finds the other device, once it is known that there is something to go on with.
  package func transfer(
    stopsSource: Bool, _ scope: ActionScope,
    to target: @Sendable () async throws(StepFailure) -> TransferTarget
  ) async throws(StepFailure) {
    let state = try await playbackState(scope)
    let there = try await target()
    guard there.session !== self else {
      throw StepFailure(.invalidRequest, "a transfer from a device to itself", help: "name another device")
    }
    try await there.session.continuePlayback(state, from: self, there.scope)
    if stopsSource { try await perform(.stop, in: scope) }
  }

  /// How far the devices may be apart, in seconds.
  private static let tolerance = 2.0
  /// `supportedMediaCommands` of an app that can be taken elsewhere.
  private static let transferable = 262_144

  /// What plays here, for another device.
  private func playbackState(_ scope: ActionScope) async throws(StepFailure) -> PlaybackState {
    let connection = try requireConnection()
    let session = try requireApp()
    await catchUp(scope)
    guard let media = view(scope).media, media.playerState != .idle, let content = media.media ?? media.extendedMedia
    else {
      throw StepFailure(.invalidState, "nothing plays that could be transferred")
    }
    var queue: [QueueItem] = []
    do {
      queue = try await queueItems(needsItems: true, scope)
    } catch {
      // An app that tells nothing of a queue shows one item; the time of the step counts all the same.
      guard error.errorClass == .timeout || error.errorClass == .protocol, now < scope.deadline else { throw error }
    }
    // An item that comes without its content cannot be loaded elsewhere.
    let items = queue.filter { $0.media != nil }
    var state = PlaybackState(
      appID: session.appID, content: content, items: items,
      current: items.firstIndex { $0.itemID == media.currentItemID } ?? 0,
      repeatMode: media.repeatMode.flatMap(QueueRepeatMode.init), rate: media.playbackRate ?? 1,
      activeTracks: media.activeTrackIDs, isPaused: media.playerState == .paused,
      isLive: content.streamType == "LIVE", trackNames: own.loaded?.trackNames ?? [:],
      namesByContent: own.trackNames)
    // In a break the rate reads 0; it is the film's.
    if state.rate <= 0 { state.rate = 1 }
    if (media.supportedMediaCommands ?? 0) & Self.transferable != 0 {
      state.session = try? await connection.storeSession(
        in: session, until: min(scope.deadline, now + policies.timeouts.reply))
    }
    return state
  }

  /// Plays here what `source` plays, and waits until both are at the same position.
  private func continuePlayback(
    _ state: PlaybackState, from source: DeviceSession, _ scope: ActionScope
  ) async throws(StepFailure) {
    _ = try requireConnection()
    try await begin(state, from: source, scope)
    try await waitUntilInSync(with: source, state, scope)
  }

  /// Loads it here, from the position that the source has by now.
  private func begin(
    _ state: PlaybackState, from source: DeviceSession, _ scope: ActionScope
  ) async throws(StepFailure) {
    if let session = state.session {
      do {
        return try await load(state, scope) { connection, app throws(ClientError) in
          try await connection.resume(session, in: app, until: scope.deadline)
        }
      } catch {
        // The app here may not take what the other one gave: then it is told in the protocol's words.
        guard [.invalidRequest, .loadFailed, .invalidState].contains(error.errorClass) else { throw error }
      }
    }
    if state.items.count > 1 { return try await beginQueue(state, from: source, scope) }
    var request = LoadRequest(media: state.content)
    request.autoplay = !state.isPaused
    request.currentTime = state.isLive ? nil : await source.position
    if state.rate != 1 { request.playbackRate = state.rate }
    request.activeTrackIDs = state.activeTracks
    request.customData = state.items.first?.customData
    try await load(state, scope) { [request] connection, session throws(ClientError) in
      try await connection.load(request, in: session, until: scope.deadline)
    }
  }

  private func beginQueue(
    _ state: PlaybackState, from source: DeviceSession, _ scope: ActionScope
  ) async throws(StepFailure) {
    var items = state.items
    items[state.current].activeTrackIDs = state.activeTracks
    items[state.current].autoplay = !state.isPaused
    guard let chunks = QueueChunks(items, current: state.current) else {
      throw StepFailure(.refusedLocally, "the queue holds an item that is too long for one message")
    }
    var request = QueueLoadRequest(items: chunks.loaded)
    request.startIndex = 0
    request.repeatMode = state.repeatMode
    request.currentTime = state.isLive ? nil : await source.position
    try await load(state, scope) { [request] connection, session throws(ClientError) in
      try await connection.load(request, in: session, until: scope.deadline)
    }
    let first = view(scope).media?.currentItemID
    for chunk in chunks.following {
      let media = try requireMedia(scope)
      try await command(MediaRequest(.queueInsert(.init(items: chunk)), session: media), scope)
    }
    for chunk in chunks.preceding {
      let media = try requireMedia(scope)
      try await command(MediaRequest(.queueInsert(.init(items: chunk, insertBefore: first)), session: media), scope)
    }
    if state.rate != 1 { try await SetRate(target: .to(state.rate)).perform(on: self, in: scope) }
  }

  private func load(
    _ state: PlaybackState, _ scope: ActionScope,
    _ send: (CastConnection, AppSession) async throws(ClientError) -> Int
  ) async throws(StepFailure) {
    try await load(into: state.appID, state.trackNames, of: nil, scope, done: state.isPaused ? .paused : .playing, send)
    changeOwn { $0.nameTracks(state.namesByContent) }
  }

  /// Waits until this device shows the content within two seconds of where the source is; a slow start is made up for.
  private func waitUntilInSync(
    with source: DeviceSession, _ state: PlaybackState, _ scope: ActionScope
  ) async throws(StepFailure) {
    let content = state.content.contentID
    try await wait(scope, for: "the device to show the same content") { view, _ throws(StepFailure) in
      (view.media?.media ?? view.media?.extendedMedia)?.contentID == content
    }
    if state.isLive { return }
    for attempt in 1...3 {
      await source.catchUp(scope)
      await catchUp(scope)
      guard let wanted = await source.position, let reached = view(scope).position else { return }
      if abs(wanted - reached) <= Self.tolerance { return }
      if attempt == 3 {
        throw StepFailure(
          .timeout, "the device is \(abs(wanted - reached).decimals(1))s from where the other one is")
      }
      try await Seek(.to(wanted)).perform(on: self, in: scope)
    }
  }
}
