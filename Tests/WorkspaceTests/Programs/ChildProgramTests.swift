import Foundation
import Glibc
import Testing

@testable import Workspace

@Suite struct ChildProgramTests {
  init() {
    // As the executable does: a program that does not read is a failed write, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
  }

  private static func program(
    _ command: [String], environment: [String] = ["PATH=/usr/bin:/bin"], input: [UInt8] = [],
    outputLimit: Int = 1 << 16,
    standardError: ChildProgram.StandardError = .kept(100), limit: Duration = .seconds(30)
  ) -> ChildProgram {
    ChildProgram(
      command: command, environment: environment, input: input, outputLimit: outputLimit, standardError: standardError,
      limit: limit)
  }

  private static func shell(_ line: String, outputLimit: Int = 1 << 16, limit: Duration = .seconds(30)) -> ChildProgram
  {
    program(["/bin/sh", "-c", line], outputLimit: outputLimit, limit: limit)
  }

  /// Its end in a line: the code or what happened, its output, and what it said.
  private static func text(_ end: ChildProgram.End) -> String {
    switch end {
    case .exited(let code, let output, let errors):
      "exit \(code) |\(String(decoding: output, as: UTF8.self))|\(String(decoding: errors, as: UTF8.self))|"
    case .signalled(let number, let errors): "signal \(number) |\(String(decoding: errors, as: UTF8.self))|"
    case .overdue: "overdue"
    case .tooMuchOutput: "too much"
    case .notStarted(let reason): "not started: \(reason)"
    }
  }

  @Test(
    "How a program ends is told as it is",
    arguments: [
      ("echo out; echo err >&2", "exit 0 |out\n|err\n|"), ("exit 3", "exit 3 |||"),
      ("printf a; exit 255", "exit 255 |a||"),
      ("echo bad >&2; kill -SEGV $$", "signal 11 |bad\n|"), ("kill -TERM $$", "signal 15 ||"),
      ("exec >&- 2>&-; sleep 0.1; exit 4", "exit 4 |||"),
    ])
  func ends(line: String, end: String) async { #expect(Self.text(await Self.shell(line).run()) == end) }

  @Test("Arguments are what they are: no shell reads them")
  func arguments() async {
    let words = ["$HOME", "a b", "`id`", "", "*", "é", "-n"]
    let end = await Self.program(["/usr/bin/printf", "[%s]"] + words).run()
    #expect(Self.text(end) == "exit 0 |\(words.map { "[\($0)]" }.joined())||")
  }

  @Test("What cannot be started is told with a reason")
  func notStarted() async throws {
    let folder = try TemporaryFolder()
    let plain = try folder.write("plain", "no program", mode: 0o644)
    let cases: [([String], String)] = [
      ([], "no program is named"), ([""], "no program is named"), (["echo", "a\0b"], "an argument holds a zero byte"),
      (["/no/such/program"], "No such file or directory"), ([plain], "Permission denied"),
      ([folder.path], "Permission denied"),
    ]
    for (command, reason) in cases {
      #expect(Self.text(await Self.program(command).run()) == "not started: \(reason)", "\(command)")
    }
  }

  @Test("It gets the variables it is given and no others")
  func environment() async {
    let end = await Self.program(["/usr/bin/env"], environment: ["A=1", "B=two words"]).run()
    #expect(Self.text(end) == "exit 0 |A=1\nB=two words\n||")
  }

  @Test("No signal is blocked or ignored for it, whatever thread starts it")
  func signals() async throws {
    let end = await Self.program(["/bin/grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"]).run()
    guard case .exited(0, let output, _) = end else {
      Issue.record("\(end)")
      return
    }
    let sets = String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
    }
    // The C library keeps two for itself and ignores them in every program that it starts.
    #expect(sets.map { $0 & ~0x1_8000_0000 } == [0, 0], "\(sets)")
  }

