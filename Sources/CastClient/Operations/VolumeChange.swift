/// A change of the device's volume that was ours: what devices tell of it later is no act of others.
struct VolumeChange: Hashable, Sendable {
  /// Devices tell of a volume once more when it has settled.
  private static let settling = Duration.seconds(1)
  /// Televisions go there step by step.
  private static let ramp = Duration.seconds(10)

  /// The level before; `nil`: unknown.
  var from: Double?
  /// The level asked for; `nil`: only muting was.
  var to: Double?

  /// Whether `act`, told this long after the change was over, is part of it.
  /// - Parameter step: How far apart two levels are that the device tells apart.
  func explains(_ act: OtherSenderAction, after time: Duration, step: Double) -> Bool {
    if time <= Self.settling { return true }
    guard time <= Self.ramp, case .setVolume(let level) = act, let to else { return false }
    let from = from ?? to
    return min(from, to) - step <= level && level <= max(from, to) + step
  }
}
