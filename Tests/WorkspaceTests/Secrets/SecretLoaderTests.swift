import Glibc
import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct SecretLoaderTests {
  private static func secret(_ name: String, _ source: Plan.Secret.Source) -> Plan.Secret {
    let span = SourceSpan(file: "film.yaml", line: 2, column: 1, endLine: 2, endColumn: 5)
    return Plan.Secret(name: name, source: source, nameSpan: span, sourceSpan: span)
  }

  private static func loader(
    _ surroundings: Surroundings, given: [(name: String, argument: String)] = [], allowsCommands: Bool? = true
  ) -> SecretLoader {
    SecretLoader(given: given, allowsCommands: allowsCommands, in: surroundings)
  }

  @Test("Each source gives its value; one that a step saves has none yet")
  func sources() async throws {
    let folder = try TemporaryFolder()
    try folder.write("key.txt", "from a file\n")
    let surroundings = Surroundings.living(in: folder, ["TOKEN=from the environment", "PATH=/usr/bin:/bin"])
    let loaded = try await Self.loader(surroundings).load([
      Self.secret("env", .environment("TOKEN")),
      Self.secret("file", .file("key.txt", declaredIn: folder.path("film.yaml"))),
      Self.secret("command", .command(["sh", "-c", #"echo "of $HOME""#])),
      Self.secret("ticket", .saved),
    ])
    #expect(loaded.problems.isEmpty)
    #expect(
      loaded.values == ["env": "from the environment", "file": "from a file", "command": "of \(folder.path)"])
    #expect(loaded.saved == ["ticket"])
  }

  @Test("A run that is gone on with is not offered --secret, which it does not take")
  func resumed() async throws {
    let folder = try TemporaryFolder()
    let loader = SecretLoader(given: [], allowsCommands: true, isResumed: true, in: .living(in: folder))
    let loaded = try await loader.load([
      Self.secret("env", .environment("NONE")),
      Self.secret("file", .file("key.txt", declaredIn: folder.path("film.yaml"))),
      Self.secret("command", .command(["false"])),
    ])
    #expect(loaded.problems.count == 3)
    for (problem, cure) in zip(loaded.problems, ["`export NONE=…`, then go on", "key.txt`, then go on", "`false`"]) {
      guard case .help(let help)? = problem.footers.first else { throw FileError.last }
      #expect(help.contains(cure) && !help.contains("--secret"), "\(help)")
    }
  }

  @Test(
    "A secret without a value is told at its place, and the others have theirs",
    arguments: [
      (.environment("NONE"), "environment variable NONE is not set"),
      (.environment("EMPTY"), "environment variable EMPTY is empty"),
      (.file("missing.txt", declaredIn: "/nowhere/film.yaml"), "file `missing.txt` is not there"),
      (.command(["/no/such"]), "`/no/such` could not be started: No such file or directory"),
      (.command(["sh", "-c", "exit 3"]), "`sh` ended with exit code 3"),
      (.command(["sh", "-c", "kill -TERM $$"]), "`sh` was ended by a signal"),
      (.command(["true"]), "`true` wrote nothing"),
      (.command(["printf", #"\377"#]), "`printf` wrote no UTF-8 text"),
      (.command(["head", "-c", "65537", "/dev/zero"]), "`head` wrote more than 64 KiB"),
    ] as [(Plan.Secret.Source, String)])
  func problems(source: Plan.Secret.Source, reason: String) async throws {
    let folder = try TemporaryFolder()
    let surroundings = Surroundings.living(in: folder, ["EMPTY=", "TOKEN=value", "PATH=/usr/bin:/bin"])
    let loaded = try await Self.loader(surroundings).load([
      Self.secret("key", source), Self.secret("other", .environment("TOKEN")),
    ])
    #expect(loaded.values == ["other": "value"])
    #expect(loaded.problems.map(\.code) == [.n403])
    #expect(loaded.problems.map(\.message) == ["secret `key` has no value: \(reason)"])
    #expect(loaded.problems.first?.primary.span.line == 2)
  }

  @Test("No program is started that is not allowed", arguments: [false, nil] as [Bool?])
  func commands(allowed: Bool?) async throws {
    let folder = try TemporaryFolder()
    let surroundings = Surroundings.living(in: folder, ["PATH=/usr/bin:/bin"])
    let loaded = try await Self.loader(surroundings, allowsCommands: allowed).load([
      Self.secret("key", .command(["touch", folder.path("started")]))
    ])
    #expect(try folder.names().isEmpty)
    #expect(loaded.values.isEmpty)
    // Without a word where nobody can allow it, such as in a check.
    #expect(loaded.problems.count == (allowed == nil ? 0 : 1))
  }

  @Test("The command line wins over the document, the last of two counts")
  func given() async throws {
    let folder = try TemporaryFolder()
    let one = try folder.write("one", "first\n")
    let two = try folder.write("two", "second\n")
    let loader = Self.loader(
      .living(in: folder, ["TOKEN=value"]), given: [("key", "@\(one)"), ("other", "@\(one)"), ("key", "@\(two)")])
    let loaded = try await loader.load([Self.secret("key", .environment("TOKEN"))])
    #expect(loaded.values == ["key": "second"])
  }

  @Test(
    "A file of the command line that is no secret ends the command",
    arguments: [
      ("missing", "there is no such file"), ("empty", "it is empty"), (".", "it is a folder"),
      ("large", "it is larger than 64 KiB"), ("binary", "it is not UTF-8 text"),
    ])
  func wrong(name: String, reason: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("empty", "")
    try folder.write("binary", "a\0b")
    try folder.write("large", String(repeating: "x", count: 65_537))
    let path = folder.path(name)
    let loader = Self.loader(.living(in: folder), given: [("key", "@\(path)")])
    await #expect(throws: WorkspaceError(.documentInvalid, "cannot read secret `key` from \(path): \(reason)")) {
      try await loader.load([Self.secret("key", .saved)])
    }
  }

  @Test("A dash is standard input, read to its end")
  func standardInput() async throws {
    let folder = try TemporaryFolder()
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let reader = OpenFile(adopting: ends[0])
    let writer = OpenFile(adopting: ends[1])
    try writer.write(Array("typed\n".utf8))
    try writer.close()
    var surroundings = Surroundings.living(in: folder)
    surroundings.standardInput = reader.descriptor
    let loaded = try await Self.loader(surroundings, given: [("key", "@-")]).load([Self.secret("key", .saved)])
    #expect(loaded.values == ["key": "typed"])
    let help = "`--secret key=@-` reads it from standard input: write `< FILE` behind the command"
    await #expect(
      throws: WorkspaceError(.documentInvalid, "cannot read secret `key` from <stdin>: it is empty", help: help)
    ) {
      try await Self.loader(surroundings, given: [("key", "@-")]).load([Self.secret("key", .saved)])
    }
    try reader.close()
  }

  @Test("Documents of one command line share what was given, which is read once")
  func shared() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("key.txt", "first\n", mode: 0o600)
    let given = GivenSecrets()
    func load() async throws -> [String: String] {
      try await SecretLoader(
        given: [("key", "@" + path)], allowsCommands: nil, in: .living(in: folder), remembering: given
      ).load([Self.secret("key", .saved)]).values
    }
    #expect(try await load() == ["key": "first"])
    try folder.write("key.txt", "second\n", mode: 0o600)
    #expect(try await load() == ["key": "first"])
    given.forgetFiles()
    #expect(try await load() == ["key": "second"])
  }

  @Test("Waiting for standard input ends when nobody waits any longer")
  func cancelled() async throws {
    let folder = try TemporaryFolder()
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    var surroundings = Surroundings.living(in: folder)
    surroundings.standardInput = ends[0]
    let loader = Self.loader(surroundings, given: [("key", "@-")])
    let task = Task { try await loader.load([Self.secret("key", .saved)]) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    for end in ends { close(end) }
  }

  @Test("A link that leads nowhere, and too much of standard input, are no secrets")
  func unusable() async throws {
    let folder = try TemporaryFolder()
    try folder.link("loop", to: "loop")
    let large = try Files.open(folder.write("large", String(repeating: "x", count: SecretFile.byteLimit + 1)), O_RDONLY)
    var surroundings = Surroundings.living(in: folder)
    surroundings.standardInput = large.descriptor
    for (argument, reason) in [
      ("@" + folder.path("loop"), "\(folder.path("loop")): it cannot be read"),
      ("@-", "<stdin>: it is larger than 64 KiB"),
    ] {
      await #expect(throws: WorkspaceError(.documentInvalid, "cannot read secret `key` from \(reason)")) {
        try await Self.loader(surroundings, given: [("key", argument)]).load([Self.secret("key", .saved)])
      }
    }
    try large.close()
  }

  @Test("A command without a program is none", arguments: [[], [""]])
  func noProgram(command: [String]) async throws {
    let folder = try TemporaryFolder()
    let result = await SecretCommand.output(of: command, in: .living(in: folder))
    #expect(result == .failure(.command("", "is no program")))
  }

  @Test("Nothing is read for whoever has stopped waiting")
  func stopped() async throws {
    let folder = try TemporaryFolder()
    let loader = Self.loader(.living(in: folder, ["PATH=/usr/bin:/bin"]))
    let started = folder.path("started")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await loader.load([Self.secret("key", .command(["touch", started]))])
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try folder.names().isEmpty)
  }
}
