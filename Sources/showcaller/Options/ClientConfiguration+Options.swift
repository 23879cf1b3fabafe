import CastClient
import ScenarioLanguage
import Workspace

extension ClientConfiguration {
  /// How a command for one device connects: in the time of the settings, with the proof that they or the options ask for.
  /// - Parameter historyLimit: How many observations are kept for who is late in reading them.
  init(_ settings: Settings, _ auth: AuthOptions, historyLimit: Int) throws {
    self.init()
    // Replies are addressed to everyone: ids that start anywhere rarely meet another sender's (docs/protocol.md 4.4).
    var system = SystemRandomNumberGenerator()
    firstRequestID = Int.random(in: 1...1_000_000_000, using: &system)
    self.historyLimit = historyLimit
    connectTimeout = settings.timeouts.connect
    replyTimeout = settings.timeouts.reply
    authentication = try auth.trust.rules(mode: auth.auth ?? settings.authenticationMode)
  }
}
