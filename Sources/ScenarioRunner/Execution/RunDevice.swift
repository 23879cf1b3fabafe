import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// One device of a scenario: the connection to it, what is ours on it, and what was told of it.
struct RunDevice: Sendable {
  /// The role it plays, where the document has roles.
  let role: String?
  let selector: Plan.DeviceSelector

  var device: FoundDevice?
  /// How events call it.
  var name = "device"
  var wire: WireContext?
  var connection: CastConnection?
  /// Whether a first RECEIVER_STATUS has come in this run.
  var wasConnected = false
  /// When the connection broke, until it is back.
  var lostAt: Duration?
  var wasDisconnectedByUs = false
  /// It was asked for a proof that had not come when it was connected.
  var awaitsProof = false
  /// The state as of the last observation, also after the connection is gone.
  var lastSnapshot = DeviceSnapshot()
  /// The number of the last observation that was told and judged.
  var observed = 0
  var watching: Task<Void, Never>?

  // What is ours on it.
  var app: AppSession?
  /// Why there is no app of ours any more.
  var appLoss: StepFailure?
  /// The app of ours that went, and until when another may still appear in its place; then ours counts as gone.
  var lostApp: AppSession?
  var replacementDeadline: Duration?
  /// What the app of ours is called.
  var appName: String?
  /// Since when nothing plays.
  var idleSince: Duration?
  /// Whether a load of ours was begun.
  var hasLoaded = false
  /// How the app of ours was launched, to launch it once more.
  var launched: LaunchWords?
  var loaded: LoadedMedia?
  /// Track names of a load that is under way, for status events.
  var loadingTrackNames: [Int: String]?
  /// The document's names of tracks by the content they belong to, where a queue has several.
  var trackNames: [String: [Int: String]] = [:]
  /// Media sessions that were there before our loads.
  var earlierSessions: Set<Int> = []
  /// A launch, load or stop of ours is under way: changes are no takeover.
  var isChangingApp = false
  /// The try of a step of which it was told that it waits for a person.
  var toldConsent: String?
  var originalVolume: (level: Double?, muted: Bool?) = (nil, nil)

  // The story so far.
  /// The rules of `watch`, judged for each device by itself.
  var monitors: [MonitorStateMachine] = []
  /// The status as the last `status` event left it.
  var toldStatus = JSONObject()
  /// The last observation before each step began, whichever device the step meant.
  var stepStarts: [String: Int] = [:]
  /// Steps whose begin was seen over a connection that is gone.
  var lostStarts: Set<String> = []
  /// What conditions may ask of it: `device.name` and so on.
  var facts: [String: JSONValue] = [:]

  init(role: String?, selector: Plan.DeviceSelector, monitors: [MonitorStateMachine]) {
    self.role = role
    self.selector = selector
    self.monitors = monitors
    name = DeviceName.name(of: nil, selector: selector)
  }
}

/// What LAUNCH says besides the app's id.
struct LaunchWords: Sendable {
  var appID: String
  var language: String?
  /// As the document writes them, secrets by their names.
  var params: JSONValue?
  var appTypes: [String]?
  var needsMedia = false
}
