import CastProtocol
import RunReporting
import ScenarioLanguage
import Testing

@testable import DeviceControl

/// Each step that asks something of one device is one action with all that the step says.
@Suite struct StepActionTableTests {
  private static func action(
    _ step: Plan.Action, appMayBeGone: Bool = false, saved: [String: JSONValue] = [:]
  ) throws(StepFailure) -> DeviceAction? {
    try DeviceAction(step, appMayBeGone: appMayBeGone) { saved[$0] }
  }

  private static let item = Plan.QueueItem(mediaID: "a", media: LoadVerbTests.media("a.mp4"))

  private static func volume(_ level: Double, ramp: Duration) -> Plan.Action {
    var action = Plan.VolumeAction(level: .literal(level))
    action.ramp = ramp
    return .volume(action)
  }

  private static func seek(_ target: Plan.SeekAction.Target, _ change: (inout Plan.SeekAction) -> Void = { _ in })
    -> Plan.Action
  {
    var action = Plan.SeekAction(target: target)
    change(&action)
    return .seek(action)
  }

  private static var update: Plan.QueueUpdateAction {
    var update = Plan.QueueUpdateAction()
    (update.jump, update.repeatMode, update.shuffle) = (2, .all, true)
    update.items = [.init(item: .saved("n"), media: item)]
    return update
  }

  private static func insert(before: Plan.QueueItemReference?) -> Plan.Action {
    var action = Plan.QueueInsertAction(items: [item])
    action.before = before
    return .queueInsert(action)
  }

  /// What stands in an action, as a test can compare it.
  private static func text(_ action: DeviceAction?) -> String {
    switch action {
    case nil: "none"
    case .connect(let host, let authentication): "connect \(host?.text ?? "-") \(authentication?.rawValue ?? "-")"
    case .disconnect(let isAbrupt): "disconnect \(isAbrupt)"
    case .launch(let launch): "launch \(launch.appID) \(launch.join.rawValue)"
    case .stopApp(let mayBeGone): "stopApp \(mayBeGone)"
    case .volume(let level, let ramp): "volume \(level) \(ramp.seconds)"
    case .changeVolume(let points, let ramp): "changeVolume \(points) \(ramp.seconds)"
    case .mute(let isMuted): "mute \(isMuted)"
    case .toggleMute: "toggleMute"
    case .togglePlayback: "togglePlayback"
    case .load(let load): "load \(load.request.media.contentID)"
    case .play: "play"
    case .pause: "pause"
    case .stop: "stop"
    case .seek(let seek): "seek \(seek.target) \(seek.then.rawValue) \(seek.tolerance.seconds)"
    case .rate(let target): "rate \(target)"
    case .tracks(let names): "tracks \(names.joined(separator: ","))"
    case .textStyle(let style): "textStyle \(style.fontScale ?? 0)"
    case .skipAd(let isForced): "skipAd \(isForced)"
    case .refresh(let target): "refresh \(target.rawValue)"
    case .queueLoad(let queue): "queueLoad \(queue.items.count) \(queue.startAt)"
    case .queueInsert(let items, let before): "queueInsert \(items.count) \(text(before))"
    case .queueRemove(let items): "queueRemove \(items.map(text).joined(separator: ","))"
    case .queueJump(.next): "queueJump next"
    case .queueJump(.previous): "queueJump previous"
    case .queueJump(.item(let item)): "queueJump \(text(item))"
    case .queueUpdate(let update):
      "queueUpdate \(update.jump ?? 0) \(update.repeatMode?.rawValue ?? "-") \(update.shuffle ?? false) "
        + update.items.map { text($0.item) }.joined(separator: ",")
    case .queueReorder(let items, let before): "queueReorder \(items.map(text).joined(separator: ",")) \(text(before))"
    case .queueNext, .unqueueNext, .continueWithNext: "no step asks for it"
    case .send(let send): "send \(send.namespace)"
    }
  }

  private static func text(_ item: QueueItemName?) -> String {
    switch item {
    case nil: "-"
    case .number(let number): "\(number)"
    case .media(let id, let content): "\(id)=\(content)"
    }
  }

