import CastClient
import ScenarioLanguage

/// What is put back when a device is left: decided from the policy and from what is ours there.
struct LeavePlan: Hashable, Sendable {
  /// The volume that is restored, 0 to 1; `nil` where it was not changed, or stays.
  var level: Double?
  /// Whether the device is muted again; `nil` as for the volume.
  var isMuted: Bool?
  /// Whether the app is stopped.
  var stopsApp: Bool

  /// - Parameters:
  ///   - isLast: Else another try follows, which begins with a clean session: an app of ours is stopped at any policy.
  ///   - original: The volume before our first change of it.
  ///   - app: The app that was launched or joined.
  init(
    _ policy: Plan.Session.Leave, isLast: Bool, original: (level: Double?, muted: Bool?), app: AppSession?
  ) {
    if policy == .restore { (level, isMuted) = original }
    stopsApp = app.map { policy == .stop || (policy == .restore || !isLast) && $0.isOurs } ?? false
  }

  var restoresVolume: Bool { level != nil || isMuted != nil }

  /// Whether later runs have no app of this one to end: it is gone, or it is meant to stay.
  /// - Parameters:
  ///   - app: The app that is still ours after leaving.
  ///   - running: The session that the device runs.
  static func endsRecord(_ policy: Plan.Session.Leave, app: AppSession?, running: String?) -> Bool {
    app == nil || policy != .restore || running != app?.sessionID
  }
}
