import CastProtocol
import Foundation
import TestSupport
import Testing

/// Runs that are killed, interrupted or out of disk, and gone on with (docs/security.md 5): the real program, real files,
/// real TLS, and a receiver that outlives them.
@Suite(.serialized) struct DurableRunTests {
  private static func seconds(_ duration: Duration) -> String {
    String(
      format: "%.2f s", Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)
  }

  /// Goes on with a run until it is over; one that had not begun is begun.
  private func finish(_ lab: DurableLab, _ document: String, runs: String) async throws -> Finished {
    for _ in 0..<4 {
      let resumed = try await lab.resume(runs: runs)
      if resumed.exitCode == 0 { return resumed }
      // Nothing had been sent.
      if resumed.exitCode == 2 { return try await lab.run(document, runs: runs) }
      Issue.record("exit \(resumed.exitCode): \(resumed.errors)")
    }
    throw Overdue(description: "it does not come to its end")
  }

  @Test("R1: killed at any moment and gone on with, each item comes to the device exactly once")
  func killed() async throws {
    let lab = try await DurableLab()
    let whole = try await lab.run(try lab.items("whole"), runs: "whole")
    #expect(whole.exitCode == 0, "\(whole.errors)")
    let count = 2 * Effort.factor
    var random = SeededGenerator(seed: 1)
    var (adopted, replayed) = (0, 0)
    for point in 0..<count {
      let document = try lab.items("p\(point)")
      let running = try lab.start(["--host", lab.address, document], runs: "p\(point)")
      try await Task.sleep(for: whole.duration * random.fraction())
      running.signal(SIGKILL)
      _ = try await running.finish()
      let last = try await finish(lab, document, runs: "p\(point)")
      #expect(last.exitCode == 0, "point \(point): \(last.errors)")
      adopted += last.errors.components(separatedBy: "adopted: ").count - 1
      replayed += last.errors.components(separatedBy: "replayed: ").count - 1
      let (contents, plays) = lab.loads(of: "p\(point)")
      #expect(contents.count == 20 && contents.values.allSatisfy { $0 == 1 }, "point \(point): \(contents)")
      #expect(plays.count == 20 && plays.values.allSatisfy { $0 == 1 }, "point \(point)")
    }
    print(
      "R1: \(count) of \(count) kills: every journal read, every item once; \(adopted) adopted, \(replayed) sent first")
    try await lab.end()
  }

  @Test("R2: killed between intent and done, at most what the step declares", arguments: ["adopt", "replay", "skip"])
  func inside(rule: String) async throws {
    let lab = try await DurableLab(latency: "device")
    let count = Effort.factor
    var random = SeededGenerator(seed: 2)
    var (most, inside) = (0, 0)
    var words: [String: Int] = [:]
    for point in 0..<count {
      let document = try lab.folder.write(
        "q\(point).yaml",
        """
        scenario: One
        device: TV
        steps:
          - launch: default
          - log: on air
          - load: https://cdn.example.com/q\(point)-1.mp4
            on_resume: \(rule)
          - wait: 100ms

        """)
      let running = try lab.start(["--host", lab.address, document], runs: "q\(point)")
      try await running.waitFor("on air")
      try await Task.sleep(for: .milliseconds(Int(600 * random.fraction())))
      running.signal(SIGKILL)
      _ = try await running.finish()
      // An intent has the device behind the key.
      if lab.journal(runs: "q\(point)").contains("steps/s3\",\"device\"") { inside += 1 }
      let last = try await lab.resume(runs: "q\(point)")
      #expect(last.exitCode == 0, "\(last.errors)")
      most = max(most, lab.loads(of: "q\(point)").contents.values.max() ?? 0)
      for word in [
        "adopted: ", "replayed: ", "not done again: ", "s3 passed load https://cdn.example.com/q\(point)-1.mp4",
      ]
      where last.errors.contains(word) {
        words[String(word.prefix(7)), default: 0] += 1
      }
    }
    #expect(most <= (rule == "replay" ? 2 : 1), "\(words)")
    print(
      "R2 \(rule): \(count) kills, \(inside) of them behind the intent of a load: at most \(max(0, most - 1)) repeats")
    try await lab.end()
  }

