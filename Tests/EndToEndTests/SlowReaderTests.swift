import CastProtocol
import Foundation
import Testing

/// Whoever stops reading what a run says stops nothing: not the run, not its deadline, not `finally`.
@Suite(.serialized) struct SlowReaderTests {
  /// Far more than a pipe takes, and than is kept for a person.
  private static let loud = """
    scenario: Loud
    device: Lobby
    timeout: 20s
    steps:
      - repeat: { times: 1500, steps: [ { log: "\(String(repeating: "0123456789", count: 50))" }, { wait: 1ms } ] }
      - wait_until: { player: playing }
        timeout: 1s
    finally: [ { log: bye }, stop_app ]

    """

  /// Runs a line of the shell, in which `$S` is our program and `never` a pipe that has a reader who does not read.
  private func shell(_ line: String, in folder: TemporaryFolder, limit: Double = 40) async throws -> Finished {
    mkfifo(folder.path("never"), 0o600)
    let running = try Running(
      URL(filePath: "/bin/bash"), ["-c", "exec 9<>never; \(line)"],
      environment: ["S": Showcaller.binary.path], in: folder.url, limit: limit)
    running.closeInput()
    return try await running.finish()
  }

  private func events(in folder: TemporaryFolder) throws -> [JSONValue] {
    let runs = try RunFolder.ids(in: folder.path("runs"))
    return try EventStream.read(folder.path("runs/\(try #require(runs.first))/events.jsonl"))
  }

  static let readers: [(line: String, exitCode: Int32, says: String)] = [
    ("2>never", 6, ""),
    ("--wire 2>never", 6, ""),
    ("--log client.*=trace 2>never", 6, ""),
    ("-q --report json=- >never", 8, "error: cannot write standard output: its reader is too slow, the last "),
    ("-q --report json=never", 8, "error: cannot write never: its reader is too slow, the last "),
    ("-q --wire --report console=never", 8, "error: cannot write never: its reader is too slow, the last "),
  ]

