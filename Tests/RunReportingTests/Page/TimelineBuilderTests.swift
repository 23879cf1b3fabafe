import CastProtocol
import Testing

@testable import RunReporting

/// Timelines are made of events: a lane set for each device, one time axis for what runs at the same time.
@Suite struct TimelineBuilderTests {
  private static func timelines(_ lines: [String]) throws -> [RunTimeline] {
    var builder = RunPageBuilder([:])
    for event in try RunScene.events(lines) { builder.record(event) }
    return builder.timelines
  }

  private static let begin =
    [RunScene.begin] + RunScene.device + [#"0.5 scenario.started {"row":{},"attempt":1}"#]

  @Test("Scenarios that run at the same time share a timeline, those that follow each other do not")
  func groups() throws {
    let together = try Self.timelines(RunScene.choices)
    #expect(together.map { $0.devices.map(\.id) } == [["tv", "hub"]])
    #expect(together.map(\.scenarios) == [[0, 1]] && together[0].start == 0.3 && together[0].end == 3)
    let apart = try Self.timelines(RunScene.matrix)
    #expect(apart.map(\.scenarios) == [[0], [1], [2]])
    #expect(apart.map(\.start) == [0.3, 2, 3] && apart.map(\.end) == [1.7, 2.6, 5])
    #expect(try Self.timelines(RunScene.empty).isEmpty)
  }

  @Test("The document's own steps are bars; one that was not begun is none")
  func steps() throws {
    let device = try #require(Self.timelines(RunScene.flow).first?.devices.first)
    #expect(device.steps.map(\.id) == ["s1", "s5", "s6"])
    #expect(device.steps.map(\.result) == [.passed, .error, .error])
    #expect(device.steps.map(\.start) == [1, 5, 7] && device.steps.map(\.end) == [4, 6.1, 9.1])
    #expect(device.link.segments == [.init(start: 1.5, end: 3, text: "lost: the connection broke")])
    #expect(
      device.marks.moments.map(\.text) == [
        "half time", #"a <b> & "c""#, "s5: try 1 failed: nothing plays", "s6: try 1 failed: no answer",
        "s6: try 2 failed: INVALID_PARAMS",
      ])
    // What stands in another is told there.
    let outer = try #require(Self.timelines(RunScene.nested).first?.devices.first)
    #expect(outer.steps.map(\.id) == ["s1"])
  }

