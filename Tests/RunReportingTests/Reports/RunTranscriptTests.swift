import CastProtocol
import ScenarioLanguage
import Testing

@testable import RunReporting

/// A run as its events describe it.
@Suite struct RunTranscriptTests {
  private static func transcript(_ lines: [String]) throws -> RunTranscript {
    var transcript = RunTranscript()
    for event in try RunScene.events(lines) { transcript.record(event) }
    return transcript
  }

  private static let scenario = #"0 scenario.started {"row":{},"attempt":1}"#

  private static func status(_ time: Int, _ set: String, _ device: String = "", source: String = "push") -> String {
    #"\#(time) status \#(device) {"source":"\#(source)","scope":"media","set":\#(set),"unset":["gone"]}"#
  }

  @Test("A failure inside a loop in a group is its cause; failures that are ignored are not")
  func cause() throws {
    func end(_ id: String, _ parent: String?, _ result: String, _ more: String = "") -> String {
      let outer = parent.map { #""parent":"\#($0)","# } ?? ""
      return #"9 step.finished \#(id) {"result":"\#(result)",\#(outer)"name":"\#(id)"\#(more)}"#
    }
    func begin(_ id: String, _ parent: String?) -> String {
      RunScene.step(1, id, "group", id, line: 3, more: parent.map { #","parent":"\#($0)""# } ?? "")
    }
    let transcript = try Self.transcript([
      Self.scenario, begin("s1", nil), begin("s1.1", "s1"), begin("s1.1.1", "s1.1"), end("s1.1.1", "s1.1", "passed"),
      begin("s1.1.2", "s1.1"), end("s1.1.2", "s1.1", "failed"), end("s1.1.3", "s1.1", "skipped"),
      end("s1.1", "s1", "failed"),
      begin("s1.2", "s1"), end("s1.2", "s1", "error", #","ignored":true"#), end("s1", nil, "failed"),
    ])
    let scenario = try #require(transcript.scenario)
    #expect(scenario.steps.map(\.id) == ["s1"] && scenario.open.isEmpty && scenario.running == nil)
    #expect(scenario.steps[0].failures.map(\.id) == ["s1.1", "s1.2"])
    #expect(scenario.steps[0].rootCause.id == "s1.1.2" && scenario.last?.id == "s1")
  }

  @Test("Of very many failures and statuses the last are kept, and all polled ones counted")
  func limits() throws {
    var lines = [Self.scenario, RunScene.step(1, "s1", "repeat", "r", line: 3)]
    for pass in 1...50 {
      lines.append(RunScene.step(1, "s1.1", "log", "l", line: 3, more: #","parent":"s1","pass":\#(pass)"#))
      lines.append(#"2 step.finished s1.1 {"result":"failed","parent":"s1","reason":"\#(pass)"}"#)
      lines.append(Self.status(pass, #"{"position":\#(pass)}"#, source: "polled"))
      lines.append(#"3 monitor.failed {"name":"m\#(pass)"}"#)
    }
    let transcript = try Self.transcript(lines)
    let step = try #require(transcript.scenario?.steps.first)
    #expect(step.failures.count == RunTranscript.failureLimit && step.failures.last?.reason == "50")
    #expect(step.statuses.count == RunTranscript.statusLimit && step.statuses.last?.elapsed == 50)
    #expect(step.statuses.first?.elapsed == Double(51 - RunTranscript.statusLimit))
    #expect(step.polledStatuses == 50)
    #expect(transcript.scenario?.brokenMonitors.count == RunTranscript.failureLimit)
  }

  @Test("Each device has a merged status of its own; a scenario that begins alone begins without one")
  func statuses() throws {
    let two = [#"0 scenario.started {"row":{},"roles":{"a":"tv","b":"hub"}}"#]
    let lines =
      two + [
        Self.status(1, #"{"player":"playing","gone":1}"#), Self.status(2, #"{"player":"idle"}"#, "@hub"),
        Self.status(3, #"{"position":4}"#),
      ]
    let transcript = try Self.transcript(lines)
    #expect(transcript.status == ["player": "playing", "position": 4])
    #expect(transcript.lastStatusElapsed == 3)
    let next = try Self.transcript(
      lines + [#"4 scenario.finished {"result":"passed"}"#, Self.scenario, Self.status(5, "{}")])
    #expect(next.status == [:])
  }

  @Test("The status of the receiver does not move the film's clock")
  func receiver() throws {
    let transcript = try Self.transcript([
      Self.scenario, Self.status(1, #"{"position":4}"#), #"2 status {"scope":"receiver","set":{"volume":{"level":1}}}"#,
    ])
    #expect(transcript.lastStatusElapsed == 1)
  }

  @Test("The last try of each row on each device counts, in the order of the tries")
  func final() throws {
    func run(_ device: String, _ row: String, _ attempt: Int) -> String {
      #"0 scenario.started @\#(device) {"row":{\#(row)},"attempt":\#(attempt)}"#
    }
    let no = #""lang":"no""#
    let transcript = try Self.transcript([
      run("tv", no, 1), run("hub", no, 1), run("tv", no, 2), run("tv", "", 1), run("hub", no, 2),
    ])
    let told = transcript.finalScenarios.map { "\($0.device ?? "") \($0.rowText ?? "-") \($0.attempt)" }
    #expect(told == ["tv lang=no 2", "tv - 1", "hub lang=no 2"])
    #expect(transcript.isOfSeveralDevices && transcript.whose("hub", row: "lang=no") == "hub lang=no ")
    #expect(transcript.whose(nil, row: nil) == "- ")
  }

  static let devices: [(lines: [String], text: String)] = [
    ([#"0 scenario.started @ {}"#], "no device"), (["0 scenario.started"], "tv"),
    (RunScene.device + ["1 scenario.started"], "Living Room TV"),
    ([#"0 device.found {"ip":"192.0.2.1"}"#, "1 scenario.started"], "tv"),
    (
      RunScene.device + [#"0 scenario.started {"roles":{"left":"tv","right":"hub","top":7}}"#],
      "left=Living Room TV, right=hub, top="
    ),
    (RunScene.device + [RunScene.device[0].replacing("Living Room", with: "New"), "1 scenario.started"], "New TV"),
  ]

  @Test("A device is called by its name, else its id; each role by its own", arguments: devices)
  func device(lines: [String], text: String) throws {
    let transcript = try Self.transcript(lines)
    let scenario = try #require(transcript.scenario)
    #expect(transcript.deviceText(of: scenario) == text)
  }

  static let reruns: [(rerun: String, scenario: String, file: String, seed: String, line: String)] = [
    ("null", "{}", "qa/ads.yaml", "7", "run qa/ads.yaml --seed 7"),
    ("null", "{}", "qa/ads.yaml", "null", "run qa/ads.yaml"),
    (#"["simulate","--set","x=a b"]"#, "{}", "a.yaml", "1", "simulate a.yaml --set 'x=a b' --seed 1"),
    ("[]", "{}", "-a.yaml", "1", "run ./-a.yaml --seed 1"), ("null", "{}", "<stdin>", "1", "run - --seed 1"),
    (
      "null", #"{"row":{"lang":"no","n":2,"on":true,"none":null}}"#, "a.yaml", "1",
      "run a.yaml --row lang=no --row n=2 --row on=true --row none=null --seed 1"
    ),
    ("null", #"{"row":{"t":"$(rm)"}}"#, "my ads.yaml", "1", "run 'my ads.yaml' --row 't=$(rm)' --seed 1"),
    (
      #"["run","--device","a","--virtual","--device","b"]"#, #"{"choice":"b"}"#, "a.yaml", "1",
      "run a.yaml --virtual --device b --seed 1"
    ),
    (#"["run","--device"]"#, #"{"choice":"b"}"#, "a.yaml", "1", "run a.yaml --device --device b --seed 1"),
    (#"["simulate","--device","a"]"#, #"{"choice":"b"}"#, "a.yaml", "1", "simulate a.yaml --device a --seed 1"),
  ]

  @Test("The command that runs a scenario again has its row, its device and its seed", arguments: reruns)
  func rerun(_ example: (rerun: String, scenario: String, file: String, seed: String, line: String)) throws {
    let transcript = try Self.transcript([
      #"0 run.started {"seed":\#(example.seed),"rerun":\#(example.rerun),"docs":[{"doc":"ads","file":"\#(example.file)"}]}"#,
      "1 scenario.started \(example.scenario)",
    ])
    let scenario = try #require(transcript.scenario)
    #expect(transcript.rerunLine(of: scenario) == "showcaller " + example.line)
  }

  @Test("Any word survives a POSIX shell", arguments: 1...4 as ClosedRange<UInt64>)
  func shell(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = Array("ab '\"$`\\\n!*?[](){}<>|&;#~=%é字")
    for _ in 0..<300 {
      let word = String((0..<random.next(below: 8)).map { _ in letters[random.next(below: letters.count)] })
      #expect(Self.read(ShellWord.quoted(word)) == word)
    }
  }

  /// What a shell makes of one word: quotes taken off; `nil` where it would do anything else with it.
  private static func read(_ text: String) -> String? {
    var (result, isQuoted, isEscaped) = ("", false, false)
    for letter in text {
      if isEscaped {
        (result, isEscaped) = (result + String(letter), false)
      } else if letter == "'" {
        isQuoted.toggle()
      } else if letter == "\\" && !isQuoted {
        isEscaped = true
      } else if isQuoted || letter.isASCII && (letter.isLetter || letter.isNumber || "_@%+=:,./-".contains(letter)) {
        result.append(letter)
      } else {
        return nil
      }
    }
    return isQuoted || isEscaped ? nil : result
  }

  @Test("Only errors that are told are kept, and what ends the run is its last word")
  func errors() throws {
    let transcript = try Self.transcript([
      #"0 diagnostic {"severity":"warning","message":"w"}"#, #"0 diagnostic {"severity":"error","message":"e"}"#,
      #"0 diagnostic {"severity":"doom","message":"d"}"#, RunScene.end(3.5, .flaky, exit: 7),
    ])
    #expect(transcript.errors.map(\.message) == ["e"])
    #expect(transcript.finished?.exit == 7 && transcript.finishedAt == 3.5 && transcript.scenario == nil)
  }
}
