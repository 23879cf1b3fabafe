import CastClient
import CastProtocol
import ScenarioLanguage
import TestSupport
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("The queue's verbs by the media of items: how they are found, sent, waited for") struct QueueItemVerbTests {
  typealias Setting = SessionLab.Setting
  typealias Scene = StageDevice.Scene

  static func item(_ id: Int, _ content: String, title: String? = nil) -> JSONValue {
    var media: JSONObject = ["contentId": .string(content)]
    if let title { media["metadata"] = ["title": .string(title)] }
    return ["itemId": .int(id), "media": .object(media)]
  }

  static func newItem(_ content: String, names: [Int: String] = [:]) -> Plan.QueueItem {
    var item = Plan.QueueItem(mediaID: nil, media: LoadVerbTests.media(content))
    item.trackNames = names
    return item
  }

  /// A queue of `a`, `b` and `c` as items 1 to 3, of which the first plays.
  static func setting(_ change: (inout Scene) -> Void = { _ in }) -> Setting {
    .command {
      $0.scene = Scene(app: ScriptedPeer.app, media: ["currentItemId": 1, "media": ["contentId": "a.mp4"]])
      $0.scene.items = [item(1, "a.mp4"), item(2, "b.mp4", title: "B"), item(3, "c.mp4")]
      change(&$0.scene)
    }
  }

  static func media(_ name: String) -> QueueItemName { .media(id: name, content: "\(name).mp4") }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var action: DeviceAction
    /// What the device makes of the request.
    var type: String
    var change: @Sendable (inout Scene, JSONValue) -> Void = { _, _ in }
    var sends: JSONObject
  }

  static let rows: [Row] = [
    Row(
      testDescription: "jump to a media", action: .queueJump(.item(media("b"))), type: "QUEUE_UPDATE",
      change: { scene, _ in scene.change(["currentItemId": 2]) }, sends: ["currentItemId": 2]),
    Row(
      testDescription: "remove a media", action: .queueRemove([media("b"), media("c")]), type: "QUEUE_REMOVE",
      change: { scene, _ in scene.items.removeLast(2) }, sends: ["itemIds": [2, 3]]),
    Row(
      testDescription: "remove what plays: the queue ends", action: .queueRemove([.number(1), .number(2), .number(3)]),
      type: "QUEUE_REMOVE",
      change: { scene, _ in scene.change(["playerState": "IDLE", "idleReason": "FINISHED"]) },
      sends: ["itemIds": [1, 2, 3]]),
    Row(
      testDescription: "reorder media", action: .queueReorder(items: [media("c")], before: media("b")),
      type: "QUEUE_REORDER",
      change: { scene, _ in scene.items.swapAt(1, 2) }, sends: ["insertBefore": 2, "itemIds": [3]]),
    Row(
      testDescription: "insert at the end", action: .queueInsert(items: [newItem("d.mp4")], before: nil),
      type: "QUEUE_INSERT", change: { scene, _ in scene.items.append(item(4, "d.mp4")) },
      sends: ["items": [["media": ["contentId": "d.mp4", "contentType": "video/mp4"]]]]),
    Row(
      testDescription: "insert before a media", action: .queueInsert(items: [newItem("d.mp4")], before: media("b")),
      type: "QUEUE_INSERT", change: { scene, _ in scene.items.insert(item(4, "d.mp4"), at: 1) },
      sends: ["insertBefore": 2, "items": [["media": ["contentId": "d.mp4", "contentType": "video/mp4"]]]]),
    Row(
      testDescription: "put another in an item's place",
      action: .queueUpdate(QueueUpdate(items: [(media("c"), newItem("e.mp4"))])), type: "QUEUE_UPDATE",
      change: { scene, _ in scene.items[2] = item(3, "e.mp4") },
      sends: ["items": [["itemId": 3, "media": ["contentId": "e.mp4", "contentType": "video/mp4"]]]]),
    Row(
      testDescription: "shuffle", action: .queueUpdate(QueueUpdate(shuffle: true)), type: "QUEUE_UPDATE",
      sends: ["shuffle": true]),
    Row(
      testDescription: "an update that jumps nowhere", action: .queueUpdate(QueueUpdate(jump: 0, shuffle: false)),
      type: "QUEUE_UPDATE", sends: ["shuffle": false]),
  ]

  @Test("Items are found by their media, and the verb is done when the device's own list shows it", arguments: rows)
  func done(row: Row) throws {
    let setting = Self.setting { $0.changes = [row.type: row.change] }
    try SessionLab.connected(setting) { lab in
      let start = lab.now
      let failure = await lab.perform(row.action)
      #expect(failure == nil, "\(failure?.message ?? "")")
      #expect(lab.now == start)
      let sent = try #require(lab.stage.sent.first?.object)
      #expect(lab.stage.sent.count == 1 && sent["type"]?.string == row.type && sent["mediaSessionId"] == 1)
      for member in row.sends.members { Self.expect(sent[member.name], holds: member.value, member.name) }
    }
  }

  /// All that was wanted stands in what was sent; more may.
  private static func expect(_ sent: JSONValue?, holds wanted: JSONValue, _ name: String) {
    switch wanted {
    case .object(let object):
      for member in object.members { expect(sent?[member.name], holds: member.value, "\(name).\(member.name)") }
    case .array(let items) where items.contains { $0.object != nil }:
      #expect(sent?.array?.count == items.count, "\(name)")
      for (index, item) in items.enumerated() {
        expect(sent?.array?.dropFirst(index).first, holds: item, "\(name).\(index)")
      }
    default: #expect(sent == wanted, "\(name)")
    }
  }

  @Test(
    "What the device's list does not show is asked for once a second until the step's end",
    arguments: rows.filter {
      ["insert at the end", "put another in an item's place", "remove a media", "reorder media"].contains(
        $0.testDescription)
    })
  func unheard(row: Row) throws {
    try SessionLab.connected(Self.setting()) { lab in
      let (start, before) = (lab.now, lab.stage.count("QUEUE_GET_ITEM_IDS"))
      let failure = await lab.perform(row.action, for: .milliseconds(3500))
      #expect(failure?.errorClass == .timeout && failure?.message.hasPrefix("waited for the ") == true)
      #expect(lab.now - start == .milliseconds(3500))
      #expect(lab.stage.count("QUEUE_GET_ITEM_IDS") - before == 5, "before, at once, and after each second")
    }
  }

  @Test(
    "An item that is not there is told with those that are, by their titles",
    arguments: [
      (QueueItemName.number(7), "the queue has no item 7"), (media("x"), "`x` is not in the queue"),
    ])
  func missing(name: QueueItemName, message: String) throws {
    for action in [
      DeviceAction.queueJump(.item(name)), .queueRemove([name]), .queueReorder(items: [name], before: nil),
      .queueReorder(items: [.number(1)], before: name), .queueInsert(items: [Self.newItem("d.mp4")], before: name),
      .queueUpdate(QueueUpdate(items: [(name, Self.newItem("d.mp4"))])),
    ] {
      try SessionLab.connected(Self.setting()) { lab in
        let failure = await lab.perform(action)
        #expect(failure?.errorClass == .invalidRequest && failure?.message == message)
        #expect(failure?.help?.hasPrefix("it holds 1") == true && lab.stage.sent.isEmpty)
      }
    }
  }

  static func queueItem(_ id: Int?, _ content: String? = nil, title: String? = nil, url: String? = nil) -> QueueItem {
    var media = content.map { LoadVerbTests.media($0) }
    media?.metadata = title.map { ["title": .string($0)] }
    media?.contentURL = url
    var item = QueueItem(media: media ?? MediaInformation())
    item.media = media
    item.itemID = id
    return item
  }

  @Test("A media is known by its content or its address, and the first of several counts")
  func found() throws {
    let queue = [
      Self.queueItem(4, "x.mp4", url: "https://a.example/b.mp4"), Self.queueItem(9, "b.mp4"),
      Self.queueItem(5, "b.mp4"), Self.queueItem(6),
    ]
    let secrets = Secrets(["host": "cdn-of-ours.example"])
    #expect(try Self.media("b").id(in: queue, secrets) == 9)
    #expect(try QueueItemName.media(id: "b", content: "https://a.example/b.mp4").id(in: queue, secrets) == 4)
    #expect(try QueueItemName.number(6).id(in: queue, secrets) == 6)
    let secret = [Self.queueItem(1, "https://cdn-of-ours.example/a.mp4")]
    let place = SecretPlaceholder.text(for: "host")
    #expect(try QueueItemName.media(id: "a", content: "https://\(place)/a.mp4").id(in: secret, secrets) == 1)
    let failure = #expect(throws: StepFailure.self) { try Self.media("q").id(in: secret, secrets) }
    #expect(failure?.help == "it holds 1 (https://\(place)/a.mp4)", "no secret is told")
  }

  @Test("No more than eight of what there is are told")
  func many() throws {
    for (count, text) in [
      (0, "it holds nothing"), (1, "it holds 1"), (8, "it holds 1, 2, 3, 4, 5, 6, 7, 8"),
      (9, "it holds 1, 2, 3, 4, 5, 6, 7, 8, …"),
    ] {
      let queue = (0..<count).map { Self.queueItem($0 + 1) }
      let failure = #expect(throws: StepFailure.self) { try QueueItemName.number(99).id(in: queue, Secrets()) }
      #expect(failure?.help == text)
    }
  }
}
