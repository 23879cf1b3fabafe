import CastClient
import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("The ends of a queue: how far it goes on, and what is there") struct QueueEndTests {
  typealias Setting = SessionLab.Setting
  typealias Scene = StageDevice.Scene

  struct Jump: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var current = 1
    var mode: String?
    var action: DeviceAction
    /// The item that plays then; `nil`: the same, and nothing is waited for.
    var next: Int?
    var fails: String?
  }

  static func update(_ jump: Int, _ mode: Plan.RepeatMode? = nil) -> DeviceAction {
    .queueUpdate(QueueUpdate(jump: jump, repeatMode: mode))
  }

  static let jumps: [Jump] = [
    Jump(testDescription: "two on", action: update(2), next: 3),
    Jump(testDescription: "three on", action: update(3), fails: "the queue ends before that item"),
    Jump(
      testDescription: "one on from the last", current: 3, action: update(1), fails: "the last item of the queue plays"),
    Jump(testDescription: "around, where it repeats", current: 3, mode: "REPEAT_ALL", action: update(1), next: 1),
    Jump(
      testDescription: "around, where it shuffles", current: 3, mode: "REPEAT_ALL_AND_SHUFFLE", action: update(1),
      next: 1),
    Jump(
      testDescription: "not around, where one repeats", current: 3, mode: "REPEAT_SINGLE", action: update(1),
      fails: "the last item of the queue plays"),
    Jump(testDescription: "once around is the same item", mode: "REPEAT_ALL", action: update(3)),
    Jump(testDescription: "before the first is the first", action: update(-2)),
    Jump(testDescription: "two back", current: 3, action: update(-2), next: 1),
    Jump(
      testDescription: "the mode that comes with the jump counts", current: 3, mode: "REPEAT_ALL",
      action: update(1, .one),
      fails: "the last item of the queue plays"),
  ]

  @Test("A queue goes on as far as it has items, and around where it repeats", arguments: jumps)
  func jump(row: Jump) throws {
    for isCommand in [true, false] {
      var setting = QueueItemVerbTests.setting {
        $0.change(["currentItemId": .int(row.current), "repeatMode": row.mode.map(JSONValue.string) ?? .null])
        $0.changes = [
          "QUEUE_UPDATE": { scene, _ in if let next = row.next { scene.change(["currentItemId": .int(next)]) } }
        ]
      }
      setting.policies.cures = isCommand ? .commandLines : .documents
      try SessionLab.connected(setting) { lab in
        let start = lab.now
        let failure = await lab.perform(row.action)
        #expect(failure?.message == row.fails && lab.now == start)
        #expect(lab.stage.sent.isEmpty == (row.fails != nil))
        if failure != nil {
          #expect(failure?.errorClass == .invalidState)
          let again = isCommand ? "showcaller queue repeat all" : "queue_update: { repeat: all }"
          #expect(failure?.help == "`\(again)` makes it begin again")
        }
      }
    }
  }

  @Test("Media that end on the way to an item are why it never comes")
  func ends() throws {
    let setting = QueueItemVerbTests.setting {
      $0.changes = ["QUEUE_UPDATE": { scene, _ in scene.change(["playerState": "IDLE", "idleReason": "ERROR"]) }]
    }
    try SessionLab.connected(setting) { lab in
      let failure = await lab.perform(.queueJump(.next))
      #expect(failure?.errorClass == .loadFailed && failure?.message == "the player is idle with ERROR")
    }
  }

  @Test("A queue that plays nothing has no items; one that does is listed whole, in its order")
  func list() throws {
    try SessionLab.connected(QueueItemVerbTests.setting()) { lab in
      let items = try await lab.session.queue(lab.scope())
      #expect(items.map(\.itemID) == [1, 2, 3] && items.map { $0.media?.contentID } == ["a.mp4", "b.mp4", "c.mp4"])
    }
    try SessionLab.connected(.command { $0.scene = Scene(app: ScriptedPeer.app) }) { lab in
      let items = try await lab.session.queue(lab.scope())
      #expect(items.isEmpty)
      #expect(lab.stage.count("QUEUE_GET_ITEM_IDS") == 0)
    }
  }
}