  private static let media = Plan.QueueItemReference.media(id: "b", content: "b.mp4")
  private static var reorder: Plan.QueueReorderAction {
    var order = Plan.QueueReorderAction(items: [.number(4), media])
    order.before = .saved("n")
    return order
  }

  static let rows: [(step: Plan.Action, text: String)] = [
    (.connect(host: HostAndPort(host: "tv", port: 9), authentication: .require), "connect tv:9 require"),
    (.connect(host: nil, authentication: nil), "connect - -"), (.disconnect(abrupt: true), "disconnect true"),
    (.launch(Plan.LaunchAction(appID: "AAAA0001")), "launch AAAA0001 auto"), (.stopApp, "stopApp false"),
    (volume(25, ramp: .seconds(3)), "volume 25.0 3.0"), (.mute(false), "mute false"),
    (.load(LoadVerbTests.load("a.mp4")), "load a.mp4"), (.play, "play"), (.pause, "pause"), (.stop, "stop"),
    (seek(.to(.literal(9))), "seek to(9.0) keep 2.0"), (seek(.toStart), "seek toStart keep 2.0"),
    (
      seek(.toEnd) {
        $0.then = .pause
        $0.tolerance = .seconds(1)
      }, "seek toEnd pause 1.0"
    ),
    (seek(.by(-5)), "seek by(-5.0) keep 2.0"), (.rate(.to(.saved("n"))), "rate to(3.0)"),
    (.rate(.by(2)), "rate by(2.0)"),
    (.tracks(["en", "2"]), "tracks en,2"), (.textStyle(TrackVerbTests.style), "textStyle 1.5"),
    (.skipAd(force: true), "skipAd true"), (.refresh(.both), "refresh both"),
    (.queue(LoadVerbTests.queue(["a.mp4", "b.mp4"], startAt: 2)), "queueLoad 2 2"),
    (insert(before: nil), "queueInsert 1 -"), (insert(before: .saved("n")), "queueInsert 1 3"),
    (.queueRemove([.saved("n"), media]), "queueRemove 3,b=b.mp4"), (.queueJump(.next), "queueJump next"),
    (.queueJump(.previous), "queueJump previous"), (.queueJump(.item(media)), "queueJump b=b.mp4"),
    (.queueUpdate(update), "queueUpdate 2 all true 3"), (.queueReorder(reorder), "queueReorder 4,b=b.mp4 3"),
    (.send(Plan.SendAction(namespace: "urn:x-cast:a", message: [:])), "send urn:x-cast:a"),
  ]

  @Test("A step becomes one action that says all that the step says", arguments: rows.indices)
  func row(index: Int) throws {
    let action = try Self.action(Self.rows[index].step, saved: ["n": 3])
    #expect(Self.text(action) == Self.rows[index].text)
  }

  @Test("Only a step that may find no app to stop is told so")
  func mayBeGone() throws {
    #expect(Self.text(try Self.action(.stopApp, appMayBeGone: true)) == "stopApp true")
  }

  static let wrong: [(step: Plan.Action, saved: JSONValue?, message: String)] = [
    (.rate(.to(.saved("n"))), "fast", "`n` was saved without a number"),
    (.volume(Plan.VolumeAction(level: .saved("n"))), nil, "`n` was saved without a number"),
    (seek(.to(.saved("n"))), .null, "`n` was saved without a number"),
    (.queueJump(.item(.saved("n"))), 1.5, "`n` was saved without an item's number"),
    (.queueRemove([.number(1), .saved("n")]), "2", "`n` was saved without an item's number"),
    (insert(before: .saved("n")), nil, "`n` was saved without an item's number"),
    (.queueReorder(reorder), nil, "`n` was saved without an item's number"),
    (.queueUpdate(update), true, "`n` was saved without an item's number"),
  ]

  @Test("What was saved has to be of the kind that the step needs", arguments: wrong.indices)
  func kinds(index: Int) {
    let row = Self.wrong[index]
    let failure = #expect(throws: StepFailure.self) {
      try Self.action(row.step, saved: row.saved.map { ["n": $0] } ?? [:])
    }
    #expect(failure?.errorClass == .invalidState && failure?.message == row.message)
  }
}
