import CastProtocol
import TestSupport
import Testing

@testable import RunReporting

/// What is kept of a run when it is compared with others.
@Suite struct RunSummaryTests {
  private func summary(_ lines: [String]) throws -> RunSummary {
    var transcript = RunTranscript()
    for event in try RunScene.events(lines) { transcript.record(event) }
    return RunSummary(RunResults(transcript))
  }

  @Test("Steps have their results, times, tries and limits; a scenario its device and the document's file")
  func flow() throws {
    let summary = try summary(RunScene.flow)
    #expect(summary.run == "r1" && summary.exitCode == 5 && summary.startedAt == 1_795_251_600)
    let scenario = try #require(summary.scenarios.first)
    #expect(scenario.key == RunSummary.Key(document: "ads", device: "Living Room TV"))
    #expect(scenario.file == "qa/ads.yaml" && scenario.duration == 9.7)
    #expect(
      scenario.steps == [
        RunSummary.Step(name: "s1 load film", result: .passed, duration: 3, limit: 10),
        RunSummary.Step(name: "s4 pause", result: .skipped, duration: 0),
        RunSummary.Step(name: "s5 seek to 1m", result: .ignored, duration: 1.1, limit: 10),
        RunSummary.Step(name: "s6 rate 2", result: .error, duration: 2.1, limit: 10, attempts: 2),
        RunSummary.Step(name: "s7 stop", result: .notRun, duration: 0),
      ])
  }

  @Test(
    "A step that takes all its time when all is well has no limit",
    arguments: ["wait", "always", "never"])
  func pauses(verb: String) throws {
    let lines = RunScene.flow.map { $0.replacing(#""verb":"load""#, with: #""verb":"\#(verb)""#) }
    #expect(try summary(lines).scenarios.first?.steps.first?.limit == nil)
  }

  @Test("A wait for a status has a limit: it may be late")
  func lateWait() throws {
    let lines = RunScene.flow.map { $0.replacing(#""verb":"load""#, with: #""verb":"wait_until""#) }
    #expect(try summary(lines).scenarios.first?.steps.first?.limit == 10)
  }

  @Test("Virtual devices and other speeds are not compared with the real thing")
  func virtual() throws {
    let lines = RunScene.flow.map {
      $0.replacing(#""via":"mdns""#, with: #""via":"virtual""#).replacing(#""argv":[]"#, with: #""argv":[],"speed":20"#)
    }
    #expect(try summary(lines).scenarios.first?.key.device == "Living Room TV (virtual, 20x)")
  }

  @Test("A run that was killed has no exit code, and its scenario no result")
  func killed() throws {
    let summary = try summary(Array(RunScene.flow.prefix(5)))
    #expect(summary.exitCode == nil && summary.scenarios.first?.result == nil)
    #expect(summary.scenarios.first?.steps.first?.result == .unfinished)
  }

  @Test("What somebody ended by hand is unfinished, and its steps say nothing of the device", arguments: [130, 143])
  func stopped(exit: Int) throws {
    let lines = RunScene.flow.map { $0.replacing(#""exit":5"#, with: #""exit":\#(exit)"#) }
    let scenario = try #require(try summary(lines).scenarios.first)
    #expect(scenario.result == nil)
    #expect(scenario.steps.map(\.name) == ["s1 load film", "s4 pause", "s5 seek to 1m", "s7 stop"])
  }

  @Test("A step that an earlier part of the run did is counted there alone")
  func taken() throws {
    let lines = RunScene.flow.map {
      $0.replacing(
        #"4 step.finished s1 {"result":"passed""#, with: #"4 step.finished s1 {"resumed":"taken","result":"passed""#)
    }
    #expect(try summary(lines).scenarios.first?.steps.first?.name == "s4 pause")
  }

  @Test("A loop of which an earlier part of the run did some passes is no quick loop: it is left out")
  func partlyTaken() throws {
    func names(_ resumed: String) throws -> [String]? {
      let lines =
        [RunScene.begin] + RunScene.device + [
          #"0.3 scenario.started {"row":{},"attempt":1}"#, RunScene.step(1, "s1", "repeat", "repeat 2 times", line: 3),
          #"1 step.finished s1.1 {"result":"passed","parent":"s1","pass":1,"attempts":1,"duration":1\#(resumed)}"#,
          #"2 step.finished s1 {"result":"passed","attempts":1,"duration":1}"#,
        ]
      return try summary(lines).scenarios.first?.steps.map(\.name)
    }
    #expect(try names(#","resumed":"taken""#) == [])
    #expect(try names("") == ["s1 repeat 2 times"])
  }

  @Test("How near values and rules were to their limits is kept, and read back; a broken rule has failed")
  func margins() throws {
    var lines = RunScene.flow
    let end = try #require(lines.firstIndex { $0.contains("step.finished s1 ") })
    lines.insert(
      #"3.9 expect.passed s1 {"want":{},"got":{},"mismatches":[],"estimated":false,"#
        + #""margins":[{"field":"position","left":0.25,"of":1}],"waitedFor":["player"],"because":null}"#, at: end)
    lines = lines.map {
      $0.contains("scenario.finished")
        ? String($0.dropLast()) + #","rules":[{"name":"no stall","margins":[{"field":"for","left":1.2,"of":5},"#
          + #"{"field":"volume.level","left":0.1}]}]}"# : $0
    }
    lines.insert(#"4.5 monitor.failed {"name":"no pause","want":{},"got":{},"since":4}"#, at: end + 2)
    // What was judged for a part of the scenario did not hold all of it.
    #expect(try self.summary(lines).scenarios.first?.steps.contains { $0.name == "no stall" } == false)
    lines = lines.map {
      $0.contains("scenario.finished") ? $0.replacing(#""result":"error""#, with: #""result":"passed""#) : $0
    }
    let summary = try summary(lines)
    let steps = try #require(summary.scenarios.first?.steps)
    #expect(steps[0].margins == [.init(.init("position"), left: 0.25, of: 1)] && steps[0].waitedFor == ["player"])
    #expect(steps.filter { $0.section == "watch" }.map(\.name) == ["no pause", "no stall"])
    #expect(
      steps.last
        == RunSummary.Step(
          section: "watch", name: "no stall", result: .passed, duration: 3.8, limit: 5,
          margins: [.init(.init("volume.level"), left: 0.1)]))
    #expect(steps.first { $0.name == "no pause" }?.result == .failed)
    #expect(RunSummary(summary.json) == summary)
    // A line of an earlier version has none.
    let old: JSONValue = [
      "v": 1, "run": "r", "started": 1,
      "scenarios": [
        [
          "doc": "a", "device": "b", "file": "f", "started": 1, "duration": 1,
          "steps": [["steps", "s1 a", "passed", 1, 2, 1]],
        ]
      ],
    ]
    #expect(RunSummary(old)?.scenarios.first?.steps == [.init(name: "s1 a", result: .passed, duration: 1, limit: 2)])
  }

  @Test("What a device says of its software is kept, whichever event tells it, also of several devices")
  func firmware() throws {
    #expect(try summary(RunScene.flow).scenarios.first?.firmware.versions == ["": "1.68"])
    let asked = RunScene.flow.map { $0.replacing(#","firmware":"1.68""#, with: "") }
    #expect(try summary(asked).scenarios.first?.firmware.versions == [:])
    let told = Array(asked.prefix(4)) + [#"0.9 device.software {"firmware":"1.56","build":"33"}"#] + asked.dropFirst(4)
    let summary = try summary(told)
    #expect(summary.scenarios.first?.firmware.versions == ["": "1.56, build 33"])
    #expect(RunSummary(summary.json) == summary)
    let junit = ReportText.junit(try RunScene.events(told))
    #expect(junit.contains(#"<property name="device.firmware" value="1.56, build 33"/>"#))
    // Another row finds its device anew, and is not told again.
    let row = RunScene.device + [#"11 scenario.started {"row":{"n":2},"attempt":1}"#]
    let rows = told.dropLast() + row.map { $0.replacing(#","firmware":"1.68""#, with: "") }
    #expect(
      try self.summary(Array(rows)).scenarios.map(\.firmware.versions)
        == [["": "1.56, build 33"], ["": "1.56, build 33"]])
    let roles = told.map { $0.replacing(#""attempt":1"#, with: #""attempt":1,"roles":{"left":"tv","right":"hub"}"#) }
    let ofRoles = try self.summary(roles)
    #expect(ofRoles.scenarios.first?.firmware.versions == ["left": "1.56, build 33"])
    #expect(RunSummary(ofRoles.json) == ofRoles)
  }

  @Test("Rows of a matrix are scenarios of their own, also when they are read back")
  func rows() throws {
    let lines = RunScene.flow.map { $0.replacing(#""row":{}"#, with: #""row":{"lang":"no","speed":2}"#) }
    let summary = try summary(lines)
    #expect(summary.scenarios.map(\.key.row) == ["lang=no speed=2"])
    #expect(summary.scenarios.first?.key.title == "ads on Living Room TV, lang=no speed=2")
    #expect(RunSummary(try JSONValue(parsing: summary.json.serialized())) == summary)
  }

  @Test(
    "What is stored is read back as it was",
    arguments: [RunScene.flow, RunScene.nested, RunScene.noDevice, RunScene.empty])
  func stored(lines: [String]) throws {
    let summary = try summary(lines)
    #expect(RunSummary(try JSONValue(parsing: summary.json.serialized())) == summary)
  }

  @Test(
    "Anything else is refused",
    arguments: [
      "null", "[]", "{}", #"{"v":2,"run":"r","started":0,"scenarios":[]}"#, #"{"v":1,"run":"r","scenarios":[]}"#,
      #"{"v":1,"started":0,"scenarios":[]}"#, #"{"v":1,"run":"r","started":0}"#,
      #"{"v":1,"run":"r","started":"0","scenarios":[]}"#, #"{"v":1,"run":"r","started":0,"scenarios":[{}]}"#,
      #"{"v":1,"run":"r","started":0,"scenarios":[{"doc":"d","device":"t","file":"f","started":0,"duration":1}]}"#,
    ]
      + [
        "[]", #"["steps","s","passed",1,null]"#, #"["steps","s","odd",1,null,1]"#,
        #"["steps","s","passed","1",null,1]"#,
      ]
      .map {
        #"{"v":1,"run":"r","started":0,"scenarios":[{"doc":"d","device":"t","file":"f","started":0,"duration":1,"#
          + #""steps":[\#($0)]}]}"#
      })
  func damaged(text: String) throws {
    #expect(RunSummary(try JSONValue(parsing: text)) == nil)
  }

  @Test("Of a run of very many steps only so many are kept")
  func bounded() throws {
    let steps = (1...6000).map { number in
      #"1 step.finished s\#(number) {"result":"skipped","verb":"pause","name":"pause","file":"f","line":1,"column":1}"#
    }
    #expect(try summary(Array(RunScene.flow.prefix(4)) + steps).scenarios.first?.steps.count == RunSummary.stepLimit)
  }
}