  @Test("A run whose reader stops ends when its steps do, cleans up, and says what is missing", arguments: readers)
  func stalled(_ example: (line: String, exitCode: Int32, says: String)) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("loud.yaml", Self.loud)
    let finished = try await shell(
      "$S run --virtual --runs runs loud.yaml \(example.line); echo $? >code; cat code", in: folder)
    let code = try String(contentsOfFile: folder.path("code"), encoding: .utf8)
    #expect(code == "\(example.exitCode)\n", "\(finished.errors)")
    #expect(example.says.isEmpty || finished.errors.contains(example.says), "\(finished.errors)")
    let events = try events(in: folder)
    try EventStream.check(events, exitCode: 6)
    #expect(events.contains { $0["type"] == "finally.finished" && $0["result"] == "passed" }, "\(events.suffix(5))")
  }

  @Test("Who reads again is told how much was not shown")
  func told() async throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "0123456789", count: 50)
    let text = """
      scenario: Loud
      device: Lobby
      steps:
        - repeat: { times: 4000, steps: [ { log: "\(long)" } ] }
        - exec: { command: [touch, full], output: none, stdin: none }
        - wait: 500ms
        - repeat: { times: 20, steps: [ { log: again }, { wait: 50ms } ] }

      """
    _ = try folder.write("loud.yaml", text)
    let finished = try await shell(
      """
      exec 8<never; exec 9<&-
      $S run --virtual --allow-exec --runs runs loud.yaml 2>never 8<&- & run=$!
      while ! test -e full; do sleep 0.02; done
      cat <&8 >said & exec 8<&-
      wait $run; echo $?
      """, in: folder)
    #expect(finished.output == "0\n", "\(finished.errors)")
    let said = try String(contentsOfFile: folder.path("said"), encoding: .utf8)
    #expect(said.contains(/\n\d+ lines were not shown: the reader is slow\n/), "\(said.suffix(500))")
    #expect(said.contains("PASSED loud"), "\(said.suffix(500))")
  }

  @Test("A verdict is told also to a reader who was behind until the run was over")
  func verdict() async throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "0123456789", count: 50)
    // More than is kept for a person.
    let steps = "{ repeat: { times: 4000, steps: [ { log: \"\(long)\" } ] } }, { expect: { app: none } }"
    _ = try folder.write("loud.yaml", "scenario: Loud\ndevice: Lobby\nsteps: [\(steps)]\n")
    let finished = try await shell(
      """
      exec 8<never; exec 9<&-
      $S run --virtual --runs runs loud.yaml 2>never 8<&- & run=$!
      until grep -qs '"type":"run.finished"' runs/*/events.jsonl; do sleep 0.02; done
      sleep 0.2; cat <&8 >said & exec 8<&-
      wait $run; echo $?; wait
      """, in: folder)
    #expect(finished.output == "0\n", "\(finished.errors)")
    let said = try String(contentsOfFile: folder.path("said"), encoding: .utf8)
    #expect(said.contains("PASSED loud"), "\(said.suffix(500))")
    #expect(said.contains(/\n\d+ lines were not shown: the reader is slow\n/), "\(said.suffix(500))")
  }

  @Test("A reader of a report that catches up gets what follows; what is missing is counted, and the exit code is 8")
  func caughtUp() async throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "0123456789", count: 6000)
    // Far more than waits for a reader.
    let text = """
      scenario: Loud
      device: Lobby
      steps:
        - repeat: { times: 300, steps: [ { log: "\(long)" } ] }
        - exec: { command: [touch, full], output: none, stdin: none }
        - exec: { command: [sh, -c, "while ! test -e empty; do sleep 0.02; done"], output: none, stdin: none }
          timeout: 30s
        - log: again

      """
    _ = try folder.write("loud.yaml", text)
    let finished = try await shell(
      """
      exec 8<never; exec 9<&-
      $S run -q --virtual --allow-exec --runs runs loud.yaml --report json=never 8<&- & run=$!
      while ! test -e full; do sleep 0.02; done
      cat <&8 >said & exec 8<&-
      until test "$(stat -c %s said 2>/dev/null || echo 0)" -ge 15000000; do sleep 0.02; done
      sleep 0.5; touch empty
      wait $run; echo $?; wait; grep -c '"text":"again"' said; tail -1 said | grep -c run.finished
      """, in: folder, limit: 60)
    #expect(finished.output == "8\n1\n1\n", "\(finished.output)\(finished.errors)")
    let told = finished.errors.firstMatch(
      of: /error: cannot write never: its reader is too slow, (\d+) lines are missing/)
    let missing = try #require(told.flatMap { Int($0.1) }, "\(finished.errors)")
    let said = try EventStream.read(folder.path("said"))
    #expect(said.count + missing == (try events(in: folder)).count)
  }

  @Test("A pipe that nobody reads is told before the run begins")
  func nobody() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("loud.yaml", Self.loud)
    mkfifo(folder.path("nobody"), 0o600)
    let finished = try await shell("$S run --virtual --runs runs loud.yaml --report json=nobody", in: folder)
    #expect(finished.exitCode == 8, "\(finished.errors)")
    #expect(finished.errors.contains("error: cannot write nobody: nobody reads this pipe"), "\(finished.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("runs")))
  }

  @Test("A pipe that is read gets all events, the same as the stored ones")
  func read() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "short.yaml",
      "scenario: Short\ndevice: Lobby\nsteps: [{ repeat: { times: 300, steps: [{ log: \"${run.n}\" }] } }]\n"
        .replacing("${run.n}", with: "line"))
    mkfifo(folder.path("pipe"), 0o600)
    let finished = try await shell(
      "cat pipe >copy & $S run -q --virtual --runs runs short.yaml --report json=pipe; echo $?; wait; cmp copy runs/*/events.jsonl",
      in: folder)
    #expect(finished.output == "0\n", "\(finished.output)\(finished.errors)")
  }
}