  @Test("Statuses become lanes and a position; another scenario begins with what the one before left")
  func statuses() throws {
    func status(_ time: Double, _ set: String, _ unset: String = "", scope: String = "media") -> String {
      #"\#(time) status {"source":"push","scope":"\#(scope)","set":\#(set),"unset":[\#(unset)]}"#
    }
    let timelines = try Self.timelines(
      Self.begin + [
        status(1, #"{"app":{"id":"A1","name":"Film"},"player":"idle"}"#, scope: "receiver"),
        status(2, #"{"player":"buffering","position":0,"rate":0,"break":{"id":"pre","clip":"soap"}}"#),
        status(4, #"{"player":"playing","rate":1.5}"#, #""break""#),
        status(5, #"{"volume":{"level":40}}"#, scope: "receiver"), status(6, #"{"position":3,"player":"paused"}"#),
        RunScene.finished(8, .passed, #""passed":0"#, duration: 7.5), #"9 scenario.started {"row":{},"attempt":2}"#,
      ])
    #expect(timelines.count == 2)
    let device = timelines[0].devices[0]
    #expect(device.app.segments == [.init(start: 1, end: 8, text: "Film")])
    #expect(device.player.segments.map(\.text) == ["idle", "buffering", "playing", "paused"])
    #expect(device.adBreak.segments == [.init(start: 2, end: 4, text: "pre/soap")])
    #expect(device.rate.segments.map(\.text) == ["0x", "1.5x"])
    #expect(device.position.points.map(\.speed) == [0, 1.5, 0] && device.position.points.map(\.time) == [2, 4, 6])
    #expect(device.longestStall?.length == 2 && device.longestStall?.since == 2)
    #expect(device.statuses.rows.map(\.time) == [1, 2, 4, 5, 6])
    #expect(device.statuses.rows[2].unset == ["break"])
    let next = timelines[1].devices[0]
    #expect(next.player.segments == [.init(start: 9, end: 9, text: "paused")])
    #expect(next.statuses.rows.first?.time == 9)
    #expect(next.statuses.rows.first?.set.map(\.name) == ["app", "player", "position", "rate", "volume"])
  }

  @Test("An expectation is a window from its step's begin to its verdict, with its deadline")
  func windows() throws {
    let device = try #require(Self.timelines(RunScene.nested).first?.devices.first)
    #expect(device.windows.map(\.hasPassed) == [true, false])
    #expect(device.windows.map(\.start) == [1.1, 2] && device.windows.map(\.end) == [1.2, 3])
    #expect(device.windows[1].deadline == 12 && device.windows[1].text == "player playing")
  }

  @Test("Faults of a virtual receiver are on the lanes of its device, messages and monitors on those of theirs")
  func moments() throws {
    let device = try #require(
      Self.timelines(
        Self.begin + [
          #"1 fault @ {"receiver":"Living Room TV","number":2,"fault":"{ at: load }","count":1}"#,
          #"2 request {"attempt":1,"ns":"media","msg":{"type":"LOAD"}}"#,
          #"2.1 reply {"attempt":1,"ns":"x","msg":"t"}"#,
          #"3 monitor.failed {"name":"quiet","want":{},"got":{},"since":1}"#,
        ]
      ).first)
    #expect(device.devices.map(\.id) == ["tv"])
    #expect(device.devices[0].faults.moments == [.init(time: 1, text: "2: { at: load }", look: .note)])
    #expect(
      device.devices[0].messages.moments == [
        .init(time: 2, text: "LOAD", look: .sent), .init(time: 2.1, text: "x", look: .received),
      ])
    #expect(device.devices[0].monitors.moments == [.init(time: 3, text: "quiet", look: .bad)])
  }

  @Test("Steps of several devices that are about none are on the lanes of all")
  func roles() throws {
    let timelines = try Self.timelines([
      RunScene.begin, #"1 scenario.started @ {"row":{},"attempt":1,"roles":{"left":"a","right":"b"}}"#,
      RunScene.step(2, "s1", "wait", "wait 1s", line: 3).replacing("s1 ", with: "s1 @ "),
      #"3 step.finished s1 @ {"result":"passed","attempts":1,"duration":1}"#,
      RunScene.step(4, "s2", "pause", "pause", line: 4).replacing("s2 ", with: "s2 @b "),
    ])
    let devices = try #require(timelines.first?.devices)
    #expect(devices.map(\.id) == ["a", "b"])
    #expect(devices.map { $0.steps.map(\.id) } == [["s1"], ["s1", "s2"]])
    // The run ended without a word while it ran.
    #expect(devices[1].steps[1].result == nil && timelines[0].end == 4)
  }

  @Test("All statuses of a page together keep within what they may cost, and come to the same")
  func bounded() throws {
    var builder = RunPageBuilder([:])
    for event in try RunScene.events(Self.begin) { builder.record(event) }
    for index in 0..<30_000 {
      builder.record(
        Event(
          number: index, wallTime: 0, elapsed: 1 + Double(index) / 4, type: .status, document: "ads",
          device: index.isMultiple(of: 2) ? "tv" : "hub",
          fields: ["source": "push", "scope": "media", "set": ["position": .int(index)], "unset": []]))
    }
    let devices = try #require(builder.timelines.first?.devices)
    #expect(devices.reduce(0) { $0 + $1.statuses.cost } <= TimelineBuilder.statusBytes)
    #expect(devices.reduce(0) { $0 + $1.statuses.count } == 30_000)
    #expect(devices[0].statuses.rows.last?.set.first?.text == "29998.0s")
    #expect(devices[1].statuses.rows.last?.set.first?.text == "29999.0s")
  }

  @Test("While a device is away nothing is drawn of what it does; then goes on what was known")
  func away() throws {
    let status =
      #"1 status {"source":"push","scope":"media","set":{"player":"playing","position":1,"rate":1},"unset":[]}"#
    let timelines = try Self.timelines(
      Self.begin + [status, #"3 device.lost {"reason":"cut"}"#, #"7 device.back {"after":4}"#])
    let device = try #require(timelines.first?.devices.first)
    #expect(device.player.segments.first == .init(start: 1, end: 3, text: "playing"))
    #expect(device.position.points.map(\.position) == [1, nil])
    #expect(PositionTrack.lines(device.position.points, until: 9).first?.last?.time == 3)
  }
}