  @Test("R5: a signal at any moment: finally runs, the device is stopped as declared", arguments: [SIGINT, SIGTERM])
  func signalled(signal: Int32) async throws {
    let lab = try await DurableLab()
    let more = "  - wait: 60s\nfinally:\n  - log: tidying\n  - stop_app\n"
    let count = Effort.factor
    var random = SeededGenerator(seed: 5)
    var longest = Duration.zero
    for point in 0..<count {
      let document = try lab.items("i\(point)", more: more)
      let running = try lab.start(["--host", lab.address, document], runs: "i\(point)")
      try await running.waitFor("s1 passed")
      try await Task.sleep(for: .milliseconds(Int(1500 * random.fraction())))
      let began = ContinuousClock.now
      running.signal(signal)
      let finished = try await running.finish()
      longest = max(longest, ContinuousClock.now - began)
      #expect(finished.exitCode == (signal == SIGINT ? 130 : 143), "\(finished.errors)")
      #expect(finished.errors.contains("finally passed"), "\(finished.errors)")
      #expect(try await lab.app().isEmpty)
    }
    #expect(longest < .seconds(30))
    print(
      "R5 \(signal == SIGINT ? "SIGINT" : "SIGTERM"): \(count) of \(count): finally ran, app stopped, at most \(Self.seconds(longest))"
    )
    try await lab.end()
  }

  @Test("R6: a second SIGINT ends cleaning up at once; after SIGTERM and SIGKILL the next one cleans up")
  func secondSignal() async throws {
    let lab = try await DurableLab()
    let more =
      "  - log: on air\n  - wait: 60s\n  - log: never\nfinally:\n  - log: tidying\n  - wait: 3s\n  - stop_app\n"
    let first = try lab.items("two", count: 2, more: more)
    let running = try lab.start(["--host", lab.address, first], runs: "two")
    try await running.waitFor("on air")
    running.signal(SIGINT)
    try await running.waitFor("tidying")
    let began = ContinuousClock.now
    running.signal(SIGINT)
    #expect(try await running.finish().exitCode == 130)
    let took = ContinuousClock.now - began
    #expect(took < .seconds(2), "\(took)")
    let over = try await lab.resume(runs: "two")
    #expect(over.exitCode == 130 && over.errors.contains("is over"), "\(over.errors)")

    let second = try lab.items("kill", count: 2, more: more)
    let killed = try lab.start(["--host", lab.address, second], runs: "kill")
    try await killed.waitFor("on air")
    killed.signal(SIGTERM)
    try await killed.waitFor("tidying")
    killed.signal(SIGKILL)
    _ = try await killed.finish()
    #expect(try await !lab.app().isEmpty)
    let resumed = try await lab.resume(runs: "kill")
    #expect(resumed.exitCode == 143, "\(resumed.errors)")
    #expect(!resumed.errors.contains("never") && resumed.errors.contains("finally passed"), "\(resumed.errors)")
    #expect(try await lab.app().isEmpty)
    print("R6: second SIGINT ended it in \(Self.seconds(took)); after SIGKILL in finally the resumed run cleaned up")
    try await lab.end()
  }

