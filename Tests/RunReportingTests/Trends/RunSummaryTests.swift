import CastProtocol
import Testing

@testable import RunReporting

/// What is kept of a run when it is compared with others.
@Suite struct RunSummaryTests {
  private func summary(_ lines: [String]) throws -> RunSummary {
    var reader = RunSummaryReader()
    for event in try RunScene.events(lines) { reader.record(event) }
    return try #require(reader.summary)
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
    arguments: ["wait", "wait_until", "always", "never"])
  func pauses(verb: String) throws {
    let lines = RunScene.flow.map { $0.replacing(#""verb":"load""#, with: #""verb":"\#(verb)""#) }
    #expect(try summary(lines).scenarios.first?.steps.first?.limit == nil)
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

  @Test("Before a run begins there is nothing")
  func nothing() { #expect(RunSummaryReader().summary == nil) }

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
