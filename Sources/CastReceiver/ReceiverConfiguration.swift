package import CastProtocol
package import CastTransport

/// What a virtual receiver claims to be, and the choices in which real devices differ.
package struct ReceiverConfiguration: Sendable {
  package var name = "Showcaller (virtual)"
  package var model = "Showcaller Virtual Receiver"
  /// Lower-case UUID with hyphens.
  package var id: String
  /// App ids that launch; all are media apps that behave alike.
  package var appIDs: Set<String> = ["CC1AD845"]
  /// Whether every other app id launches, too, as a media app.
  package var launchesAnyApp = false
  /// Those of them that play no media: all they offer are namespaces of their own.
  package var plainAppIDs: Set<String> = []
  /// The namespaces beyond those of every media app that an app offers, by app id; it echoes what comes on them.
  package var customNamespaces: [String: [Namespace]] = [:]
  /// What apps are called, by app id; the others have a name by their id.
  package var appNames: [String: String] = [:]
  /// What media apps play, by app id: `video`, `audio`, `image` or MIME types; those that are not here play everything.
  package var appTypes: [String: [String]] = [:]
  /// The addresses of the apps that are pages in a browser, by app id. They launch, too.
  package var pageAddresses: [String: String] = [:]
  /// Opens pages, hands them messages and closes them, and tells what comes of them; called on an event loop, so it must
  /// not block. `nil`: every launch of a page fails.
  package var pages: (@Sendable (PageOrder, _ tell: @escaping @Sendable (PageReport) -> Void) -> Void)?
  /// Seeds session ids and everything else that looks random.
  package var seed: UInt64 = 0
  /// Whether a LAUNCH is answered by LAUNCH_STATUS `USER_ALLOWED` first, as newer devices do (docs/protocol.md 3.4).
  package var sendsLaunchStatus = true
  /// Whether a status without applications is sent when one app replaces another (docs/protocol.md 3.1).
  package var sendsInterimStatus = true
  /// Whether a person at the device is asked before an app starts (docs/protocol.md 3.4).
  package var consent = Consent.notNeeded
  /// How its media apps do what devices do differently.
  package var media = MediaBehavior()
  /// Whether statuses say `senderConnected`, and one is sent when that changes (2023 and later firmware).
  package var reportsSenderConnected = true
  package var volumeControl = VolumeControl.attenuation
  /// To what SET_VOLUME rounds a level; above 0, at most 1.
  package var volumeStep = 0.05
  /// The volume at start, 0 to 1.
  package var volumeLevel = 1.0
  /// Who takes part where this is a group; none where it is a single device.
  package var members: [Member] = []
  /// Told of volumes that a sender set, on whatever thread it was; for receivers that are members of one another.
  package var volumeChanged: (@Sendable (VolumeChange) -> Void)?
  /// Looks whether content is there before it plays, and tells; called on an event loop, so it must not block. `nil`:
  /// nothing is fetched, and everything is there.
  package var fetch: (@Sendable (_ address: String, _ tell: @escaping @Sendable (MediaFetch.Outcome) -> Void) -> Void)?
  /// How long content lasts, whatever is fetched.
  package var durations = ContentDurations()
  /// Whether a player outside plays what is loaded, and ``VirtualReceiver/player(_:)`` is told of it.
  package var playsOutside = false
  /// Told that something may have changed that ``VirtualReceiver/screen()`` shows, on an event loop: it must not block.
  package var changed: (@Sendable () -> Void)?
  /// How long answers, app starts and loads take.
  package var latency = ReceiverLatency.none
  /// What goes wrong with it, and when.
  package var faults = FaultPlan()
  /// Told what it shows whenever that changes, on whatever thread it was.
  package var showingChanged: (@Sendable (Showing) -> Void)?
  /// The recording that answers in place of the rules; `nil`: the rules answer.
  package var recording: Recording?
  /// Told of each request that ``recording`` does not know, on an event loop: it must not block.
  package var unknownRequest: (@Sendable (ReceiverStateMachine.UnknownRequest) -> Void)?
  /// Told of each fault that comes, on whatever thread it was; it must not block.
  package var faultCame: (@Sendable (FaultPlan.Occurrence) -> Void)?
  /// Told that it starts again, on whatever thread it was: whoever listens for it stops for so long.
  package var restarted: (@Sendable (FaultPlan.Restart) -> Void)?
  /// Told of everything that is received and sent, in its order, on an event loop and under a lock: it must not block.
  package var wireTap: (@Sendable (ReceiverWireEvent) -> Void)?
  /// What a device authentication challenge is answered with; `nil`: that there is no proof.
  package var credentials: DeviceCredentials?
  /// Heartbeat, unfinished frames and flooding. A sender in a hurry is no flood here: only its own device suffers.
  package var channelLimits: ChannelStateMachine.Limits

  /// Whether a LAUNCH of an app succeeds.
  func launches(_ appID: String) -> Bool {
    appIDs.contains(appID)
      || launchesAnyApp && !appID.isEmpty && appID.utf8.count <= ReceiverLimits.appIDLength
  }

  package init(id: String) {
    self.id = id
    channelLimits = ChannelStateMachine.Limits()
    channelLimits.messagesPerSecond = 1_000_000
    channelLimits.bytesPerSecond = 1 << 30
  }

  /// The facts that mDNS announces and that change while it runs.
  package struct Showing: Hashable, Sendable {
    /// The status text of the app; empty where none runs.
    package var statusText = ""
    package var isAppRunning = false

    package init() {}
  }

  /// A member of a group. Source: docs/protocol.md 3.6.
  package struct Member: Hashable, Sendable {
    package var id: String
    package var name: String
    /// 0 to 1.
    package var level = 1.0
    package var isMuted = false

    package init(id: String, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// A volume that changed: of the device itself, or of a member of the group.
  package struct VolumeChange: Hashable, Sendable {
    /// `nil`: the device itself.
    package var memberID: String?
    package var level: Double
    package var isMuted: Bool
  }

  /// What a person says to a LAUNCH, and after how long.
  package enum Consent: Hashable, Sendable {
    case notNeeded
    case given(after: Duration)
    case refused(after: Duration)
    /// The device may not show the question.
    case impossible
  }

  /// `controlType` of the device volume (docs/protocol.md 3.3).
  package enum VolumeControl: String, Hashable, Sendable {
    case attenuation, master
    /// SET_VOLUME is answered and changes nothing.
    case fixed
  }
}
