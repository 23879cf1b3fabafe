import CastProtocol
import Foundation
import Testing

/// `exec` as a user meets it: programs run only where they are allowed, with little around them, and never for ever.
@Suite struct ProgramTests {
  private func scenario(_ step: String, in folder: TemporaryFolder, more: String = "") throws -> String {
    let path = folder.path("lobby.yaml")
    let text = """
      scenario: Programs
      device: Living Room TV
      steps:
        - load: https://cdn.example.com/a.mp4
        - \(step)
        - expect: { player: playing }
      \(more)
      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func run(_ path: String, in folder: TemporaryFolder, _ options: String...) async throws -> Finished {
    try await Showcaller.run(
      "run", "--virtual", "--runs", folder.path("runs"), path, environment: ["SHOWCALLER_TEST_SECRET": "hidden"],
      arguments: options)
  }

  @Test("Without --allow-exec nothing is run, and the exit code is 2")
  func refused() async throws {
    let folder = try TemporaryFolder()
    let path = try scenario("exec: { command: [touch, \(folder.path("was-here"))], output: none }", in: folder)
    let finished = try await run(path, in: folder)
    #expect(finished.exitCode == 2 && finished.errors.contains("--allow-exec"), "\(finished.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("was-here")))
  }

  @Test("A program gets its arguments as they are, the status, and few variables; what it writes can be expected")
  func works() async throws {
    let folder = try TemporaryFolder()
    let script =
      "cat > \(folder.path("input")); env > \(folder.path("env")); printf '{\\\"words\\\": \\\"%s\\\"}' \\\"$1\\\""
    let path = try scenario(
      "exec: { command: [sh, -c, \"\(script)\", sh, \"; two  words $HOME\"] }", in: folder,
      more: "  - expect: { vars: { reply.words: \"; two  words $HOME\" } }")
    let finished = try await run(path, in: folder, "--allow-exec")
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let input = try String(contentsOfFile: folder.path("input"), encoding: .utf8)
    let json = try JSONValue(parsing: Array(input.utf8))
    #expect(json["status"]?["player"] == "playing" && json["device"]?["name"] == "Living Room TV", "\(input)")
    let environment = try String(contentsOfFile: folder.path("env"), encoding: .utf8)
    #expect(environment.contains("SHOWCALLER_DEVICE=Living Room TV") && !environment.contains("SECRET"))
  }

  static let failures: [(command: String, more: String, exitCode: Int32, says: String)] = [
    ("[\"false\"]", "", 5, "`false` ended with exit code 1"),
    ("[sh, -c, \"echo no signal >&2; exit 7\"]", "", 5, "`sh` ended with exit code 7: no signal"),
    ("[sh, -c, \"kill -9 $$\"]", "", 5, "`sh` was ended by signal 9"),
    ("[surely-no-such-program]", "", 5, "could not be started: No such file or directory"),
    ("[cat, /dev/zero]", "", 5, "wrote more than 64 KiB and was killed"),
    ("[echo, hello]", "", 5, "`echo` wrote no JSON"),
  ]

  @Test("A program that fails fails its step and says why", arguments: failures)
  func fails(command: String, more: String, exitCode: Int32, says: String) async throws {
    let folder = try TemporaryFolder()
    let path = try scenario("exec: { command: \(command) }", in: folder)
    let finished = try await run(path, in: folder, "--allow-exec")
    #expect(finished.exitCode == exitCode && finished.errors.contains(says), "\(finished.errors)")
  }

  @Test("A program that does not end is killed with all that it started, and the run goes on with its verdict")
  func overdue() async throws {
    let folder = try TemporaryFolder()
    let script = "(sleep 3; touch \(folder.path("survived"))) & sleep 60"
    let path = try scenario("exec: { command: [sh, -c, \"\(script)\"] }\n    timeout: 1s", in: folder)
    let finished = try await run(path, in: folder, "--allow-exec")
    #expect(finished.exitCode == 6 && finished.errors.contains("did not end in time"), "\(finished.errors)")
    #expect(finished.duration < .seconds(20))
    // Its group is gone: nobody is left who could make the file.
    let left = try await Showcaller.processes(holding: folder.path("survived"))
    #expect(left.isEmpty, "\(left)")
  }

  @Test("A program starts with no signal blocked or ignored, in steps and for secrets")
  func signals() async throws {
    let folder = try TemporaryFolder()
    let look = "grep -E 'Sig(Blk|Ign)' /proc/self/status"
    let path = try scenario(
      "exec: { command: [sh, -c, \"\(look) > \(folder.path("step"))\"], output: none }", in: folder,
      more: """
          - log: "${secret.key}"
        secrets: { key: { command: [sh, -c, "\(look) > \(folder.path("secret")); yes | head -1 >&2; echo abcdefgh"] } }
        """)
    let finished = try await run(path, in: folder, "--allow-exec")
    #expect(finished.exitCode == 0 && !finished.errors.contains("Broken pipe"), "\(finished.errors)")
    for name in ["step", "secret"] {
      let text = try String(contentsOfFile: folder.path(name), encoding: .utf8)
      let masks = text.split(separator: "\n").compactMap { $0.split(whereSeparator: \.isWhitespace).last }
      // The two real-time signals that the C library keeps for itself cannot be given back.
      let known = masks.compactMap { UInt64($0, radix: 16) }.map { $0 & ~0x1_8000_0000 }
      #expect(known == [0, 0], "\(name): \(text)")
    }
  }

  @Test("A program whose time is over is asked to end first, with all that it started")
  func asked() async throws {
    let folder = try TemporaryFolder()
    let script =
      "(trap 'echo inner >> \(folder.path("asked")); exit' TERM; sleep 60 & wait) & trap 'wait; echo outer >> "
      + "\(folder.path("asked")); exit' TERM; wait"
    let path = try scenario("exec: { command: [sh, -c, \"\(script)\"], output: none }\n    timeout: 1s", in: folder)
    let finished = try await run(path, in: folder, "--allow-exec")
    #expect(finished.exitCode == 6 && finished.errors.contains("did not end in time"), "\(finished.errors)")
    #expect(try String(contentsOfFile: folder.path("asked"), encoding: .utf8) == "inner\nouter\n")
    let stubborn = try scenario(
      "exec: { command: [sh, -c, \"trap '' TERM; sleep 60 & wait; wait\"], output: none }\n    timeout: 1s", in: folder)
    let killed = try await run(stubborn, in: folder, "--allow-exec")
    #expect(killed.exitCode == 6 && killed.duration < .seconds(30), "\(killed.errors)")
  }

  @Test("A program's end is known also where whoever started us ignores SIGCHLD")
  func ignoredChildSignal() async throws {
    let folder = try TemporaryFolder()
    func run(_ step: String, key: String) async throws -> Finished {
      let path = try scenario(
        "exec: { command: [sh, -c, \"\(step)\"], output: none }", in: folder,
        more: "  - log: \"${secret.key}\"\nsecrets: { key: { command: [sh, -c, \"\(key)\"] } }\n")
      let running = try Running(
        URL(filePath: "/bin/bash"),
        [
          "-c", "trap '' CHLD; exec \"$@\"", "sh", Showcaller.binary.path, "run", "--virtual", "--allow-exec", "--runs",
          "runs", path,
        ], in: folder.url)
      running.closeInput()
      return try await running.finish()
    }
    let works = try await run("exit 0", key: "echo abcdefgh")
    #expect(works.exitCode == 0, "\(works.errors)")
    let fails = try await run("exit 7", key: "echo abcdefgh")
    #expect(fails.exitCode == 5 && fails.errors.contains("`sh` ended with exit code 7"), "\(fails.errors)")
    let keyless = try await run("exit 0", key: "exit 6")
    #expect(keyless.exitCode == 3 && keyless.errors.contains("ended with exit code 6"), "\(keyless.errors)")
  }

  @Test(
    "A step is over when its program has ended, also where a child of it writes for ever",
    arguments: ["(while :; do echo x; sleep 0.01; done) & exit 0", "yes >&2 & exit 0", "sleep 0.3 & yes >&2 & wait $!"])
  func writingChild(script: String) async throws {
    let folder = try TemporaryFolder()
    // The last one is its own counterpart: a program that itself writes for ever has its time.
    let isOver = script.hasSuffix("exit 0")
    let path = try scenario(
      "exec: { command: [sh, -c, \": \(folder.path("witness")); \(script)\"], output: none }\n    timeout: \(isOver ? 30 : 2)s",
      in: folder)
    let finished = try await run(path, in: folder, "--allow-exec")
    #expect(finished.exitCode == (isOver ? 0 : 6), "\(finished.errors)")
    let left = try await Showcaller.processes(holding: folder.path("witness"))
    #expect(left.isEmpty, "\(left)")
  }

  static let secretPrograms: [(script: String, signal: Int32, exitCode: Int32)] = [
    ("sleep 60 & wait", SIGINT, 130), ("trap '' TERM INT; sleep 60 & wait; wait", SIGTERM, 143),
  ]

  @Test(
    "A signal ends the program of a secret, and the run before it began, which the JUnit report says",
    arguments: secretPrograms)
  func interruptedSecret(_ example: (script: String, signal: Int32, exitCode: Int32)) async throws {
    let folder = try TemporaryFolder()
    let script = "echo started >&2; : \(folder.path("witness")); \(example.script)"
    let path = try scenario(
      "log: \"${secret.key}\"", in: folder, more: "secrets: { key: { command: [sh, -c, \"\(script)\"] } }\n")
    let running = try Showcaller.start(
      ["run", "--virtual", "--allow-exec", "--runs", "runs", "--report", "junit=out.xml", path], in: folder.url)
    try await running.waitFor("started")
    running.signal(example.signal)
    let finished = try await running.finish()
    #expect(finished.exitCode == example.exitCode, "\(finished.errors)")
    #expect(finished.errors == "started\nerror: interrupted before the run began\n")
    let left = try await Showcaller.processes(holding: folder.path("witness"))
    #expect(left.isEmpty, "\(left)")
    let report = try String(contentsOfFile: folder.path("out.xml"), encoding: .utf8)
    #expect(report.contains("message=\"interrupted before the run began\" type=\"not_run\""), "\(report)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("runs")))
  }

  @Test("Ctrl-C ends a run that waits for a secret to be typed")
  func untypedSecret() async throws {
    let folder = try TemporaryFolder()
    let path = try scenario("log: \"${secret.key}\"", in: folder, more: "secrets: { key: { env: NOWHERE } }\n")
    let running = try Showcaller.start(
      ["run", "--virtual", "--runs", "runs", "--secret", "key=@-", "--report", "junit=out.xml", path], in: folder.url)
    running.send("abc")
    // From here on no signal ends it by itself.
    try await Showcaller.caught(SIGINT, by: running.processID)
    running.signal(SIGINT)
    let finished = try await running.finish()
    #expect(
      finished.exitCode == 130 && finished.errors.contains("interrupted before the run began"), "\(finished.errors)")
  }

  @Test("What a program leaves in the background ends with it")
  func background() async throws {
    let folder = try TemporaryFolder()
    let path = try scenario(
      "exec: { command: [sh, -c, \"sleep 60 & echo '{}'\"] }", in: folder)
    let finished = try await run(path, in: folder, "--allow-exec")
    #expect(finished.exitCode == 0 && finished.duration < .seconds(20), "\(finished.errors)")
  }
}

extension Showcaller {
  fileprivate static func run(
    _ words: String..., environment: [String: String], arguments: [String]
  ) async throws -> Finished {
    let started = try start(words + arguments, environment: environment)
    started.closeInput()
    return try await started.finish()
  }

  /// Waits until a process catches a signal.
  fileprivate static func caught(_ signal: Int32, by process: Int32) async throws {
    let bit = UInt64(1) << UInt64(signal - 1)
    for _ in 0..<1000 {
      let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
      let mask = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(whereSeparator: \.isWhitespace)
        .last
      if let caught = mask.flatMap({ UInt64($0, radix: 16) }), caught & bit != 0 { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw Overdue(description: "signal \(signal) is not caught")
  }

  /// The command lines of processes that speak of `text`.
  static func processes(holding text: String) async throws -> [String] {
    let folders = try FileManager.default.contentsOfDirectory(atPath: "/proc")
    return folders.filter { Int($0) != nil }.compactMap { process in
      guard let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else { return nil }
      let shown = String(decoding: line.map { $0 == 0 ? 32 : $0 }, as: UTF8.self)
      return shown.contains(text) ? shown : nil
    }
  }
}
