import Foundation
import Testing

/// What the command line that goes on with a run may do, and what it leaves for the next one.
extension DurableRunTests {
  @Test("Y6: a run that may start programs is gone on with only where --allow-exec is given again")
  func programs() async throws {
    let lab = try await DurableLab()
    let document = try lab.folder.write(
      "e.yaml",
      """
      scenario: Programs
      device: TV
      steps:
        - launch: default
        - log: on air
        - wait: 2s
        - exec: { command: [/usr/bin/touch, "\(lab.folder.path("started"))"], output: none }

      """)
    let running = try lab.start(["--allow-exec", "--host", lab.address, document], runs: "e")
    try await running.waitFor("on air")
    running.signal(SIGKILL)
    _ = try await running.finish()
    let id = try #require(try RunFolder.ids(in: lab.folder.path("e")).last)
    let before = lab.connections
    // What a folder says hands out no such option; the refusal does.
    let report = try await Showcaller.run("report", id, "--runs", lab.folder.path("e"), "--console")
    #expect(
      report.output.contains("help: `showcaller run --resume \(id) --runs \(lab.folder.path("e"))` goes on with it\n"),
      "\(report.output)")
    let refused = try await lab.resume(id, runs: "e")
    #expect(refused.exitCode == 2 && lab.connections == before, "\(refused.errors)")
    let cure = "--resume \(id) --runs \(lab.folder.path("e")) --allow-exec"
    #expect(refused.errors.contains("`showcaller run \(cure)` goes on with it"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: lab.folder.path("started")))
    let allowed = try await lab.start(["--resume", id, "--allow-exec"], runs: "e").finish()
    #expect(allowed.exitCode == 0, "\(allowed.errors)")
    #expect(FileManager.default.fileExists(atPath: lab.folder.path("started")))
    try await lab.end()
  }

  @Test("A run whose secret came from standard input is gone on with by a line that says so, and takes it from there")
  func secretFromInput() async throws {
    let lab = try await DurableLab()
    let document = try lab.folder.write(
      "n.yaml",
      """
      scenario: Secret
      device: TV
      secrets: { token: { env: TOKEN } }
      steps:
        - load: "https://cdn.example.com/n-1.mp4?k=${secret.token}"
        - log: on air
        - wait: 2s

      """)
    func start(_ arguments: [String], input: String) throws -> Running {
      let running = try Showcaller.start(
        ["run", "--runs", lab.folder.path("n")] + arguments,
        environment: ["XDG_STATE_HOME": lab.folder.path("state"), "XDG_CONFIG_HOME": lab.folder.url.path], limit: 90)
      running.send(input)
      running.closeInput()
      return running
    }
    let running = try start(["--host", lab.address, "--secret", "token=@-", document], input: "opensesame\n")
    try await running.waitFor("on air")
    running.signal(SIGKILL)
    _ = try await running.finish()
    let id = try #require(try RunFolder.ids(in: lab.folder.path("n")).last)
    let report = try await Showcaller.run("report", id, "--runs", lab.folder.path("n"), "--console")
    #expect(
      report.output.contains("goes on with it; it reads the secret `token` from standard input\n"), "\(report.output)")
    let empty = try await start(["--resume", id], input: "").finish()
    #expect(empty.exitCode == 3 && empty.errors.contains("write `< FILE` behind the command"), "\(empty.errors)")
    let resumed = try await start(["--resume", id], input: "opensesame\n").finish()
    #expect(resumed.exitCode == 0, "\(resumed.errors)")
    try await lab.end()
  }

  @Test("Of several documents those that never ran are not forgotten when the one that died has been gone on with")
  func series() async throws {
    let lab = try await DurableLab()
    let first = try lab.items("one", count: 1, more: "  - log: on air\n  - wait: 2s\n")
    let second = try lab.items("two", count: 1)
    let running = try lab.start(["--host", lab.address, first, second], runs: "s")
    try await running.waitFor("on air")
    running.signal(SIGKILL)
    _ = try await running.finish()
    let resumed = try await lab.resume(runs: "s")
    #expect(resumed.exitCode == 0, "\(resumed.errors)")
    let again = try await lab.start(["--last-failed", "--host", lab.address], runs: "s").finish()
    #expect(again.exitCode == 0 && again.errors.contains("1 of 2 documents did not pass"), "\(again.errors)")
    #expect(lab.loads(of: "one").contents.count == 1 && lab.loads(of: "two").contents.count == 1)
    #expect(lab.loads(of: "one").contents.values.allSatisfy { $0 == 1 })
    try await lab.end()
  }

  @Test("Y9: the report of a killed run names the command that goes on with it, until somebody has")
  func reports() async throws {
    let lab = try await DurableLab()
    let document = try lab.items("r", count: 1, more: "  - log: on air\n  - wait: 2s\n")
    let running = try lab.start(["--host", lab.address, document], runs: "r")
    try await running.waitFor("on air")
    let (runs, page) = (lab.folder.path("r"), lab.folder.path("page.html"))
    func report(_ run: String) async throws -> (console: String, page: String) {
      let finished = try await Showcaller.run("report", run, "--runs", runs, "--console", "--html", page)
      #expect(finished.exitCode == 0, "\(finished.errors)")
      return (finished.output, try String(contentsOfFile: page, encoding: .utf8))
    }
    let id = try #require(try RunFolder.ids(in: runs).last)
    let command = "showcaller run --resume \(id) --runs \(runs)"
    let living = try await report(id).console
    #expect(!living.contains("--resume") && living.hasSuffix("the run still goes on\n"), "\(living)")
    #expect(!living.contains("ERROR"), "\(living)")
    let history = try await Showcaller.run("history", "--runs", runs)
    #expect(history.errors.contains("is over yet: \(id) still goes on"), "\(history)")
    running.signal(SIGKILL)
    _ = try await running.finish()
    let killed = try await report(id)
    #expect(
      killed.console.hasSuffix("the run did not finish\nhelp: `\(command)` goes on with it\n"), "\(killed.console)")
    #expect(killed.page.contains("go on with it: <code>\(command)</code>"))
    // As it stands there it works.
    let words = command.split(separator: " ").dropFirst(2).map(String.init)
    let resumed = try await lab.start(words, runs: "other").finish()
    #expect(resumed.exitCode == 0, "\(resumed.errors)")
    let after = try await report(id)
    #expect(!after.console.contains("--resume") && !after.page.contains("--resume"))
    let next = try #require(try RunFolder.ids(in: runs).last)
    #expect(
      after.console.hasSuffix("help: run \(next) has gone on with it: `showcaller report \(next) --runs \(runs)`\n"))
    #expect(after.page.contains("<code>showcaller report \(next) --runs \(runs)</code>"))
    let merged = try await Showcaller.run("report", "merge", id, next, "--runs", runs)
    #expect(merged.output.contains("PASSED 1 of 1 document"), "\(merged.output)")
    #expect(merged.errors.contains("run \(id) is left out: run \(next) has gone on with it"), "\(merged.errors)")
    try await lab.end()
  }

  @Test("A document that is named in place of its run is known by whatever path, also from another folder")
  func documentPaths() async throws {
    let lab = try await DurableLab()
    let document = try lab.items("rel", count: 1, more: "  - log: on air\n  - wait: 60s\n")
    func shell(_ line: String) throws -> Running {
      let running = try Running(
        URL(filePath: "/bin/bash"), ["-c", line],
        environment: [
          "S": Showcaller.binary.path, "PATH": "/usr/bin:/bin", "XDG_STATE_HOME": lab.folder.path("state"),
          "XDG_CONFIG_HOME": lab.folder.url.path,
        ], in: lab.folder.url, limit: 60)
      running.closeInput()
      return running
    }
    let running = try shell("exec $S run --runs rel --host \(lab.address) rel.yaml")
    try await running.waitFor("on air")
    running.signal(SIGKILL)
    _ = try await running.finish()
    let id = try #require(try RunFolder.ids(in: lab.folder.path("rel")).last)
    for name in ["copy", "other", "another"] {
      try FileManager.default.createDirectory(atPath: lab.folder.path(name), withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(atPath: document, toPath: lab.folder.path("copy/rel.yaml"))
    // Of another name: the content alone is no sign.
    try FileManager.default.copyItem(atPath: document, toPath: lab.folder.path("other/film.yaml"))
    _ = try lab.folder.write("another/rel.yaml", "scenario: another\ndevice: TV\nsteps:\n  - log: another\n")
    try FileManager.default.createSymbolicLink(atPath: lab.folder.path("link.yaml"), withDestinationPath: document)
    for (line, isKnown) in [
      ("exec $S run --runs rel --resume rel.yaml", true), ("exec $S run --runs rel --resume ./rel.yaml", true),
      ("exec $S run --runs rel --resume link.yaml", true),
      ("cd copy && exec $S run --runs ../rel --resume ../rel.yaml", true),
      ("cd copy && exec $S run --runs ../rel --resume rel.yaml", true),
      ("cd other && exec $S run --runs ../rel --resume film.yaml", false),
      ("cd another && exec $S run --runs ../rel --resume rel.yaml", false),
      // It was edited since; it is the document all the same.
      ("echo '# later' >> rel.yaml && exec $S run --runs rel --resume rel.yaml", true),
    ] {
      let named = try await shell(line).finish()
      #expect(
        named.exitCode == 2 && named.errors.contains("its last run is \(id)") == isKnown, "\(line): \(named.errors)")
    }
    try await lab.end()
  }
}
