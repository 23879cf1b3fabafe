import CastProtocol
import ScenarioLanguage
import Simulation
import Synchronization
import Testing

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner

/// What `exec` gives a program and takes from it; the program itself is the command's business.
@Suite struct ProgramTests {
  private static func scenario(_ steps: String...) -> String {
    "scenario: Programs\ndevice: Living Room TV\nsteps:\n  - load: https://cdn.example.com/a.mp4\n"
      + steps.map { "  - \($0)\n" }.joined()
  }

  private func play(_ end: ProgramCall.End, _ steps: String...) throws -> Play {
    let text =
      "scenario: Programs\ndevice: Living Room TV\nsteps:\n  - load: https://cdn.example.com/a.mp4\n"
      + steps.map { "  - \($0)\n" }.joined()
    let seen = Calls()
    let play = try Play(text, configure: { $0.startProgram = { seen.take($0, end) } })
    for call in seen.all {
      #expect(call.command.first == "judge")
      let input = try JSONValue(parsing: String(decoding: call.input, as: UTF8.self))
      #expect(input["status"]?["player"] == "playing" && input["device"]?["name"] == "Living Room TV")
    }
    return play
  }

  private final class Calls: Sendable {
    private let calls = Mutex<[ProgramCall]>([])
    var all: [ProgramCall] { calls.withLock { $0 } }
    func take(_ call: ProgramCall, _ end: ProgramCall.End) -> ProgramCall.End {
      calls.withLock { $0.append(call) }
      return end
    }
  }

  @Test("A program reads the status, and what it writes is the reply")
  func reply() throws {
    let play = try play(
      .exited(0, output: Array(#"{"score":{"points":7}}"#.utf8), standardError: []),
      "exec: { command: [judge, \"${device.name}\"] }", "expect: { vars: { reply.score.points: { min: 7 } } }",
      "log: \"${reply.score.points} points\"")
    #expect(play.outcome.exitCode == 0, "\(play.lines)")
    #expect(play.events(.log).first?.fields["text"] == "7 points")
  }

  static let failures: [(ProgramCall.End, Int32, String)] = [
    (
      .exited(3, output: [], standardError: Array("warming up\nno signal\n".utf8)), 5,
      "`judge` ended with exit code 3: no signal"
    ),
    (.signalled(9, standardError: []), 5, "`judge` was ended by signal 9"),
    (.overdue, 6, "`judge` did not end in time and was killed"),
    (.tooMuchOutput, 5, "`judge` wrote more than 64 KiB and was killed"),
    (.notStarted("No such file or directory"), 5, "`judge` could not be started: No such file or directory"),
    (.exited(0, output: Array("no json".utf8), standardError: []), 5, "`judge` wrote no JSON"),
  ]

  @Test("A program that fails fails its step", arguments: failures)
  func fails(_ end: ProgramCall.End, exitCode: Int32, message: String) throws {
    let play = try play(end, "exec: { command: [judge] }")
    #expect(play.outcome.exitCode == exitCode)
    #expect(play.events(.attemptFailed).first?.fields["error"]?["message"]?.string == message)
  }

  @Test("A step whose program may not be started fails; it never counts as done outside a simulation")
  func notAllowed() throws {
    let text = Self.scenario("exec: { command: [judge], output: none }")
    let play = try Play(text, simulate: { $0.standsIn = false })
    #expect(play.outcome.exitCode == 5)
    #expect(play.errorClass(of: "s2") == "exec_failed")
    let help = play.events(.attemptFailed).first?.fields["error"]?["help"]?.string
    #expect(help?.contains("--allow-exec") == true)
  }

  @Test("A simulation starts no program")
  func simulated() throws {
    #expect(try Play(Self.scenario("exec: { command: [judge], output: none }")).outcome.exitCode == 0)
  }

  @Test("A program that writes no JSON is told how to say that it writes none")
  func noOutput() throws {
    for (output, message) in [("", "`judge` wrote nothing, where JSON is read"), ("no json", "`judge` wrote no JSON")] {
      let play = try play(.exited(0, output: Array(output.utf8), standardError: []), "exec: { command: [judge] }")
      let error = play.events(.attemptFailed).first?.fields["error"]
      #expect(error?["message"]?.string == message)
      #expect(error?["help"]?.string?.contains("`output: none`") == true)
    }
  }
}
