import CastProtocol

/// Sets the device's volume; done when a RECEIVER_STATUS shows it within one of the device's steps.
struct VolumeStateMachine: OperationStateMachine {
  private let level: Double?
  private let muted: Bool?
  private let before: Double?
  private var last: ReceiverStatus.Volume?

  /// - Parameter before: The device's level now.
  init(level: Double?, muted: Bool?, before: Double? = nil) {
    self.level = level
    self.muted = muted
    self.before = before
  }

  var volumeChange: VolumeChange? { VolumeChange(from: before, to: level) }

  var changes: Set<OtherSenderAction.Subject> { [.volume] }
  var timeout: ClientError {
    guard let last else { return ClientError(.timeout, "no reply to SET_VOLUME") }
    let state = "level \(last.level.map { "\($0)" } ?? "unknown"), muted \(last.muted.map { "\($0)" } ?? "unknown")"
    return ClientError(.timeout, "the device still says \(state)")
  }

  mutating func begin(at now: Duration) -> [OperationEffect] {
    // One request has one of the two, never both.
    var effects: [OperationEffect] = []
    if let level { effects.append(.request(.receiver(.setVolume(level: level, muted: nil)))) }
    if let muted { effects.append(.request(.receiver(.setVolume(level: nil, muted: muted)))) }
    return effects.isEmpty ? [.finish(.success(.done))] : effects
  }

  mutating func receive(_ event: OperationEvent, at now: Duration) -> [OperationEffect] {
    switch event {
    case .receiverStatus(let status, _):
      last = status.volume
      return isReached(status.volume) ? [.finish(.success(.done))] : []
    case .refused(let refusal, _, .own(.deviceVolume)):
      return [.finish(.failure(ClientError(refusal)))]
    default:
      return []
    }
  }

  private func isReached(_ volume: ReceiverStatus.Volume) -> Bool {
    if let muted, volume.muted != muted { return false }
    guard let level else { return true }
    // Levels are 32-bit floats widened, hence the millionth.
    return abs((volume.level ?? -1) - level) <= volume.step + 1e-6
  }
}
