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
        when: false
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
    #expect(lines.contains("tap not ok - Mixed [TV]") || lines.contains { $0.hasPrefix("tap not ok") }, "\(lines)")
    #expect(!lines.contains { $0.hasPrefix("tap unknown ---") || $0.contains("bail") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("otlp s5 expect player 2") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("otlp s1 ") && $0.hasSuffix(" 1 0") }, "\(lines)")
  }

  @Test(
    "Perl's prove counts the tests of a TAP report, and fails where one did",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/prove")))
  func prove() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      printf 'scenario: Good\\ndevice: TV\\nsteps: [{ expect: { app: none } }]\\n' >good.yaml
      $S run -q --virtual good.yaml --report tap=good.tap 2>/dev/null; prove --exec cat good.tap; echo $?
      $S run -q --virtual mixed.yaml --report tap=bad.tap 2>/dev/null; prove --exec cat bad.tap; echo $?
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
      $S run -q --virtual mixed.yaml; $S run -q --virtual bad.yaml; cat page.md; echo $?
      $S run -q --virtual mixed.yaml --report github=own.txt 2>&1 | grep -c '^::'; grep -c '^::error' own.txt
      GITHUB_STEP_SUMMARY=/nowhere/page.md $S run -q --virtual mixed.yaml 2>/dev/null; echo $?
      """, ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": folder.path("page.md")], in: folder)
    let errors = finished.errors.split(separator: "\n")
    #expect(
      errors.contains {
        $0.hasPrefix("::error file=mixed.yaml,line=9,col=15,title=Mixed [TV]%3A s5 expect player::player: ")
      },
      "\(finished.errors)")
    #expect(finished.output.hasPrefix("before\n### ❌ failed"), "\(finished.output)")
    #expect(finished.output.contains("bad.yaml"), "\(finished.output)")
    #expect(finished.output.hasSuffix("0\n0\n1\n1\n"), "\(finished.output)")
  }
}
