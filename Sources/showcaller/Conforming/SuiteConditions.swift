import CastClient
import ScenarioLanguage

/// Under which conditions a suite is run on each of its devices.
struct SuiteConditions: Sendable {
  /// Whether the device is a receiver of this process.
  var isVirtual = false
  /// Document seconds in a real one.
  var speed = 1.0
  /// How long the checks of a device may take.
  var limit = Duration.seconds(900)
  /// How long a device is waited for that another run has.
  var patience = Duration.zero
  /// What the proof of a device must be worth; `nil`: as the settings say.
  var authentication: AuthenticationMode?
  var trust: TrustOptions
  /// The certificates that ``trust`` names.
  var roots: [[UInt8]] = []
}
