package import ScenarioLanguage

/// Why a run could not begin or go on, apart from what a device did.
package struct RunError: Error, Hashable, Sendable {
  package var errorClass: ErrorClass
  package var message: String
  package var help: String?
  /// Names and addresses of what was seen instead.
  package var candidates: [FoundDevice]
  /// Nothing on this computer can look for devices: asking again is no help.
  package var isFinal: Bool
  /// What else is known of the device that was asked for.
  package var notes: [String] = []

  package init(
    errorClass: ErrorClass, message: String, help: String? = nil, candidates: [FoundDevice] = [], isFinal: Bool = false
  ) {
    self.errorClass = errorClass
    self.message = message
    self.help = help
    self.candidates = candidates
    self.isFinal = isFinal
  }
}
