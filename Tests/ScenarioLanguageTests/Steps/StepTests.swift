import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct StepTests {
  static func seek(
    _ target: Plan.SeekAction.Target, then: Plan.SeekAction.Then = .keep, tolerance: Duration = .seconds(2)
  )
    -> Plan.Action
  {
    var action = Plan.SeekAction(target: target)
    action.then = then
    action.tolerance = tolerance
    return .seek(action)
  }

  static func volume(_ level: Double, over: Duration = .zero) -> Plan.Action {
    var action = Plan.VolumeAction(level: .literal(level))
    action.ramp = over
    return .volume(action)
  }

  static func launch(_ app: String, join: Plan.LaunchAction.Join = .auto, language: String? = nil) -> Plan.Action {
    var action = Plan.LaunchAction(appID: app)
    action.join = join
    action.language = language
    return .launch(action)
  }

  static func discover(_ length: Duration?, atLeast: Int = 1) -> Plan.Action {
    var action = Plan.DiscoverAction()
    action.listenFor = length
    action.atLeast = atLeast
    return .discover(action)
  }

  static func style(_ change: (inout TextTrackStyle) -> Void) -> Plan.Action {
    var style = TextTrackStyle()
    change(&style)
    return .textStyle(style)
  }

  static func text(_ text: String) -> Plan.Template { Plan.Template([.text(text)]) }

  static let actions: [(yaml: String, name: String, action: Plan.Action, timeout: Duration)] = [
    ("discover: 3s", "discover 3s", discover(.seconds(3)), .seconds(8)),
    ("discover: { at_least: 2 }", "discover", discover(nil, atLeast: 2), .seconds(10)),
    ("connect", "connect", .connect(host: nil, authentication: nil), .seconds(5)),
    (
      "connect: { host: \"[2001:db8::1]:8010\" }", "connect [2001:db8::1]:8010",
      .connect(host: HostAndPort(host: "2001:db8::1", port: 8010), authentication: nil), .seconds(5)
    ),
    ("disconnect", "disconnect", .disconnect(abrupt: false), .seconds(30)),
    ("disconnect: { abrupt: true }", "disconnect", .disconnect(abrupt: true), .seconds(30)),
    ("launch", "launch default", launch("CC1AD845"), .seconds(15)),
    ("launch: default", "launch default", launch("CC1AD845"), .seconds(15)),
    ("launch: acme", "launch acme", launch("A1B2C3D4"), .seconds(15)),
    ("launch: 10E45678", "launch 10E45678", launch("10E45678"), .seconds(15)),
    (
      "launch: { app: acme, join: never, language: no }", "launch acme",
      launch("A1B2C3D4", join: .never, language: "no"), .seconds(15)
    ),
    ("stop_app", "stop_app", .stopApp, .seconds(30)),
    ("volume: 40%", "volume 40%", volume(40), .seconds(30)),
    ("volume: { to: 12.5%, over: 3s }", "volume 12.5%", volume(12.5, over: .seconds(3)), .seconds(33)),
    ("mute: true", "mute true", .mute(true), .seconds(30)),
    ("play", "play", .play, .seconds(30)),
    ("play: {}", "play", .play, .seconds(30)),
    ("pause", "pause", .pause, .seconds(30)),
    ("stop", "stop", .stop, .seconds(30)),
    ("seek: 1m30s", "seek 1m30s", seek(.to(.literal(90))), .seconds(30)),
    ("seek: start", "seek start", seek(.toStart), .seconds(30)),
    ("seek: { to: end, then: pause }", "seek end", seek(.toEnd, then: .pause), .seconds(30)),
    (
      "seek: { by: -10s, tolerance: 500ms }", "seek -10s", seek(.by(-10), tolerance: .milliseconds(500)), .seconds(30)
    ),
    ("rate: 1.5", "rate 1.5", .rate(.to(.literal(1.5))), .seconds(30)),
    ("rate: ${_speed}", "rate 1.5", .rate(.to(.literal(1.5))), .seconds(30)),
    ("rate: { by: 1.1x }", "rate by 1.1x", .rate(.by(1.1)), .seconds(30)),
    ("tracks: [en, fr]", "tracks en, fr", .tracks(["en", "fr"]), .seconds(30)),
    ("tracks: { active: [] }", "tracks none", .tracks([]), .seconds(30)),
    ("text_style: _big", "text_style _big", style { $0.fontScale = 1.5 }, .seconds(30)),
    (
      "text_style: { color: black/75%, window: rounded, window_radius: 8 }", "text_style",
      style {
        $0.foregroundColor = "#000000BF"
        $0.windowType = "ROUNDED_CORNERS"
        $0.windowRoundedCornerRadius = 8
      }, .seconds(30)
    ),
    ("skip_ad", "skip_ad", .skipAd(force: false), .seconds(30)),
    ("skip_ad: { force: true }", "skip_ad", .skipAd(force: true), .seconds(30)),
    ("refresh", "refresh", .refresh(.both), .seconds(5)),
    ("refresh: { what: media }", "refresh media", .refresh(.media), .seconds(5)),
    ("wait: 10s", "wait 10s", .wait(.literal(10)), .seconds(10)),
    ("wait: { for: 1m30s }", "wait 1m30s", .wait(.literal(90)), .seconds(90)),
    ("mark: act two", "mark act two", .mark(text("act two")), .seconds(30)),
    ("log: hello", "log hello", .log(text("hello")), .seconds(30)),
    ("fail: not ready", "fail not ready", .fail(text("not ready")), .seconds(30)),
    (
      "log: on ${device.name}", "log on ${device.name}",
      .log(Plan.Template([.text("on "), .value("device.name")])), .seconds(30)
    ),
  ]

  @Test("A verb's short and long forms compile to its action, named by its main argument", arguments: actions)
  func compiles(yaml: String, name: String, action: Plan.Action, timeout: Duration) throws {
    let step = try Compiling.step(yaml)
    #expect(step.action == action)
    #expect(step.name == name)
    #expect(step.timeout == timeout)
    #expect(step.verb == String(yaml.prefix { $0 != ":" }))
  }

  @Test("Steps are numbered by list and place; an id and a name of their own count")
  func ids() throws {
    let plan = try Compiling.plan(
      """
      scenario: Ids
      device: TV
      setup: [connect]
      steps:
        - play
        - { pause: {}, id: halt, name: Stop here }
        - expect_sequence: [{ player: paused }]
          since: halt
      on_failure: [refresh]
      finally: [stop, stop_app]
      """)
    #expect(plan.setup.map(\.id) == ["setup1"])
    #expect(plan.steps.map(\.id) == ["s1", "halt", "s3"])
    #expect(plan.steps[1].name == "Stop here")
    #expect(plan.onFailure.map(\.id) == ["failure1"])
    #expect(plan.finally.map(\.id) == ["finally1", "finally2"])
    guard case .expectSequence(let sequence) = plan.steps[2].action else { throw Compiling.NoPlan() }
    #expect(sequence.since == "halt")
  }

  @Test("Modifiers: one try's timeout, retry in both forms, what a failure does, what is kept")
  func modifiers() throws {
    let step = try Compiling.step(
      """
      launch: acme
      timeout: 4s
      retry: { attempts: 4, wait: 2s, factor: 3, max_wait: 10s, jitter: 20%, within: 1m, errors: [transient, app_gone], before: relaunch }
      if_fails: continue
      save: { a0: app.id }
      """)
    #expect(step.timeout == .seconds(4))
    #expect(step.ifFails == .continue)
    #expect(step.retry.tryTimes() == [.zero, .seconds(2), .seconds(8), .seconds(18)])
    #expect(step.retry.jitter == 0.2)
    #expect(step.retry.errors == RetryPolicy.transient.union([.appGone]))
    #expect(step.retry.before == .relaunch)
    #expect(step.bound == .seconds(60))
    #expect(step.save == [Plan.SavedField(name: "a0", field: FieldPath(["app", "id"]))])
    #expect(try Compiling.step("play").retry.attempts == 1)
    #expect(try Compiling.step("launch: acme\nretry: 3").retry.attempts == 3)
  }

  @Test("Defaults reach the steps that do not say otherwise, and retry only actions")
  func defaults() throws {
    let top =
      "defaults: { within: 3s, app: acme, retry: { attempts: 2 }, timeout: { launch: 7s, step: 9s }, text_style: { size: 200% } }"
    #expect(try Compiling.step("launch", top: top).action == Self.launch("A1B2C3D4"))
    #expect(try Compiling.step("launch", top: top).timeout == .seconds(7))
    #expect(try Compiling.step("play", top: top).timeout == .seconds(9))
    #expect(try Compiling.step("play", top: top).retry.attempts == 2)
    let expect = try Compiling.step("expect: { player: playing }", top: top)
    #expect(expect.retry.attempts == 1)
    #expect(expect.timeout == .seconds(3))
    guard case .load(let load) = try Compiling.step("load: _film", top: top).action else {
      throw Compiling.NoPlan()
    }
    #expect(load.defaultAppID == "A1B2C3D4")
    #expect(load.request.media.textTrackStyle?.fontScale == 2)
  }

  static let saved: [(yaml: String, amount: Plan.Amount?)] = [
    ("wait: ${p0}", .saved("p0")), ("seek: ${p0}", .saved("p0")), ("rate: ${p0}", nil), ("volume: ${v0}", .saved("v0")),
    ("rate: ${r0}", .saved("r0")), ("wait: ${r0}", nil),
  ]

  @Test("A saved value fits only where its type does", arguments: saved)
  func savedValues(yaml: String, amount: Plan.Amount?) throws {
    let before = ["play", "pause: {}\nsave: { p0: position, v0: volume.level, r0: rate }"]
    let document = Compiling.scenario(yaml, before: before)
    guard let amount else {
      #expect(Compiling.codes(document).contains("T220"))
      return
    }
    switch try Compiling.step(yaml, before: before).action {
    case .wait(let found), .rate(.to(let found)): #expect(found == amount)
    case .seek(let action): #expect(action.target == .to(amount))
    case .volume(let action): #expect(action.level == amount)
    default: Issue.record("another action")
    }
  }
}
