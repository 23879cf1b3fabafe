import CastProtocol
import Foundation
import Testing

/// Reports of a run, read by the programs they are for.
@Suite(.serialized) struct ReportReadersTests {
  private static let document = """
    scenario: Mixed
    device: TV
    steps:
      - expect: { app: none }
      - expect: { app: none }
        if: { player: playing }
      - fail: "on # purpose"
        if_fails: ignore
      - load: https://cdn.example.com/a.mp4
      - expect: { player: paused }
        within: 100ms
      - log: never
    """

  /// Runs a line of the shell, in which `$S` is our program and `$R` the reports asked for.
  private func shell(_ line: String, _ more: [String: String] = [:], in folder: TemporaryFolder) async throws
    -> Finished
  {
    _ = try folder.write("mixed.yaml", Self.document)
    let kinds = ["junit", "tap", "ctrf", "github", "markdown", "trace", "otlp"]
    let reports = kinds.map { "--report \($0)=out.\($0)" }.joined(separator: " ")
    var environment = more
    environment["S"] = Showcaller.binary.path
    environment["R"] = reports
    let running = try Running(
      URL(filePath: "/bin/bash"), ["-c", line], environment: environment, in: folder.url, limit: 60)
    running.closeInput()
    return try await running.finish()
  }

  @Test("Each report of a stored run is byte for byte what the run wrote")
  func stored() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      $S run -q --virtual mixed.yaml $R 2>/dev/null; echo $?
      mkdir live; mv out.* live; $S report latest $R
      for file in out.*; do cmp $file live/$file && echo same; done
      """, in: folder)
    #expect(finished.output == "1\n" + String(repeating: "same\n", count: 7), "\(finished.output)\(finished.errors)")
  }

  @Test(
    "junitparser, tap.py and OpenTelemetry's own types read them, and see what came of each step",
    .enabled(if: PeerTests.python != nil))
  func readers() async throws {
    let folder = try TemporaryFolder()
    let python = try #require(PeerTests.python)
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/reports.py").path
    let finished = try await shell(
      """
      $S run -q --virtual mixed.yaml $R 2>/dev/null
      $PYTHON $SCRIPT junit=out.junit tap=out.tap otlp=out.otlp
      """, ["PYTHON": python.path, "SCRIPT": script], in: folder)
    let lines = finished.output.split(separator: "\n").map(String.init)
    #expect(lines.contains("junit 6 1 0 3"), "\(finished.output)\(finished.errors)")
    #expect(
      lines.contains("junit s5 expect player Failure") && lines.contains("junit s6 log never Skipped"), "\(lines)")
    #expect(lines.contains("tap not ok - mixed [TV]"), "\(lines)")
    // 1 is ok, 2 is an error: s3 failed, and that does not count; s2 and s6 never began.
    let spans = lines.filter { $0.hasPrefix("otlp s") }.compactMap { line in
      line.split(separator: " ").dropFirst().first.map { "\($0) \(line.split(separator: " ").dropLast().last ?? "")" }
    }
    #expect(spans == ["s1 1", "s3 1", "s4 1", "s5 2"], "\(lines)")
  }

  // It knows version 13, which 14 follows but for the first line.
  @Test(
    "Perl's prove counts the tests of a TAP report, and fails where one did",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/prove")))
  func prove() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      printf 'scenario: Good\\ndevice: TV\\nsteps: [{ expect: { app: none } }]\\n' >good.yaml
      $S run -q --virtual good.yaml --report tap=good.tap 2>/dev/null; prove --exec "sed 1d" good.tap; echo $?
      $S run -q --virtual mixed.yaml --report tap=bad.tap 2>/dev/null; prove --exec "sed 1d" bad.tap; echo $?
      """, in: folder)
    #expect(finished.output.contains("Result: PASS\n0\n"), "\(finished.output)\(finished.errors)")
    #expect(finished.output.contains("Result: FAIL\n1\n"), "\(finished.output)\(finished.errors)")
  }

  @Test(
    "In a workflow a run marks what failed on standard error, and adds to the page of the step what is there already")
  func workflow() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("page.md", "before\n")
    let finished = try await shell(
      """
      printf 'scenario: Bad\\nsteps: []\\n' >bad.yaml
      $S run -q --virtual mixed.yaml; $S run -q --virtual bad.yaml; cat page.md; echo $?
      $S run -q --virtual mixed.yaml --report github=own.txt 2>&1 | grep -c '^::'; grep -c '^::error' own.txt
      GITHUB_STEP_SUMMARY=/nowhere/page.md $S run -q --virtual mixed.yaml 2>/dev/null; echo $?
      """, ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": folder.path("page.md")], in: folder)
    let errors = finished.errors.split(separator: "\n")
    #expect(
      errors.contains {
        $0.hasPrefix("::error file=mixed.yaml,line=10,col=15,title=mixed [TV]%3A s5 expect player::player: ")
      },
      "\(finished.errors)")
    #expect(finished.output.hasPrefix("before\n\n### ❌ failed"), "\(finished.output)")
    #expect(finished.output.contains("bad.yaml"), "\(finished.output)")
    #expect(finished.output.hasSuffix("0\n0\n1\n1\n"), "\(finished.output)")
  }

  @Test("A report to /dev/stdout or /dev/stderr is written where the log is, and overwrites nothing")
  func descriptors() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      (echo before; $S run -q --virtual mixed.yaml --report tap=/dev/stdout 2>/dev/null; echo after) >log
      head -2 log; tail -1 log; grep -c '^not ok' log
      (echo before >&2; GITHUB_ACTIONS=true $S run -q --virtual mixed.yaml; echo after >&2) 2>log
      head -1 log; tail -1 log; grep -c '^::error file=mixed.yaml,line=10,' log; ls
      """, in: folder)
    #expect(
      finished.output == "before\nTAP version 14\nafter\n1\nbefore\nafter\n1\nlog\nmixed.yaml\n",
      "\(finished.output)\(finished.errors)")
  }

  @Test("A report of a stored run does not overwrite what was run: 2")
  func documents() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      "$S run -q --virtual mixed.yaml 2>/dev/null; $S report latest --junit mixed.yaml; echo $?; head -1 mixed.yaml",
      in: folder)
    #expect(finished.output == "2\nscenario: Mixed\n", "\(finished.output)")
    #expect(finished.errors.contains("a report would overwrite mixed.yaml"), "\(finished.errors)")
  }

  static let hindrances = [
    "$S run -q --virtual good.yaml 2>/dev/full", "GITHUB_STEP_SUMMARY=/dev/full $S run -q --virtual good.yaml",
    "GITHUB_STEP_SUMMARY=$PWD $S run -q --virtual good.yaml",
    "$S run -q --virtual good.yaml --report tap=- 2>&1 >all.log",
    "$S run -q --virtual good.yaml --report tap=/dev/stderr",
    "$S run -q --virtual good.yaml --report tap=- >all.log 2>&1",
    "python3 -c 'import socket, subprocess, sys; a, b = socket.socketpair(); "
      + "sys.exit(subprocess.call(sys.argv[1:], stderr=b))' $S run -q --virtual good.yaml",
  ]

  @Test("What a workflow gets unasked keeps no run from passing, wherever its output goes", arguments: hindrances)
  func unasked(line: String) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("good.yaml", "scenario: Good\ndevice: TV\nsteps: [{ expect: { app: none } }]\n")
    let finished = try await shell("\(line); echo $?", ["GITHUB_ACTIONS": "true"], in: folder)
    #expect(finished.output.hasSuffix("0\n"), "\(finished.output)\(finished.errors)")
  }
}
