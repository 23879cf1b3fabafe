/// What a device says of itself: the app it shows and its volume. Source: docs/protocol.md 3.3.
package struct ReceiverStatus: Hashable, Sendable {
  /// The running app, or `nil` when idle: no application, an empty list, or only the idle screen's own entry is kept
  /// here with ``Application/isIdleScreen`` set.
  package var application: Application?
  /// Absent on audio devices.
  package var isActiveInput: Bool?
  /// Absent on audio devices.
  package var isStandBy: Bool?
  package var volume = Volume()

  package init() {}

  /// One running receiver app.
  package struct Application: Hashable, Sendable {
    package var appID = ""
    /// The id to compare with what was launched, on newer firmware.
    package var universalAppID: String?
    package var displayName = ""
    package var sessionID = ""
    /// Where the app's messages go; `nil` when it takes none.
    package var transportID: EndpointID?
    package var namespaces: [Namespace] = []
    package var statusText = ""
    package var isIdleScreen = false

    package init() {}

    /// The namespaces that are the app's own rather than the platform's.
    package var ownNamespaces: [Namespace] { namespaces.filter { !$0.isOfPlatform } }
    /// Whether media can be loaded into it.
    package var playsMedia: Bool { namespaces.contains(.media) }
  }

  /// The device's volume; not the stream's.
  package struct Volume: Hashable, Sendable {
    /// 0 to 1, rounded by the device to its steps.
    package var level: Double?
    package var muted: Bool?
    /// `attenuation`, `fixed`, `master`, or whatever the device says.
    package var controlType: String?
    package var stepInterval: Double?

    package init() {}

    /// The largest step seen on devices, for those that do not name theirs (docs/protocol.md 3.3).
    package static let unnamedStep = 0.05

    /// How far apart two levels are that the device tells apart; one that claims more than half of all is not believed.
    package var step: Double {
      guard let stepInterval, stepInterval > 0, stepInterval <= 0.5 else { return Self.unnamedStep }
      return stepInterval
    }

    /// Whether SET_VOLUME is of no use (docs/protocol.md Q22).
    package var isFixed: Bool { controlType?.lowercased() == "fixed" }
  }
}
