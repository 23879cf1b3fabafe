package import CastProtocol
package import DeviceControl
package import RunReporting
package import ScenarioLanguage

/// What the screens of a process need of the world around them.
package struct ScreenWorld: Sendable {
  package var access: DeviceAccess
  package var times: TimeSources
  /// How many times as fast the show clock runs as the network's: what guards the network keeps its real length.
  package var speed = 1.0
  /// Unix time in seconds; it may jump, as clocks are set.
  package var unixTime: @Sendable () -> Double
  /// Numbers from 0 to 1, for the waits of reconnecting.
  package var random: @Sendable () -> Double
  private let ledger: any LedgerSink
  /// What keeps other runs of this computer off the devices.
  package var locking = DeviceLocking.none
  package var launchedApps = LaunchedApps.none
  /// How every device has to prove itself, whatever the playlist says; `nil`: as the playlist says.
  package var authentication: Plan.DeviceRequirements.Authentication?
  /// Shared by all screens of a process.
  package var claims = DeviceClaims()
  /// Shared by all screens of a process.
  package var turns = ScreenTurns()
  /// Returns when the site's program has switched the screens on after quiet hours, or as if it had; soon in any case.
  package var switchedOn: @Sendable () async -> Void = {}
  /// Of the playlist whose screens these are.
  package var triggers = TriggerBoard()
  /// What a screen left behind when it was served last, by its name; `nil`: nothing.
  package var recall: @Sendable (_ screen: String) -> JSONValue? = { _ in nil }
  /// Stores what a restart goes on with; must return soon.
  package var remember: @Sendable (_ screen: String, JSONValue) -> Void = { _, _ in }
  /// Of the playlist whose screens these are: the values go to its devices, and into nothing that is told or recorded.
  package var secrets = Secrets()
  /// How addresses with values of secrets are remembered.
  package var addressSeal = AddressSeal.none
  /// A receiver has sent a status; must return soon.
  package var heard: @Sendable (_ screen: String) -> Void = { _ in }
  private let listener: @Sendable (_ screen: String, ScreenEvent) -> Void

  package init(
    access: DeviceAccess, times: TimeSources, unixTime: @escaping @Sendable () -> Double,
    random: @escaping @Sendable () -> Double, ledger: any LedgerSink,
    tell: @escaping @Sendable (_ screen: String, ScreenEvent) -> Void
  ) {
    self.access = access
    self.times = times
    self.unixTime = unixTime
    self.random = random
    self.ledger = ledger
    listener = tell
  }

  /// Tells what happened on a screen. All that screens tell passes here, so that no secret can.
  func tell(_ screen: String, _ event: ScreenEvent) { listener(screen, event.hidden(by: secrets)) }

  /// Records what a screen showed; no secret can pass either.
  func record(_ record: LedgerRecord) { ledger.record(record.hidden(by: secrets)) }
}
