import CastProtocol
import Foundation
import Testing

/// `showcaller check` on folders, standard input and bad days, in every format.
@Suite struct CheckTests {
  static let good = "scenario: Good\ndevice: TV\nsteps: [{ expect: { app: none } }]\n"
  static let bad = "scenario: Bad\ndevice: TV\nsteps: [{ expect: { app: none } }, { laod: x }]\n"
  /// Without an expectation: a warning.
  static let idle = "scenario: Idle\ndevice: TV\nsteps: [mute: true]\n"

  /// Runs in a folder of its own with these files; a name may hold folders.
  static func check(
    _ arguments: String..., files: [String: String], input: String? = nil, environment: [String: String] = [:],
    prepare: (TemporaryFolder) throws -> Void = { _ in }
  ) async throws -> Finished {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      let url = folder.url.appending(path: name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      _ = try folder.write(name, text)
    }
    try prepare(folder)
    let started = try Showcaller.start(
      ["check"] + arguments, environment: ["GITHUB_ACTIONS": "", "NO_COLOR": ""].merging(environment) { $1 },
      in: folder.url)
    if let input { started.send(input) }
    started.closeInput()
    return try await started.finish()
  }

  @Test("A folder is searched for documents; what is hidden, a dependency, linked or not ours is left out")
  func folder() async throws {
    let finished = try await Self.check(
      ".",
      files: [
        "b.yaml": Self.bad, "a.yml": Self.good, "sub/deep/c.yaml": Self.good, "notes.txt": "scenario: x",
        ".hidden.yaml": Self.bad, ".build/x.yaml": Self.bad, "node_modules/x.yaml": Self.bad,
        "sub/compose.yaml": "services: {}", "sub/empty.yaml": "",
      ]
    ) { folder in
      try FileManager.default.createSymbolicLink(atPath: folder.path("loop"), withDestinationPath: ".")
      try FileManager.default.createSymbolicLink(atPath: folder.path("again.yaml"), withDestinationPath: "b.yaml")
    }
    #expect(finished.exitCode == 3, "\(finished.output)\(finished.errors)")
    #expect(finished.output.contains("again.yaml:3:38"), "\(finished.output)")
    #expect(
      finished.output.hasSuffix("\n\n3 documents, 1 with errors, 2 other YAML files skipped\n"), "\(finished.output)")
    #expect(finished.errors.isEmpty)
  }

  @Test("Documents are told in the order named, those of a folder sorted, each once")
  func order() async throws {
    var files = ["z.yaml": Self.bad]
    for index in 0..<40 { files["f/\(index + 10).yaml"] = Self.bad }
    let finished = try await Self.check("--format", "gcc", "z.yaml", "f", "./f/10.yaml", "f/", files: files)
    let errors = finished.output.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(errors.map { $0.prefix { $0 != ":" } } == ["z.yaml"] + (10..<50).map { "f/\($0).yaml" })
  }

  @Test("Several named documents each have a line, and a summary at the end; quiet tells problems only")
  func summary() async throws {
    let files = ["a.yaml": Self.good, "b.yaml": Self.idle]
    let finished = try await Self.check("a.yaml", "b.yaml", files: files)
    #expect(finished.exitCode == 0)
    #expect(finished.output.hasPrefix("a.yaml: scenario `Good` is valid: 1 step\nwarning[P610]"), "\(finished.output)")
    #expect(finished.output.hasSuffix("\n2 documents, 1 warning\n"))
    let single = try await Self.check("a.yaml", files: files)
    #expect(single.output == "a.yaml: scenario `Good` is valid: 1 step\n")
    let quiet = try await Self.check("-q", ".", files: files)
    #expect(quiet.output.hasPrefix("warning[P610]") && !quiet.output.contains("documents"))
  }

  @Test("Strict fails on warnings, which stay warnings", arguments: ["human", "json"])
  func strict(format: String) async throws {
    let finished = try await Self.check("--strict", "--format", format, "a.yaml", files: ["a.yaml": Self.idle])
    #expect(finished.exitCode == 3)
    #expect(finished.output.contains("warning") && !finished.output.contains("error["))
    #expect(!finished.output.contains("is valid"))
  }

  @Test("What cannot be read is told after all else was checked: 2")
  func unreadable() async throws {
    let finished = try await Self.check(
      "gone.yaml", "dir", "a.yaml", "link.yaml", files: ["a.yaml": Self.bad, "dir/b.yaml": Self.good]
    ) { folder in
      try FileManager.default.createSymbolicLink(atPath: folder.path("link.yaml"), withDestinationPath: "nothing")
      #expect(mkfifo(folder.path("dir/fifo.yaml"), 0o600) == 0)
    }
    #expect(finished.exitCode == 2)
    #expect(finished.output.contains("a.yaml:3:38"), "\(finished.output)")
    #expect(finished.output.hasSuffix("2 documents, 1 with errors, 3 not readable\n"), "\(finished.output)")
    #expect(finished.errors.contains("cannot read gone.yaml: No such file"))
    #expect(finished.errors.contains("cannot read link.yaml: No such file"))
    #expect(finished.errors.contains("cannot read dir/fifo.yaml: it is no regular file"))
  }

  @Test(
    "A folder that may not be entered is told",
    .enabled(if: geteuid() != 0, "root may enter every folder"))
  func closedFolder() async throws {
    let finished = try await Self.check("a.yaml", "locked", files: ["a.yaml": Self.good, "locked/b.yaml": Self.good]) {
      #expect(chmod($0.path("locked"), 0) == 0)
    }
    #expect(finished.exitCode == 2 && finished.errors.contains("cannot read locked: Permission denied"))
  }

  @Test("A folder without documents is no success: 2")
  func nothing() async throws {
    let finished = try await Self.check(".", files: ["compose.yaml": "services: {}"])
    #expect(finished.exitCode == 2 && finished.errors.contains("no documents in ."))
    // Named itself, the same file is a mistake.
    let named = try await Self.check("compose.yaml", files: ["compose.yaml": "services: {}"])
    #expect(named.exitCode == 3 && named.output.contains("error[K105]"))
  }

  @Test("Standard input can have a name, and what a document names is looked for beside it")
  func standardInput() async throws {
    let text = "scenario: x\ndevice: TV\nsteps:\n  - load: file:film.mp4\n  - expect: { player: playing }\n"
    let files = ["qa/film.mp4": "film", "other.yaml": Self.good]
    let there = try await Self.check("--stdin-name", "qa/lobby.yaml", "-", files: files, input: text)
    #expect(there.exitCode == 0, "\(there.output)")
    #expect(there.output.hasSuffix("qa/lobby.yaml: scenario `x` is valid: 2 steps\n"), "\(there.output)")
    let elsewhere = try await Self.check("--stdin-name", "lobby.yaml", "-", files: files, input: text)
    #expect(elsewhere.output.contains("lobby.yaml:4:11"), "\(elsewhere.output)")
    let twice = try await Self.check("--format", "json", "-", "other.yaml", "-", files: files, input: Self.bad)
    let json = try JSONValue(parsing: Array(twice.output.utf8))
    #expect(json["documents"]?.array?.compactMap { $0["file"]?.string } == ["<stdin>", "other.yaml"])
    #expect(json["diagnostics"]?.array?.first?["file"]?.string == "<stdin>")
  }

  @Test("On a GitHub runner annotations follow the problems of each document, and nothing else is a command")
  func runner() async throws {
    let hostile = "scenario: x\ndevice: TV\nsteps:\n  - laod: \"##[add-mask]e\"\n"
    let finished = try await Self.check(
      ".", files: ["::stop-commands::x.yaml": Self.good, "a.yaml": hostile], environment: ["GITHUB_ACTIONS": "true"])
    let lines = finished.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("error[K101]") })
    let commands = lines.filter { $0.drop { $0 == " " }.hasPrefix("::") }
    #expect(commands.allSatisfy { $0.hasPrefix("::error file=a.yaml,line=4") }, "\(commands)")
    #expect(!commands.isEmpty && !finished.output.contains("##["))
  }

  @Test("Color is a choice: on a terminal only, always, never")
  func color() async throws {
    let files = ["a.yaml": Self.bad]
    #expect(try await !Self.check("a.yaml", files: files).output.contains("\u{1B}"))
    #expect(try await Self.check("--color", "always", "a.yaml", files: files).output.contains("\u{1B}[1;31merror"))
    #expect(try await !Self.check("--color", "never", "a.yaml", files: files).output.contains("\u{1B}"))
  }

  @Test(
    "Odd files are documents, or refused with a place, at once",
    arguments: [
      ("empty.yaml", "", 3, "K105"), ("bom.yaml", "\u{FEFF}" + good, 3, "Y308"),
      ("crlf.yaml", good.replacing("\n", with: "\r\n"), 0, "is valid"),
      ("big.yaml", "scenario: x\n" + String(repeating: "# filler\n", count: 240_000), 3, "Y311"),
      ("new\nline\u{1B}[31m.yaml", bad, 3, "new\\nline\\u{1B}[31m.yaml:3:38"),
    ])
  func odd(name: String, text: String, exitCode: Int32, says: String) async throws {
    let finished = try await Self.check(name, files: [name: text])
    #expect(finished.exitCode == exitCode && finished.output.contains(says), "\(finished.output)\(finished.errors)")
    #expect(!finished.output.contains("\u{1B}"))
  }

  @Test("Standard input without an end is refused after a megabyte")
  func endlessInput() async throws {
    let running = try Running(
      URL(filePath: "/bin/sh"), ["-c", "exec \"$0\" check - < /dev/zero", Showcaller.binary.path],
      in: Showcaller.root, limit: 20)
    let finished = try await running.finish()
    #expect(finished.exitCode == 3 && finished.output.contains("Y311"), "\(finished.output)\(finished.errors)")
  }

  @Test(
    "A reader that goes away changes no verdict; a full disk does",
    arguments: [("| true", 3), ("> /dev/full", 2)])
  func closedOutput(redirection: String, exitCode: Int32) async throws {
    let folder = try TemporaryFolder()
    for index in 0..<50 { _ = try folder.write("\(index).yaml", Self.bad) }
    let script = "set -o pipefail; \"$0\" check . \(redirection)"
    let finished = try await Running(
      URL(filePath: "/bin/bash"), ["-c", script, Showcaller.binary.path], in: folder.url
    ).finish()
    #expect(finished.exitCode == exitCode, "\(finished.errors)")
    if exitCode == 2 { #expect(finished.errors.contains("cannot write standard output: No space left")) }
  }

  @Test("SARIF is what its schema allows, judged by a model that is not ours", .enabled(if: PeerTests.python != nil))
  func sarif() async throws {
    let files = ["a b.yaml": Self.bad, "映.yaml": "playlist: x\nlobby: 1\nlobby: 2\n", "c.yaml": Self.idle]
    let finished = try await Self.check("--format", "sarif", ".", "gone.yaml", files: files)
    #expect(finished.exitCode == 2)
    let python = try #require(PeerTests.python)
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/sarif.py").path
    let peer = try Running(python, [script], in: Showcaller.root)
    peer.send(finished.output)
    peer.closeInput()
    let judged = try await peer.finish()
    #expect(judged.exitCode == 0, "\(judged.output)\(judged.errors)\(finished.output)")
    #expect(judged.output.contains("a%20b.yaml:3:38-42 error K101"), "\(judged.output)")
    #expect(judged.output.contains("c.yaml:1:11-15 warning P610"), "\(judged.output)")
  }
}
