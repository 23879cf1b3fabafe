package import CastClient
package import RunReporting
package import ScenarioLanguage

/// How a session behaves towards its device, given once.
package struct SessionPolicies: Sendable {
  /// What is done with an app that runs when the device is connected.
  package enum Join: Sendable {
    /// Nothing: what acts needs an app of ours.
    case ownAppsOnly
    /// Actions may act on it, also where another sender started it.
    /// To stop an app that is not there is then no failure.
    case whateverRuns
  }

  /// Whose the connection is.
  package enum Connection: Sendable {
    case own
    /// The caller's, who goes on with it: the session neither closes it nor looks back beyond its own begin.
    case borrowed
  }

  /// Which messages have events.
  package enum ToldMessages: Sendable {
    case none
    /// The last ones, where something failed.
    case last
    case all
  }

  /// In whose words the session says what to do about a failure.
  package enum Cures: Sendable {
    case documents
    case commandLines
  }

  /// The document that the session's events are of.
  package var document: String
  package var timeouts: Plan.Timeouts
  package var join = Join.ownAppsOnly
  package var connection = Connection.own
  package var cures = Cures.documents
  /// Whether a launch that does not say so itself joins an app that runs.
  package var launchJoin = JoinPolicy.auto
  package var leave: Plan.Session.Leave
  /// What becomes of the run when another sender takes the device.
  package var takeover: Plan.Takeover
  /// How every device has to prove itself, whatever the document says; `nil`: as the document says.
  package var authentication: AuthenticationMode?
  /// The devices the document knows, by inventory id.
  package var inventory: [String: Plan.DeviceSelector]
  /// Whether the document has `devices:`, which are found before.
  package var isOneOfSeveral: Bool
  package var messages = ToldMessages.none
  package var secrets = Secrets()
  /// How addresses with values of secrets are stored.
  package var addressSeal = AddressSeal.none
  package var launchedApps = LaunchedApps.none
  /// What keeps other runs off the device.
  package var hold = DeviceHold()
  /// What the waits between two tries to reach a lost device grow to, before their jitter.
  package var longestReconnectWait = ReconnectStateMachine.usualLongestWait

  /// - Parameter plan: Whose `session`, `takeover`, timeouts and inventory count.
  package init(_ plan: Plan) {
    document = plan.id
    timeouts = plan.timeouts
    launchJoin =
      switch plan.session.join {
      case .auto: .auto
      case .alwaysNew: .never
      case .mustExist: .only
      }
    leave = plan.session.leave
    takeover = plan.takeover
    inventory = plan.inventory
    isOneOfSeveral = plan.devices != nil
  }

  /// For commands, which act on whatever runs, of whomever it is, and leave it as it is.
  /// - Parameters:
  ///   - timeouts: How long the device's replies may take.
  ///   - takeover: What becomes of the command when another sender takes the device.
  package init(commands timeouts: Plan.Timeouts, takeover: Plan.Takeover = .ignore) {
    document = ""
    self.timeouts = timeouts
    self.takeover = takeover
    join = .whateverRuns
    cures = .commandLines
    leave = .keep
    inventory = [:]
    isOneOfSeveral = false
  }

  /// For a screen of a playlist: what it shows stays on when nobody serves it any more, so that whoever serves it next
  /// goes on without a dark moment.
  /// - Parameters:
  ///   - document: The id of the playlist.
  ///   - inventory: The devices that it knows, by inventory id.
  ///   - authentication: How every device has to prove itself, whatever the playlist says; `nil`: as that says.
  package init(
    screenOf document: String, inventory: [String: Plan.DeviceSelector], timeouts: Plan.Timeouts,
    authentication: Plan.DeviceRequirements.Authentication? = nil
  ) {
    self.authentication = authentication.map(AuthenticationMode.init)
    self.document = document
    self.timeouts = timeouts
    takeover = .fail
    leave = .keep
    self.inventory = inventory
    isOneOfSeveral = true
    // A device that no discovery sees is tried so often that it is back within 10 s.
    longestReconnectWait = .seconds(5)
  }

  /// For acting over a connection that somebody else keeps.
  /// - Parameter timeouts: How long the device's replies may take.
  package init(borrowing timeouts: Plan.Timeouts) {
    self.init(commands: timeouts)
    connection = .borrowed
  }
}
