import CastProtocol

/// The device's volume; a stream has its own. Source: docs/protocol.md 3.3.
struct DeviceVolume: Hashable, Sendable {
  private(set) var level: Double
  private(set) var isMuted = false
  private let control: ReceiverConfiguration.VolumeControl
  private let step: Double

  init(_ configuration: ReceiverConfiguration) {
    control = configuration.volumeControl
    let step = configuration.volumeStep
    self.step = step > 0 && step <= 1 ? step : 1
    level = 0
    level = rounded(configuration.volumeLevel)
  }

  /// Applies the `volume` of a SET_VOLUME; muting leaves the level as it is and the other way round.
  /// - Returns: False when it says nothing that can be applied.
  mutating func set(_ volume: JSONValue?) -> Bool {
    guard let object = volume?.object else { return false }
    let level = object.given("level")
    let muted = object.given("muted")
    if level == nil && muted == nil { return false }
    if level != nil && level?.amount == nil || muted != nil && muted?.flag == nil { return false }
    if control == .fixed { return true }
    if let amount = level?.amount { self.level = rounded(amount) }
    if let flag = muted?.flag { isMuted = flag }
    return true
  }

  /// Takes what another part of the same group has set.
  mutating func set(level: Double, isMuted: Bool) {
    if control == .fixed { return }
    self.level = rounded(level)
    self.isMuted = isMuted
  }

  /// Goes up or down by so many steps; louder ends a mute.
  mutating func change(bySteps count: Int) {
    if control == .fixed { return }
    level = rounded(level + Double(count) * step)
    if count > 0 { isMuted = false }
  }

  mutating func toggleMuted() { if control != .fixed { isMuted.toggle() } }

  var json: JSONValue {
    [
      "controlType": .string(control.rawValue), "level": Self.widened(level), "muted": .bool(isMuted),
      "stepInterval": Self.widened(step),
    ]
  }

  private func rounded(_ level: Double) -> Double {
    guard level.isFinite else { return self.level }
    return min(1, (max(0, min(1, level)) / step).rounded() * step)
  }

  /// Devices keep 32-bit floats and print them widened: 0.1 becomes 0.10000000149011612.
  static func widened(_ number: Double) -> JSONValue { JSONValue(Double(Float(number))) }
}
