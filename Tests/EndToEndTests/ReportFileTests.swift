import Foundation
import Testing

/// The files that a run writes: whose they are, where they go, and that none is taken for another run's.
@Suite(.serialized) struct ReportFileTests {
  private static let good = "scenario: Good\ndevice: TV\nsteps: [{ expect: { app: none } }]\n"
  private static let stale = "<testsuites><!-- of yesterday --></testsuites>\n"

  /// Runs a line of the shell, in which `$S` is our program, in a folder with documents and yesterday's report.
  private func shell(_ line: String, in folder: TemporaryFolder) async throws -> Finished {
    _ = try folder.write("good.yaml", Self.good)
    _ = try folder.write("bad.yaml", Self.good.replacing("expect", with: "expct"))
    _ = try folder.write(
      "secret.yaml",
      Self.good + "secrets: { key: { env: SHOWCALLER_NOT_SET } }\n"
        + "on_failure: [{ log: \"${secret.key}\" }]\n")
    _ = try folder.write("long.yaml", Self.good.replacing("steps: [", with: "steps: [{ log: begun }, { wait: 5m }, "))
    _ = try folder.write(
      "program.yaml", Self.good.replacing("expect: { app: none }", with: "exec: { command: [\"true\"], output: none }"))
    _ = try folder.write("kit.yaml", "library: Kit\n")
    _ = try folder.write("out.xml", Self.stale)
    let running = try Running(
      URL(filePath: "/bin/bash"), ["-c", line], environment: ["S": Showcaller.binary.path], in: folder.url, limit: 40)
    running.closeInput()
    return try await running.finish()
  }

