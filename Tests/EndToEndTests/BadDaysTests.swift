import Foundation
import Testing

/// What a shell, a disk or a folder may do to every command: each ends by itself, with its exit code and what to do.
@Suite(.serialized) struct BadDaysTests {
  private static let good = "scenario: x\ndevice: TV\nsteps: [{ expect: { app: none } }]\n"

  /// Runs a line of the shell, in which `$S` is our program, in a folder with documents.
  private func shell(_ line: String, limit: Double = 30) async throws -> Finished {
    let folder = try TemporaryFolder()
    _ = try folder.write("good.yaml", Self.good)
    _ = try folder.write("messy.yaml", "scenario:   x\ndevice: TV\nsteps: [{ expect: { app: none } }]\n")
    _ = try folder.write("bad.yaml", "scenario: x\ndevice: TV\nsteps: [{ expct: { app: none } }]\n")
    _ = try folder.write("esc\u{1B}[31m.yaml", "scenario: \"x \\e[31m\"\ndevice: \"TV \\e[31m\"\nsteps: [play]\n")
    try FileManager.default.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: true)
    mkfifo(folder.path("pipe.yaml"), 0o600)
    let running = try Running(
      URL(filePath: "/bin/bash"), ["-c", line],
      environment: ["S": Showcaller.binary.path, "PATH": "/usr/bin:/bin", "HOME": folder.url.path], in: folder.url,
      limit: limit)
    running.closeInput()
    return try await running.finish()
  }

  static let speakers = [
    "plan good.yaml", "plan --json good.yaml", "simulate good.yaml", "inputs good.yaml", "explain", "explain K101",
    "schema", "completions bash", "fmt - < messy.yaml", "fmt --diff messy.yaml", "fmt messy.yaml", "--help",
    "--version", "run --virtual -q --runs r --report json=- good.yaml",
  ]

  @Test("What cannot be written to a full disk or a closed output is told: 8", arguments: speakers)
  func full(command: String) async throws {
    for (target, reason) in [("/dev/full", "No space left on device"), ("&-", "Bad file descriptor")] {
      let finished = try await shell("$S \(command) >\(target)")
      #expect(finished.exitCode == 8, "\(target): \(finished.errors)")
      let told = finished.errors.split(separator: "\n").filter { $0.hasPrefix("error: cannot write ") }
      #expect(told.count == 1 && told[0].hasSuffix(": \(reason)"), "\(finished.errors)")
    }
  }

  @Test("What is wrong with a document counts more than that it could not be told: 3")
  func fullAndInvalid() async throws {
    let finished = try await shell("$S fmt --check messy.yaml >/dev/full")
    #expect(
      finished.exitCode == 3 && finished.errors == "error: cannot write standard output: No space left on device\n")
    #expect(try await shell("$S check bad.yaml >/dev/full").exitCode == 2, "an incomplete check says nothing")
  }

  @Test("A reader that goes away has seen enough: 0, and not a word", arguments: speakers.dropLast())
  func pipe(command: String) async throws {
    // The reader has left before a word is said; the pipe has no other.
    let finished = try await shell(
      "mkfifo left; ( exec 9<>left; exec >left 9<&-; $S \(command); echo $? >code ); cat code")
    #expect(finished.output == "0\n" && finished.errors.isEmpty, "\(finished.output)\(finished.errors)")
  }

  @Test("On a disk that fills up the JUnit file still says that the run did not finish")
  func fullReport() async throws {
    let finished = try await shell(
      """
      printf 'scenario: x\\ndevice: TV\\nsteps: [wait: 40s]\\n' >long.yaml
      export S; unshare -m bash -c '
      mount -t tmpfs -o size=64k none folder
      $S run --virtual --speed 20x -q --runs r --report junit=folder/x.xml long.yaml & pid=$!
      while [ ! -s folder/x.xml ]; do sleep 0.02; done
      cat /dev/zero 2>/dev/null >folder/rest
      wait $pid; echo $?; cat folder/x.xml'
      """)
    #expect(finished.output.hasPrefix("8\n<?xml"), "\(finished.output)\(finished.errors)")
    #expect(finished.output.contains("the run did not finish"), "\(finished.output)")
    #expect(finished.errors.contains("folder/x.xml: No space left on device"), "\(finished.errors)")
  }

  @Test("What is meant for closed standard streams is written into no other file")
  func closedStreams() async throws {
    let run = try await shell(
      "$S run --virtual --runs r good.yaml <&- >&- 2>&-; echo $?; cat r/*/events.jsonl r/*/plan.json")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "0", "\(run.output)")
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") }, "\(run.output)")
    let format = try await shell("$S fmt messy.yaml <&- >&- 2>&-; echo $?; cat messy.yaml")
    #expect(format.output == "8\n\(Self.good)", "\(format.output)")
    let input = try await shell("$S check - <&-")
    #expect(input.exitCode == 2 && input.errors.contains("cannot read <stdin>: Bad file descriptor"))
  }

  /// A line, its exit code, and what it says.
  static let lines: [(line: String, exitCode: Int32, says: String)] = [
    ("$S chekc good.yaml", 2, "there is no command `chekc`\nhelp: did you mean `showcaller check`?"),
    ("$S help exlpain", 2, "there is no command `exlpain`\nhelp: did you mean `showcaller help explain`?"),
    ("$S good.yaml", 2, "help: name the command first, such as `showcaller check good.yaml`"),
    ("$S --strict check good.yaml", 2, "help: options come after it: `showcaller check --strict`"),
    ("$S help check", 0, "OVERVIEW: Find the mistakes"),
    ("$S check good.yaml --stric", 2, "did you mean `--strict`?"),
    ("$S check good.yaml --strict", 0, "is valid"),
    ("$S check -- good.yaml", 0, "is valid"),
    ("$S check -- --strict", 2, "cannot read --strict: No such file or directory"),
    ("$S check - - <good.yaml", 0, "<stdin>: scenario `x` is valid"),
    ("$S check - </", 2, "cannot read <stdin>: Is a directory"),
    ("$S check ''", 2, "a name of a file is empty\nhelp: is a variable of the shell not set?"),
    ("$S plan folder", 2, "cannot read folder: it is a folder\nhelp: name one of the documents in it"),
    ("$S check nowhere.yaml", 2, "help: check the path"),
    ("$S check good.yaml/x", 2, "help: check the path"),
    ("$S check $'bad\\xFFname.yaml'", 2, "help: names of files are UTF-8 here: rename it"),
    ("$S check pipe.yaml", 2, "it is no regular file\nhelp: name it `-` and redirect standard input"),
    ("$S check <(sleep 0.2; cat good.yaml)", 0, "is valid"),
    ("cat good.yaml | $S check /dev/stdin", 0, "is valid"),
    ("$S check - --stdin-name '' <good.yaml", 2, "--stdin-name is empty"),
    ("$S check --set =1 good.yaml", 2, "`--set =1` has no name"),
    ("$S run --virtual --runs '' good.yaml", 2, "--runs is empty: it names a folder"),
    ("$S explain K1O1", 2, "did you mean `showcaller explain K101`?"),
    ("$S explain senario", 2, "did you mean `showcaller explain scenario`?"),
    ("$S completions powershell", 2, "there are bash, zsh and fish"),
    ("$S schema good.yaml", 2, "unexpected argument 'good.yaml'"),
    ("env -i $S check good.yaml", 0, "is valid"),
    ("env -i $S run -q --virtual --runs r good.yaml", 0, "PASSED good"),
    ("ulimit -f 0; $S run -q --virtual --runs r good.yaml", 8, "File too large"),
    ("ulimit -n 8; $S run -q --virtual --runs r good.yaml", 2, "may have only 8 files open"),
    ("ulimit -n 5; $S check .", 2, "help: allow it more: `ulimit -n 1024`"),
    ("ulimit -n 4; $S simulate good.yaml", 2, "may have only 4 files open"),
    ("ulimit -n 32; $S run -q --virtual --runs r good.yaml", 0, "PASSED good"),
    ("ulimit -S -n 8; $S run -q --virtual --runs r good.yaml", 0, "PASSED good"),
    ("$S fmt -- -dash.yaml", 2, "cannot read -dash.yaml: No such file or directory"),
  ]
  @Test("Odd lines of a shell end with their code and a sentence", arguments: lines)
  func line(_ example: (line: String, exitCode: Int32, says: String)) async throws {
    let finished = try await shell(example.line)
    let said = finished.output + finished.errors
    #expect(finished.exitCode == example.exitCode, "\(said)")
    #expect(said.contains(example.says), "\(said)")
    #expect(!said.contains("Fatal error") && !said.contains("Backtrac"), "\(said)")
  }

  @Test("Where no more files can be opened a program is not started, and its step says why")
  func fewFiles() async throws {
    let document =
      "scenario: x\ndevice: TV\nsteps: [{ exec: { command: [sh, -c, 'exit 0'], output: none } }]\n"
    func run(_ count: Int) async throws -> Finished {
      try await shell(
        "printf '%s' \"\(document)\" >few.yaml; ulimit -n \(count); $S run --virtual --allow-exec --runs r few.yaml")
    }
    // What a run needs differs with the processors of a computer.
    var (few, enough) = (8, 1024)
    while enough - few > 1 {
      let middle = (few + enough) / 2
      if try await run(middle).exitCode == 0 { enough = middle } else { few = middle }
    }
    var told = 0
    // Each count meets the limit at another place: a pipe, the second, the third, what watches the program.
    for count in max(8, enough - 8)..<enough {
      let finished = try await run(count)
      let said = finished.output + finished.errors
      #expect(finished.exitCode < 128 && !said.contains("Fatal error"), "\(count): \(finished.exitCode) \(said)")
      guard finished.exitCode == 5 else { continue }
      told += 1
      #expect(said.contains("`sh` could not be started: Too many open files"), "\(count): \(said)")
    }
    #expect(told > 0, "\(enough)")
  }

  @Test(
    "Names of files and texts of documents cannot do anything to a terminal",
    arguments: ["check", "plan", "plan --wire", "simulate", "inputs", "fmt --check", "run --virtual --runs r"])
  func escapes(command: String) async throws {
    for file in ["esc*.yaml", "$'none\\e[31m.yaml'", "$'folder\\e[31m'"] {
      let finished = try await shell("$S \(command) \(file)")
      #expect(!(finished.output + finished.errors).contains("\u{1B}"), "\(file): \(finished.output)\(finished.errors)")
    }
  }

  @Test("Only a terminal that is known to can gets colour", arguments: [nil, "", "dumb", "xterm"])
  func colour(terminal: String?) async throws {
    let term = terminal.map { "NO_COLOR= TERM='\($0)'" } ?? "-u TERM NO_COLOR="
    let finished = try await shell("script -qec \"env \(term) $S check bad.yaml\" /dev/null")
    #expect(finished.output.contains("error[K101]"), "\(finished.output)")
    #expect(finished.output.contains("\u{1B}") == (terminal == "xterm"), "\(finished.output)")
  }

  @Test("Ctrl-C ends a command that waits for its input")
  func interruption() async throws {
    let running = try Showcaller.start(["check", "-"], limit: 20)
    running.send(Self.good)
    running.signal(SIGINT)
    #expect(try await running.finish().exitCode != 0)
    running.closeInput()
  }
}
