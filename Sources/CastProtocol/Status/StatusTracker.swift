/// Puts partial statuses together: the only maker of a ``DeviceSnapshot``. Source: docs/protocol.md 4.4.
///
/// It judges by what the device says alone; which requests are ours is the client's to know.
package struct StatusTracker: Sendable {
  /// The merged state after the last input.
  package private(set) var snapshot = DeviceSnapshot()
  /// An app that closed its virtual connection, until the device lists it again.
  private var closedTransport: EndpointID?

  /// What an input changed, or could have changed.
  package enum Change: Hashable, Sendable {
    case receiver, media
    /// The queue's items or their order; no new status.
    case queue
    /// The members of a group.
    case members
    /// A failure was reported; ``DeviceSnapshot/detailedErrorCode`` may be new.
    case fault
  }

  package init() {}

  // MARK: the connection

  /// The socket opened. Nothing from before counts any more: what changed meanwhile was not pushed to us.
  package mutating func connected() {
    snapshot = DeviceSnapshot()
    snapshot.isConnected = true
    closedTransport = nil
  }

  /// The socket closed; what was last known stays to be seen.
  package mutating func disconnected() { snapshot.isConnected = false }

  /// An app sent CLOSE: its media session is over for us, and what it may still say does not count until a
  /// RECEIVER_STATUS lists it again. Whether it still runs is for the device to say.
  package mutating func appClosed(_ transport: EndpointID) {
    closedTransport = transport
    if snapshot.mediaSource == transport { forgetMedia() }
  }

  // MARK: messages

  /// Takes a message of the device.
  /// - Returns: What it is about; `nil` where it says nothing of the status, and for apps that are not current.
  @discardableResult
  package mutating func receive(_ message: IncomingMessage, at now: Duration) -> Change? {
    switch message.body {
    case .receiver(let content): receive(content, raw: message.payload, at: now)
    case .media(let content): receive(content, raw: message.payload, from: message.source, at: now)
    case .multizone(let content): message.source == .receiver ? receive(content) : nil
    case .deviceInfo, .connection, .deviceAuth, .heartbeat, .other, .unreadable: nil
    }
  }

  /// Takes news of a group; what one member says counts once all are known.
  @discardableResult
  package mutating func receive(_ message: MultizoneMessage) -> Change? {
    switch message {
    case .status(_, let status?):
      snapshot.multizone = status.limited
      return .members
    case .deviceAdded(let device), .deviceUpdated(let device):
      guard snapshot.multizone?.merge(device) == true else { return nil }
      return .members
    case .deviceRemoved(let id):
      guard snapshot.multizone?.remove(id) == true else { return nil }
      return .members
    case .status(_, nil), .other: return nil
    }
  }

  /// Takes a message of the platform; `raw` is its payload.
  @discardableResult
  package mutating func receive(_ message: ReceiverMessage, raw: MessageContent, at now: Duration) -> Change? {
    switch message {
    case .status(_, let status?):
      receive(status)
      snapshot.receiverMessage = raw
      return .receiver
    case .launchError, .invalidRequest: return .fault
    case .status(_, nil), .launchStatus, .appAvailability, .other: return nil
    }
  }

  /// Takes a message of an app; `raw` is its payload. One from an app that is not current is dropped.
  @discardableResult
  package mutating func receive(
    _ message: MediaMessage, raw: MessageContent, from source: EndpointID, at now: Duration
  ) -> Change? {
    guard isCurrent(source) else { return nil }
    switch message {
    case .status(_, let element):
      if let element = element.projectedValue { merge(element.value, from: source, at: now) } else { forgetMedia() }
      snapshot.mediaMessage = raw
      return .media
    case .loadFailed(_, let fault), .error(_, let fault):
      snapshot.detailedErrorCode = fault.detailedErrorCode ?? snapshot.detailedErrorCode
      return .fault
    case .loadCancelled, .invalidPlayerState, .invalidRequest: return .fault
    case .queueChange(_, let change):
      snapshot.media?.apply(change)
      return .queue
    case .queueItemIDs(_, let ids):
      snapshot.media?.queueItemIDs = ids
      return .queue
    case .queueItems: return .queue
    case .sessionState, .other: return nil
    }
  }

  /// Before the first RECEIVER_STATUS nobody knows which app is current.
  private func isCurrent(_ transport: EndpointID) -> Bool {
    guard transport != closedTransport else { return false }
    guard let receiver = snapshot.$receiver else { return true }
    return receiver.value.application?.transportID == transport
  }

  private mutating func receive(_ status: ReceiverStatus) {
    let old = snapshot.$receiver
    var status = status
    // A status without any word on the volume does not mean that there is none.
    if status.volume == ReceiverStatus.Volume() { status.volume = old?.value.volume ?? status.volume }
    snapshot.receiver = status
    let app = status.application
    if app?.transportID == closedTransport { closedTransport = nil }
    let isSameSession = old?.value.application.map { $0.sessionID == app?.sessionID } ?? true
    let isSameSource = snapshot.mediaSource.map { $0 == app?.transportID } ?? true
    if !isSameSession || !isSameSource { forgetMedia() }
  }

  private mutating func merge(_ element: MediaStatus.Element, from source: EndpointID, at now: Duration) {
    let known = snapshot.mediaSource == source ? snapshot.$media : nil
    let id = element.mediaSessionID ?? known?.value.mediaSessionID ?? 0
    let current = known?.value.mediaSessionID == id ? known : nil
    let position = current == nil ? nil : snapshot.position(at: now)
    var media = current?.value ?? MediaStatus()
    // The status that ended what was there has said what comes (docs/protocol.md 6.3).
    if current == nil, known?.value.extendedMediaSessionID == id { media.$media = known?.value.$extendedMedia }
    media.mediaSessionID = id
    media.merge(element)

    let hasTime = element.hasTime
    if hasTime || media.breakStatus != nil { snapshot.mediaTimeReceivedAt = now }
    snapshot.carriedPosition = hasTime ? nil : position.map { DeviceSnapshot.CarriedPosition(seconds: $0, at: now) }
    if element.hasLiveRange { snapshot.liveRangeReceivedAt = now }
    // A LOAD_FAILED may come just before the first status of the media session it ended.
    let tellsOfFailure = media.playerState == .idle && media.idleReason == .error
    if current == nil, !tellsOfFailure { snapshot.detailedErrorCode = nil }
    snapshot.media = consume media
    snapshot.mediaSource = source
  }

  private mutating func forgetMedia() {
    snapshot.media = nil
    snapshot.mediaSource = nil
    snapshot.carriedPosition = nil
    snapshot.detailedErrorCode = nil
    snapshot.mediaMessage = nil
  }
}