  @Test("Reports are made as the umask says, run folders for their owner alone")
  func permissions() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      umask 022; rm out.xml
      $S run -q --virtual --runs r good.yaml --report json=out.json --report junit=out.xml --report console=out.txt
      stat -c '%a' out.json out.xml out.txt r/* r/*/events.jsonl r/*/plan.json r/*/sources/*
      umask 077; $S run -q --virtual --runs r2 good.yaml --report junit=own.xml; stat -c '%a' own.xml
      chmod 640 out.xml; $S run -q --virtual --runs r2 good.yaml --report junit=out.xml; stat -c '%a' out.xml
      """, in: folder)
    #expect(finished.output == "644\n644\n644\n700\n600\n600\n600\n600\n640\n", "\(finished.errors)")
  }

  static let pairs = [
    "--report json=a --report junit=a", "--report json=a --report junit=./a", "--report json=a --report junit=$PWD/a",
    "--report json=sub/../a --report junit=a", "--report json=one --report junit=two",
    "--report json=out.xml --report junit=link.xml", "--report json=out.xml --report junit=hard.xml",
    "--report json=linked/a --report junit=sub/a", "--report json=- --report junit=/dev/stdout",
    "--report console=never --report json=./never", "--report json=new.xml --report junit=dangling.xml",
  ]

  @Test("Two reports that go to one file are refused, however it is written: 2", arguments: pairs)
  func shared(options: String) async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      mkdir sub; ln -s sub linked; ln -s out.xml link.xml; ln out.xml hard.xml; touch one; ln one two; mkfifo never
      ln -s new.xml dangling.xml
      $S run --virtual --runs r \(options) good.yaml >said
      """, in: folder)
    #expect(finished.exitCode == 2, "\(finished.errors)")
    #expect(finished.errors.contains("error: two reports go to the same file: "), "\(finished.errors)")
    #expect(try String(contentsOfFile: folder.path("out.xml"), encoding: .utf8) == Self.stale)
    #expect(!FileManager.default.fileExists(atPath: folder.path("r")))
    let apart = try await shell(
      "$S run -q --virtual --runs r --report json=/dev/null --report junit=/dev/null good.yaml", in: folder)
    #expect(apart.exitCode == 0, "\(apart.errors)")
  }

  static let wrongLines = [
    "good.yaml --auth-root nowhere.pem", "good.yaml --auth-root good.yaml", "nowhere.yaml", "good.yaml --set x",
    "good.yaml --row a=1", "good.yaml --keep 0", "good.yaml --report json=a --report console=a",
  ]

  @Test("A wrong command line changes no report and leaves no run folder: 2", arguments: wrongLines)
  func wrong(line: String) async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell("$S run --virtual --runs r --report junit=out.xml \(line)", in: folder)
    #expect(finished.exitCode == 2, "\(finished.errors)")
    #expect(try String(contentsOfFile: folder.path("out.xml"), encoding: .utf8) == Self.stale)
    #expect(!FileManager.default.fileExists(atPath: folder.path("r")))
  }

  static let endings: [(line: String, exitCode: Int32, says: String)] = [
    ("$S run --virtual --runs r --report junit=out.xml bad.yaml", 3, "[K101]"),
    ("$S simulate --report junit=out.xml bad.yaml", 3, "[K101]"),
    ("$S run --virtual --runs r --report junit=out.xml secret.yaml", 3, "SHOWCALLER_NOT_SET"),
    ("$S run --virtual --runs r --report junit=out.xml program.yaml", 2, "starts programs of this computer"),
    ("$S run --virtual --runs r --report junit=out.xml kit.yaml", 2, "is a library"),
    ("$S run --host 127.0.0.1:1 --runs r --report junit=out.xml good.yaml", 4, "connection refused"),
    ("$S run --virtual --runs good.yaml/r --report junit=out.xml good.yaml", 8, "cannot make good.yaml/r"),
    ("$S run --virtual --runs r --report json=nowhere/a --report junit=out.xml good.yaml", 8, "cannot write nowhere/a"),
    ("timeout -s HUP 3 $S run --virtual --runs r --report junit=out.xml long.yaml", 124, "interrupted"),
    ("timeout -s TERM 3 $S run --virtual --runs r --report junit=out.xml long.yaml", 124, "interrupted"),
    ("timeout -s KILL 3 $S run --virtual --runs r --report junit=out.xml long.yaml", 137, "the run did not finish"),
  ]

  @Test("However a run ends, its JUnit report is its own and says why", arguments: endings)
  func junit(_ example: (line: String, exitCode: Int32, says: String)) async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(example.line, in: folder)
    #expect(finished.exitCode == example.exitCode, "\(finished.errors)")
    let report = try String(contentsOfFile: folder.path("out.xml"), encoding: .utf8)
    #expect(report.contains(example.says), "\(report)")
    #expect(report.contains("<error ") || report.contains("<skipped "), "\(report)")
    let problems = try await JUnitRules.problems(of: folder.path("out.xml"))
    #expect(problems.isEmpty, "\(problems)")
    // Nothing is left beside it.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains { $0.hasSuffix(".tmp") }, "\(names)")
  }

  @Test("A JUnit report goes through links, and into a file of a folder that cannot be written")
  func links() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      mkdir sub; mv out.xml sub; ln -s sub/out.xml out.xml
      $S run -q --virtual --runs r --report junit=out.xml good.yaml; echo $?; test -L out.xml; echo $?
      grep -c 'tests="1"' sub/out.xml
      """, in: folder)
    #expect(finished.output == "0\n0\n2\n", "\(finished.output)\(finished.errors)")
  }

  @Test("A JUnit report goes through a link to a file that is not there yet; a link in a circle is told")
  func danglingLinks() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      mkdir sub; ln -s sub/one.xml link.xml; ln -s "$PWD/sub/two.xml" full.xml; ln -s ../full.xml sub/twice.xml
      for link in link.xml sub/twice.xml; do
        $S run -q --virtual --runs r --report junit=$link good.yaml; echo $?; test -L $link; echo $?
      done
      test -L full.xml; echo $?; grep -c 'tests="1"' sub/one.xml; grep -c 'tests="1"' sub/two.xml; ls sub
      ln -s nowhere/a.xml far.xml; ln -s loop.xml loop.xml
      for link in far.xml loop.xml; do $S run -q --virtual --runs r --report junit=$link good.yaml; echo $?; done
      """, in: folder)
    #expect(
      finished.output == "0\n0\n0\n0\n0\n2\n2\none.xml\ntwice.xml\ntwo.xml\n8\n8\n",
      "\(finished.output)\(finished.errors)")
    #expect(finished.errors.contains("error: cannot write far.xml: No such file or directory\n"), "\(finished.errors)")
    #expect(
      finished.errors.contains("error: cannot write loop.xml: Too many levels of symbolic links\n"),
      "\(finished.errors)")
  }

  @Test("Where a JUnit report cannot be written no earlier one is left")
  func unwritable() async throws {
    let folder = try TemporaryFolder()
    // As on a full disk.
    let finished = try await shell(
      "ulimit -f 0; $S run -q --virtual --runs r --report junit=out.xml good.yaml; echo $?", in: folder)
    #expect(
      finished.output == "8\n" && finished.errors.contains("File too large"), "\(finished.output)\(finished.errors)")
    let report = try String(contentsOfFile: folder.path("out.xml"), encoding: .utf8)
    #expect(report.isEmpty, "\(report)")
  }

  @Test("What a killed process left beside a file stops no other, and goes")
  func temporaries() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      printf 'scenario:   Good\\ndevice: TV\\nsteps: [{ expect: { app: none } }]\\n' >messy.yaml
      touch -d '1 hour ago' .showcaller-0123456789abcdef.tmp .showcaller-mine.tmp
      touch .showcaller-fedcba9876543210.tmp
      bash -c 'touch messy.yaml.$$.tmp; exec $S fmt messy.yaml'; echo $?; ls -A | grep showcaller-
      """, in: folder)
    #expect(
      finished.output == "formatted messy.yaml\n0\n.showcaller-fedcba9876543210.tmp\n.showcaller-mine.tmp\n",
      "\(finished.output)\(finished.errors)")
    #expect(try String(contentsOfFile: folder.path("messy.yaml"), encoding: .utf8) == Self.good)
  }
}
