import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl

@Suite("How a device is left") struct LeavePlanTests {
  enum App: Sendable { case none, ours, others }

  static func session(_ app: App) -> AppSession? {
    if app == .none { return nil }
    return AppSession(appID: "AAAA0001", sessionID: "one", transportID: EndpointID("web-1"), isOurs: app == .ours)
  }

  @Test(
    "An app is stopped as the policy says, and one of ours also before another try",
    arguments: [
      (.restore, true, .ours, true), (.restore, true, .others, false), (.restore, false, .others, false),
      (.stop, true, .ours, true), (.stop, true, .others, true),
      (.keep, true, .ours, false), (.keep, true, .others, false),
      (.keep, false, .ours, true), (.keep, false, .others, false),
      (.restore, true, App.none, false), (.stop, true, App.none, false),
    ] as [(Plan.Session.Leave, isLast: Bool, App, stops: Bool)])
  func apps(policy: Plan.Session.Leave, isLast: Bool, app: App, stops: Bool) {
    #expect(LeavePlan(policy, isLast: isLast, original: (nil, nil), app: Self.session(app)).stopsApp == stops)
  }

  @Test(
    "The volume goes back to what it was, only where it was changed and the policy is to restore",
    arguments: [
      (.restore, 0.5, nil, true), (.restore, nil, false, true), (.restore, nil, nil, false), (.stop, 0.5, true, false),
      (.keep, 0.5, true, false),
    ] as [(Plan.Session.Leave, level: Double?, muted: Bool?, restores: Bool)])
  func volume(policy: Plan.Session.Leave, level: Double?, muted: Bool?, restores: Bool) {
    let plan = LeavePlan(policy, isLast: true, original: (level, muted), app: nil)
    #expect(plan.restoresVolume == restores)
    #expect(plan.level == (restores ? level : nil) && plan.isMuted == (restores ? muted : nil))
  }

  @Test(
    "Only an app that was to be stopped and still runs is left to later runs",
    arguments: [
      (.restore, .ours, "one", false), (.restore, .ours, "two", true), (.restore, .ours, nil, true),
      (.restore, App.none, "one", true), (.keep, .ours, "one", true), (.stop, .ours, "one", true),
    ] as [(Plan.Session.Leave, App, running: String?, ends: Bool)])
  func records(policy: Plan.Session.Leave, app: App, running: String?, ends: Bool) {
    #expect(LeavePlan.endsRecord(policy, app: Self.session(app), running: running) == ends)
  }
}