  @Test("It leads a process group of its own, and gets no file of ours")
  func isolation() async throws {
    let folder = try TemporaryFolder()
    let file = try Files.open(folder.write("file", ""), O_RDONLY)
    #expect(
      Self.text(await Self.shell(#"test "$(ps -o pgid= -p $$ | tr -d ' ')" = $$ && echo own"#).run())
        == "exit 0 |own\n||")
    let end = await Self.program(["/bin/sh", "-c", "ls -l /proc/self/fd"]).run()
    #expect(!Self.text(end).contains(folder.path))
    try file.close()
  }

  @Test("It reads its input to the end, however long; none is an empty one", arguments: [0, 1, 65_536, 300_000])
  func input(count: Int) async {
    let input = [UInt8](repeating: UInt8(ascii: "x"), count: count)
    let end = await Self.program(["/usr/bin/wc", "-c"], input: input).run()
    #expect(Self.text(end) == "exit 0 |\(count)\n||")
  }

  @Test("A program that does not read its input ends as it likes")
  func unread() async {
    let end = await Self.program(["/bin/echo", "done"], input: [UInt8](repeating: 0, count: 300_000)).run()
    #expect(Self.text(end) == "exit 0 |done\n||")
  }

  @Test(
    "Output up to the limit is kept, more ends the program", arguments: [(1000, true), (1001, false), (200_000, false)])
  func output(count: Int, isKept: Bool) async {
    let end = await Self.shell("head -c \(count) /dev/zero; sleep 0.1", outputLimit: 1000).run()
    if isKept {
      #expect(end == .exited(0, output: [UInt8](repeating: 0, count: count), standardError: []))
    } else {
      #expect(end == .tooMuchOutput)
    }
  }

  @Test("Of standard error the end is kept")
  func standardError() async {
    let end = await Self.program(
      ["/bin/sh", "-c", "seq 1 20000 >&2"], standardError: .kept(12)
    ).run()
    #expect(Self.text(end) == "exit 0 ||19999\n20000\n|")
  }

  @Test("When its time is over it is asked to end first")
  func asked() async throws {
    let folder = try TemporaryFolder()
    let end = await Self.shell(
      "trap 'echo asked >\(folder.path("said")); exit 0' TERM; while :; do sleep 0.05; done", limit: .milliseconds(300)
    ).run()
    #expect(end == .overdue)
    #expect(folder.text("said") == "asked\n")
  }

  @Test("What does not end by itself is ended, with all that it started")
  func ended() async throws {
    let folder = try TemporaryFolder()
    let start = ContinuousClock.now
    let end = await Self.shell(
      "trap '' TERM; (trap '' TERM; exec sleep 300) & echo $! >\(folder.path("child")); echo $$ >\(folder.path("own")); wait; sleep 300",
      limit: .milliseconds(300)
    ).run()
    #expect(end == .overdue)
    #expect(ContinuousClock.now - start >= .seconds(2))
    for name in ["own", "child"] {
      let text = try #require(folder.text(name)?.trimmingCharacters(in: .newlines))
      #expect(await Self.isGone(try #require(pid_t(text))), "\(name)")
    }
  }

  @Test("What it leaves running in the background goes with it, and does not hold up its end")
  func background() async throws {
    let folder = try TemporaryFolder()
    let start = ContinuousClock.now
    let end = await Self.shell("sleep 300 & echo $! >\(folder.path("child")); echo done").run()
    #expect(Self.text(end) == "exit 0 |done\n||")
    // Well below what it leaves running, and above what a busy machine takes.
    #expect(ContinuousClock.now - start < .seconds(250))
    let text = try #require(folder.text("child")?.trimmingCharacters(in: .newlines))
    #expect(await Self.isGone(try #require(pid_t(text))))
  }

  @Test("Cancelling whoever waits ends it")
  func cancelled() async throws {
    let task = Task { await Self.shell("echo begun; sleep 300").run() }
    task.cancel()
    #expect(await task.value == .overdue)
  }

  /// Whether a process is over, or soon is: a process that is killed takes a moment to go.
  private static func isGone(_ process: pid_t) async -> Bool {
    for _ in 0..<500 {
      let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      // One that nobody has asked for its end is over, too.
      guard let status, !status.contains(") Z ") else { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }
}
