import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite struct TogetherStateMachineTests {
  static let playing = Make.snapshot(.playing, position: 10)
  static let paused = Make.snapshot(.paused, position: 10)

  static func machine(_ condition: Condition = Make.equal("player", "playing"), skew: Double? = nil)
    -> TogetherStateMachine
  {
    var action = Plan.TogetherAction(roles: ["left", "right"], condition: condition, within: .seconds(10))
    action.skew = skew.map { .seconds($0) }
    return TogetherStateMachine(action, saved: ["limit": 20])
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var skew: Double?
    /// Which device was seen how, and when.
    var seen: [(role: Int, snapshot: DeviceSnapshot, at: Double)]
    var hasPassed: Bool
    var spread: Double?
    var shortcoming: String?
  }

  static let rows: [Row] = [
    Row(testDescription: "nobody was seen", seen: [], hasPassed: false, shortcoming: "left: not seen; right: not seen"),
    Row(
      testDescription: "one was seen", seen: [(0, playing, 1)], hasPassed: false, shortcoming: "right: not seen"),
    Row(
      testDescription: "both, at any distance", seen: [(0, playing, 1), (1, playing, 9)], hasPassed: true, spread: 8),
    Row(
      testDescription: "just close enough", skew: 0.5, seen: [(1, playing, 1), (0, playing, 1.5)], hasPassed: true,
      spread: 0.5),
    Row(
      testDescription: "too far apart", skew: 0.5, seen: [(1, playing, 1), (0, playing, 1.501)], hasPassed: false,
      spread: 0.501,
      shortcoming: "entered 0.501s apart, at most 500ms is allowed: left +0.501s, right +0s"),
    Row(
      testDescription: "one left it", seen: [(0, playing, 1), (1, playing, 2), (0, paused, 3)], hasPassed: false,
      shortcoming: "left: player: expected playing, observed paused"),
    Row(
      testDescription: "one left it and came back", skew: 1,
      seen: [(0, playing, 1), (0, paused, 2), (0, playing, 5), (1, playing, 5.5)], hasPassed: true, spread: 0.5),
    Row(
      testDescription: "seeing it again is no new beginning", skew: 1,
      seen: [(0, playing, 1), (0, playing, 5), (1, playing, 5)],
      hasPassed: false, spread: 4, shortcoming: "entered 4s apart, at most 1s is allowed: left +0s, right +4s"),
    Row(
      testDescription: "no such device", seen: [(2, playing, 1), (-1, playing, 1)], hasPassed: false,
      shortcoming: "left: not seen; right: not seen"),
  ]

  @Test("Devices are together when all are in it, and came to it within the time", arguments: rows)
  func together(row: Row) {
    var machine = Self.machine(skew: row.skew)
    for (role, snapshot, at) in row.seen { machine.observe(Make.view(snapshot, at: at), of: role) }
    #expect(machine.hasPassed == row.hasPassed)
    #expect(machine.spread.map { ($0.seconds * 1000).rounded() / 1000 } == row.spread)
    if let shortcoming = row.shortcoming { #expect(machine.shortcoming == shortcoming) }
  }

  @Test("What each device says is told by its role, and the place of what does not hold")
  func values() {
    var machine = Self.machine()
    #expect(machine.got == ["left": [:], "right": [:]] && machine.span == nil)
    machine.observe(Make.view(Self.playing, at: 1), of: 0)
    machine.observe(Make.view(Self.paused, at: 2), of: 1)
    #expect(machine.got == ["left": ["player": "playing"], "right": ["player": "paused"]])
    #expect(machine.span == Make.span && machine.want == ["player": "playing"])
  }

  @Test("A device may come to it by itself: the next moment is solved, and what was saved counts")
  func crossing() {
    let condition = Make.field("position", .range(min: .init(.saved("limit")), max: nil, above: nil, below: nil))
    let machine = Self.machine(condition)
    #expect(machine.nextCrossing(of: Make.view(Self.playing, at: 2)) == .seconds(10))
    #expect(machine.nextCrossing(of: Make.view(Self.playing, at: 10)) == .milliseconds(10_001))
    #expect(machine.nextCrossing(of: Make.view(Self.paused, at: 2)) == nil)
  }
}

@Suite struct MessageSearchTests {
  static let namespace = "urn:x-cast:com.example"

  static func search(_ condition: Condition, secrets: Secrets = Secrets()) -> MessageSearch {
    MessageSearch(.init(condition), on: namespace, saved: ["wanted": ["id": 7]], secrets: secrets)
  }

  static let pong = Condition.all([Make.equal("type", "PONG"), Make.equal("data.n", 5)])

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var condition = MessageSearchTests.pong
    var messages: [JSONValue]
    var found: JSONValue?
    var count: Int
    var shortcoming: String = ""
  }

  static let rows: [Row] = [
    Row(testDescription: "none came", messages: [], count: 0, shortcoming: "no message came on urn:x-cast:com.example"),
    Row(
      testDescription: "the first fits", messages: [["type": "PONG", "data": ["n": 5], "more": 1]],
      found: ["type": "PONG", "data": ["n": 5], "more": 1], count: 1),
    Row(
      testDescription: "the nearest is told", messages: [["type": "PONG", "data": ["n": 4]], ["type": "X"]], count: 2,
      shortcoming: "data.n: expected 5, observed 4"),
    Row(
      testDescription: "of two as near the later is told",
      messages: [["type": "PONG"], ["type": "A", "data": ["n": 5]]], count: 2,
      shortcoming: "type: expected PONG, observed A"),
    Row(
      testDescription: "a member of a list", condition: Make.equal("list.1.name", "b"),
      messages: [["list": [["name": "a"], ["name": "b"]]]], found: ["list": [["name": "a"], ["name": "b"]]], count: 1),
    Row(
      testDescription: "no object at all", condition: Make.equal("type", "X"), messages: ["text", 5, []], count: 3,
      shortcoming: "type: expected X, observed none"),
    Row(
      testDescription: "what was saved", condition: Make.field("id", .equals(.init(.saved("wanted.id")))),
      messages: [["id": 6], ["id": 7]],
      found: ["id": 7], count: 2),
  ]

  @Test("The first message that fits is found, else the nearest says what it lacks", arguments: rows)
  func search(row: Row) {
    var search = Self.search(row.condition)
    var found = false
    for message in row.messages where !found { found = search.takes(message) }
    #expect(found == (row.found != nil) && search.found == row.found && search.count == row.count)
    #expect(search.shortcoming == row.shortcoming)
    #expect(search.mismatches.isEmpty == (row.found != nil || row.messages.isEmpty))
  }

  @Test("Only messages on the namespace count")
  func namespace() {
    var search = Self.search(Make.equal("type", "PONG"))
    func observation(_ namespace: String?, _ message: JSONValue?) -> Observation {
      Observation(
        number: 1, at: .zero, source: .push, scope: .message, snapshot: DeviceSnapshot(), message: message,
        namespace: namespace.map { Namespace(rawValue: $0) })
    }
    let pong: JSONValue = ["type": "PONG"]
    let others = [observation("urn:x-cast:com.other", pong), observation(nil, pong), observation(Self.namespace, nil)]
    #expect(others.map { search.takes($0) } == [false, false, false] && search.count == 0)
    #expect(search.takes(observation(Self.namespace, pong)) == true)
    #expect(search.count == 1)
  }

  @Test("What the nearest says of each member is told below `message`; what is absent is null")
  func got() {
    var search = Self.search(Self.pong)
    #expect(search.got == [:] && search.want == ["message": ["type": "PONG", "data": ["n": 5]]])
    _ = search.takes(["type": "PING"])
    #expect(search.got == ["message": ["type": "PING", "data": ["n": .null]]])
  }

  @Test("Secrets that come back are known, and told, by their names")
  func secrets() {
    let name = SecretPlaceholder.text(for: "token")
    var search = Self.search(Make.equal("ticket", .string(name)), secrets: Secrets(["token": "hunter2-hunter2"]))
    #expect(search.takes(["ticket": "hunter2-hunter2"]) == true)
    #expect(search.found == ["ticket": .string(name)])
  }
}