  @Test("R7: of twenty processes that start the same run at once one runs; so it is with twenty that go on with one")
  func atOnce() async throws {
    let lab = try await DurableLab()
    let document = try lab.items("same", count: 1, more: "  - wait: 120s\n")
    func all(_ arguments: [String]) async throws -> (winner: Running, losers: [Finished], slowest: Duration) {
      let processes = try (0..<20).map { _ in try lab.start(arguments, runs: "same", limit: 100) }
      // The one that runs goes on until it is told to end.
      let ended = try await withThrowingTaskGroup(of: (Int, Finished).self) { group in
        for (index, process) in processes.enumerated() {
          group.addTask { (index, try await process.finish()) }
        }
        var ended: [Int: Finished] = [:]
        while ended.count < 19, let (index, finished) = try await group.next() { ended[index] = finished }
        let rest = processes.indices.filter { ended[$0] == nil }
        for index in rest { processes[index].signal(SIGKILL) }
        while let _ = try await group.next() {}
        return ended
      }
      let winner = processes.indices.first { ended[$0] == nil } ?? 0
      return (processes[winner], Array(ended.values), ended.values.map(\.duration).max() ?? .zero)
    }
    let started = try await all(["--host", lab.address, document])
    #expect(started.losers.allSatisfy { $0.exitCode == 75 }, "\(started.losers.map(\.exitCode))")
    #expect(lab.loads(of: "same").contents.values.allSatisfy { $0 == 1 })
    let id = try #require(
      try RunFolder.ids(in: lab.folder.path("same")).first { run in
        FileManager.default.contents(atPath: lab.folder.path("same/\(run)/journal.jsonl")).map {
          String(decoding: $0, as: UTF8.self).contains("\"intent\"")
        } ?? false
      })
    let resumed = try await all(["--resume", id])
    #expect(resumed.losers.allSatisfy { $0.exitCode == 75 || $0.exitCode == 2 }, "\(resumed.losers.map(\.errors))")
    #expect(lab.loads(of: "same").contents.values.allSatisfy { $0 == 1 }, "\(lab.loads(of: "same"))")
    print(
      "R7: 1 of 20 ran, 19 ended with 75, the slowest after \(Self.seconds(started.slowest)); 1 of 20 went on with it")
    try await lab.end()
  }

  @Test("R8: what a killed run had is free at once; R9: a run that is over sends nothing and exits 0")
  func takenOver() async throws {
    let lab = try await DurableLab()
    let document = try lab.items("held", count: 1, more: "  - log: on air\n  - wait: 60s\n")
    let holder = try lab.start(["--host", lab.address, document], runs: "held")
    try await holder.waitFor("on air")
    holder.signal(SIGKILL)
    _ = try await holder.finish()
    let next = try await lab.run(try lab.items("next", count: 1), runs: "next")
    #expect(next.exitCode == 0, "\(next.errors)")
    print("R8: the next run had the device, and was over after \(Self.seconds(next.duration))")

    let before = lab.connections
    for name in [nil, "latest"] as [String?] {
      let again = try await lab.resume(name, runs: "next")
      #expect(again.exitCode == 0 && again.errors.contains("is over (passed)"), "\(again.errors)")
    }
    #expect(lab.connections == before)
    print("R9: 0 messages to the device, exit 0")
    try await lab.end()
  }

  @Test(
    "R12: where the disk is full a run ends with 8 and says which file; the journal can be read, the device is stopped")
  func diskFull() async throws {
    let lab = try await DurableLab()
    let sites = min(30, 2 * Effort.factor)
    var journals = 0
    for site in 0..<sites {
      _ = try lab.items("d\(site)", more: "finally:\n  - stop_app\n")
      try FileManager.default.createDirectory(
        atPath: lab.folder.path("full\(site)"), withIntermediateDirectories: true)
      // Room for one page more each time, spread over what a run writes.
      let free = 8 + site * 120 / sites
      let running = try Running(
        URL(filePath: "/bin/bash"),
        [
          "-c",
          """
          unshare -m bash -c '
          mount -t tmpfs -o size=1m none full\(site) && mkdir full\(site)/runs
          dd if=/dev/zero of=full\(site)/fill bs=1k count=$((1024 - \(free) - 8)) 2>/dev/null
          $S run --runs full\(site)/runs --host \(lab.address) d\(site).yaml; echo "exit $?"
          rm full\(site)/fill; mkdir keep\(site); cp -r full\(site)/runs keep\(site)/'
          """,
        ],
        environment: [
          "S": Showcaller.binary.path, "PATH": "/usr/bin:/bin", "XDG_STATE_HOME": lab.folder.path("state"),
          "XDG_CONFIG_HOME": lab.folder.url.path,
        ], in: lab.folder.url, limit: 90)
      running.closeInput()
      let finished = try await running.finish()
      // That the next `--last-failed` does not know of the run is a warning, and no failure.
      let isFull = finished.errors.split(separator: "\n").contains {
        $0.contains("No space left on device") && !$0.hasPrefix("warning:")
      }
      #expect(
        isFull ? finished.output.contains("exit 8") : finished.output.contains("exit 0"), "\(free) KiB: \(finished)")
      if isFull {
        #expect(
          finished.errors.contains("full\(site)/runs"), "\(finished.errors)")
      }
      #expect(try await lab.app().isEmpty, "\(free) KiB: the app is still there")
      let runs = "keep\(site)/runs"
      let ids = (try? RunFolder.ids(in: lab.folder.path(runs))) ?? []
      for id in ids where FileManager.default.fileExists(atPath: lab.folder.path("\(runs)/\(id)/journal.jsonl")) {
        journals += 1
        let resumed = try await lab.resume(id, runs: runs)
        #expect(!resumed.errors.contains("damaged"), "\(free) KiB: \(resumed.errors)")
      }
    }
    print("R12: \(sites) full disks: exit 8 with the file's name, \(journals) journals read, the app stopped each time")
    try await lab.end()
  }

  @Test("R13: a folder of runs that cannot be written is refused before anything is sent; few descriptors are told")
  func refused() async throws {
    let lab = try await DurableLab()
    let document = try lab.items("r", count: 1)
    let before = lab.connections
    let running = try Showcaller.start(
      ["run", "--runs", "/proc/nonexistent/runs", "--host", lab.address, document],
      environment: ["XDG_STATE_HOME": lab.folder.path("state"), "XDG_CONFIG_HOME": lab.folder.url.path])
    running.closeInput()
    let finished = try await running.finish()
    #expect(finished.exitCode == 8 && lab.connections == before, "\(finished.errors)")
    // Three are the standard streams, 22 are what a run on one device needs.
    for (limit, inherited) in [
      (8, 0), (16, 0), (18, 0), (20, 0), (24, 0), (25, 0), (28, 0), (32, 0), (32, 12), (70, 50),
    ] {
      let connections = lab.connections
      let ended = try await allowed(limit, inherited, document: "r.yaml", in: lab)
      let isEnough = limit - inherited >= 3 + 22
      #expect(ended.exitCode == (isEnough ? 0 : 2), "\(limit), \(inherited): \(ended)")
      #expect(ended.errors.contains("may have only \(limit) files open") == !isEnough, "\(ended.errors)")
      #expect(lab.connections == connections + (isEnough ? 1 : 0), "\(limit): \(ended)")
    }
    // A web server needs more.
    _ = try lab.folder.write("film.mp4", "film")
    _ = try lab.folder.write("served.yaml", "scenario: served\ndevice: TV\nsteps: [{ load: \"file:./film.mp4\" }]\n")
    let ended = try await allowed(26, 0, document: "served.yaml", in: lab)
    #expect(ended.exitCode == 5 && ended.errors.contains("too many open files"), "\(ended)")
    try await lab.end()
  }

  /// A run that may have `limit` files open, and has `inherited` ones when it starts.
  private func allowed(_ limit: Int, _ inherited: Int, document: String, in lab: DurableLab) async throws -> Finished {
    let others = (0..<inherited).map { "exec \(20 + $0)</dev/null; " }.joined()
    let few = try Running(
      URL(filePath: "/bin/bash"),
      ["-c", "\(others)ulimit -n \(limit); exec $S run --runs few --host \(lab.address) \(document)"],
      environment: [
        "S": Showcaller.binary.path, "PATH": "/usr/bin:/bin", "XDG_STATE_HOME": "/proc/nonexistent",
        "XDG_CONFIG_HOME": lab.folder.url.path,
      ], in: lab.folder.url, limit: 60)
    few.closeInput()
    return try await few.finish()
  }

  @Test("What cannot be gone on with is refused with a reason and a cure")
  func refusals() async throws {
    let lab = try await DurableLab()
    let none = try await lab.resume(runs: "none")
    #expect(none.exitCode == 2 && none.errors.contains("no run in"), "\(none.errors)")
    let document = try lab.items("x", count: 3, more: "  - log: on air\n  - wait: 60s\n")
    let running = try lab.start(["--host", lab.address, document], runs: "x")
    try await running.waitFor("on air")
    let busy = try await lab.resume(runs: "x")
    #expect(busy.exitCode == 75 && busy.errors.contains("still goes on"), "\(busy.errors)")
    #expect(!busy.errors.contains("PID"), "\(busy.errors)")
    running.signal(SIGKILL)
    _ = try await running.finish()
    let id = try #require(try RunFolder.ids(in: lab.folder.path("x")).last)
    let named = try await lab.resume(document, runs: "x")
    #expect(
      named.exitCode == 2 && named.errors.contains("x.yaml is a document; its last run is \(id)"), "\(named.errors)")
    #expect(
      named.errors.contains("`showcaller run --resume \(id) --runs \(lab.folder.path("x"))` goes on"), "\(named.errors)"
    )
    let report = try await Showcaller.run("report", "latest", "--runs", lab.folder.path("x"))
    #expect(
      report.output.contains("`showcaller run --resume \(id) --runs \(lab.folder.path("x"))` goes on with it"),
      "\(report.output)")
    let foreign = try await lab.start(["--resume", id, "--host", "127.0.0.1:1"], runs: "x").finish()
    #expect(foreign.exitCode == 2 && foreign.errors.contains("--host is not for --resume"), "\(foreign.errors)")
    for given in [
      ["--fail-on-flaky"], ["--cleanup-warn"], ["--allow-exec"], ["--auth", "none"], ["--require-crl"],
      ["--seed", "1"],
      ["--wait-lock", "1s"], ["--no-secrets"], ["--set", "a=b"], ["--jobs", "2"],
    ] {
      let refused = try await lab.start(["--resume", id] + given, runs: "x").finish()
      #expect(refused.exitCode == 2 && refused.errors.contains("\(given[0]) is not for --resume"), "\(refused.errors)")
    }
    let path = lab.folder.path("x/\(id)/journal.jsonl")
    let good = try Data(contentsOf: URL(filePath: path))
    var bad = good
    bad[300] ^= 1
    try bad.write(to: URL(filePath: path))
    let damaged = try await lab.resume(id, runs: "x")
    #expect(damaged.exitCode == 8 && damaged.errors.contains("journal.jsonl:"), "\(damaged.errors)")
    try good.write(to: URL(filePath: path))
    // A document that was edited meanwhile is not what goes on.
    _ = try lab.items("x", count: 1)
    let before = lab.connections
    let taken = try lab.start(["--resume", id], runs: "x")
    try await taken.waitFor("goes on with run \(id)")
    try await taken.waitFor("was changed since")
    taken.signal(SIGKILL)
    _ = try await taken.finish()
    if lab.connections > before {
      let twice = try await lab.resume(id, runs: "x")
      #expect(twice.exitCode == 2 && twice.errors.contains("showcaller run --resume "), "\(twice.errors)")
    }
    try await lab.end()
    // The device is off: it can be tried again when it is on.
    for _ in 0..<2 {
      let away = try await lab.resume(runs: "x")
      #expect(away.exitCode == 4, "\(away.errors)")
    }
  }
}
