import CastProtocol
import Foundation
import Testing

/// Completions, in the shells themselves. `make test` installs them: a shell that is missing is a failure.
@Suite struct CompletionTests {
  /// Names as devices really have them, and as an attacker on the network might.
  static let names = [
    "Living Room TV", "Kitchen", "Bob's \"big\" $(touch pwned) `touch pwned`; TV!", "Ünïcode 映画", "TV: Left",
    "Say \"yes\"", "Mom's and dads'",
  ]

  /// A folder with files to complete, a cache with devices, and our program in the path.
  private static func prepare() throws -> (folder: TemporaryFolder, environment: [String: String]) {
    let folder = try TemporaryFolder()
    for name in ["ads.yaml", "with space.yml", "notes.txt"] { _ = try folder.write(name, "") }
    _ = try folder.write(
      "matrix.doc",
      """
      scenario: x
      device: TV
      tags: [smoke, slow]
      vars: { speed: 1 }
      matrix: { lang: [en, no] }
      steps: [{ log: "${matrix.lang} ${speed}" }, { expect: { app: none } }]
      """)
    for name in ["sub", "cache/showcaller"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    let devices = (names + ["evil\n\u{1B}[31m"]).map { name -> JSONValue in
      ["name": .string(name), "model": "Chromecast", "host": "192.0.2.14", "port": 8009]
    }
    _ = try folder.write(
      "cache/showcaller/devices.json", (["v": 1, "devices": .array(devices)] as JSONValue).serialized())
    let path = Showcaller.binary.deletingLastPathComponent().path + ":/usr/bin:/bin"
    // fish makes a folder of its own for its settings.
    return (
      folder,
      [
        "XDG_CACHE_HOME": folder.path("cache"), "XDG_CONFIG_HOME": folder.path(".config"), "PATH": path,
        "HOME": folder.url.path, "LC_ALL": "C.UTF-8",
      ]
    )
  }

  /// What is typed, and the arguments it runs with in the end.
  static let typed: [(line: String, ran: [String])] = [
    ("ru<TAB>", ["run"]),
    ("run --device Li<TAB>", ["run", "--device", "Living Room TV"]),
    ("run --device Living\\ R<TAB>", ["run", "--device", "Living Room TV"]),
    ("run --device 'Liv<TAB>", ["run", "--device", "Living Room TV"]),
    ("run --device=Kit<TAB>", ["run", "--device=Kitchen"]),
    ("run --device Bob<TAB>", ["run", "--device", names[2]]),
    ("run --device 'Bob<TAB>", ["run", "--device", names[2]]),
    ("run --device \"Bob<TAB>", ["run", "--device", names[2]]),
    ("run --device Ü<TAB>", ["run", "--device", names[3]]),
    ("run --device TV<TAB>", ["run", "--device", names[4]]),
    ("check --form<TAB> sa<TAB>", ["check", "--format", "sarif"]),
    ("check a<TAB>", ["check", "ads.yaml"]),
    ("check 'with 'sp<TAB>", ["check", "with space.yml"]),
    ("check \"with \"sp<TAB>", ["check", "with space.yml"]),
    ("check --strict wi<TAB>", ["check", "--strict", "with space.yml"]),
    ("run --device \"Say<TAB>", ["run", "--device", names[5]]),
    ("run --device 'Say<TAB>", ["run", "--device", names[5]]),
    ("run --device Mom<TAB>", ["run", "--device", names[6]]),
    ("run --device 'Mom<TAB>", ["run", "--device", names[6]]),
    ("run --report ju<TAB>x", ["run", "--report", "junit=x"]),
    ("run --report json=no<TAB>", ["run", "--report", "json=notes.txt"]),
    ("help si<TAB>", ["help", "simulate"]),
  ]

  @Test(
    "A line typed in a real shell is completed, and quoted so that it runs with what was meant",
    arguments: ["bash", "zsh", "fish"])
  func shells(shell: String) async throws {
    let (folder, environment) = try Self.prepare()
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/shell.py").path
    let running = try Running(
      URL(filePath: "/usr/bin/python3"), [script, shell], environment: environment, in: folder.url, limit: 180)
    running.send(Self.typed.map { "showcaller \($0.line)\n" }.joined())
    running.closeInput()
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let answers = try finished.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(answers.count == Self.typed.count, "\(finished.output)")
    for (answer, typed) in zip(answers, Self.typed) {
      #expect(answer["ran"]?.string == typed.ran.map { "{\($0)}" }.joined(), "\(shell): \(typed.line): \(answer)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("pwned")))
  }

  /// What fish would be offered for the last of these words.
  private func offered(_ words: String..., environment: [String: String]? = nil) async throws -> [String] {
    let prepared = try Self.prepare()
    let finished = try await Showcaller.start(
      ["---complete", "fish", "showcaller"] + words, environment: environment ?? prepared.environment,
      in: prepared.folder.url
    ).finish()
    #expect(finished.exitCode == 0 && finished.errors.isEmpty)
    return finished.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
  }

  @Test("Commands, options that are not there yet, values, files and devices are offered where they can stand")
  func places() async throws {
    #expect(try await offered("").contains("check"))
    #expect(try await !offered("").contains("---complete"))
    #expect(try await offered("ch") == ["check"])
    #expect(try await offered("run", "--virtual", "--vir") == [])
    #expect(try await offered("check", "--set", "a=1", "--set") == ["--set"])
    #expect(try await offered("check", "--format", "") == ["human", "json", "sarif", "github", "gcc"])
    #expect(try await offered("check", "--format=s") == ["--format=sarif"])
    #expect(try await offered("check", "") == ["ads.yaml", "cache/", "sub/", "with space.yml"])
    #expect(try await offered("check", "ads.yaml", "s") == ["sub/"])
    #expect(try await offered("check", "no") == [])
    #expect(try await offered("run", "--runs", "") == ["cache/", "sub/"])
    #expect(try await offered("run", "--device", "") == Self.names)
    #expect(try await offered("watch", "") == Self.names)
    #expect(try await offered("record", "") == Self.names)
    #expect(try await offered("run", "--host", "192").first == "192.0.2.14")
    #expect(
      try await offered("run", "--report", "") == [
        "json=", "junit=", "html=", "tap=", "ctrf=", "github=", "markdown=", "trace=", "otlp=", "console=",
      ])
    #expect(try await offered("run", "--seed", "") == [])
    #expect(try await offered("explain", "K10").prefix(3) == ["K101", "K102", "K103"])
    #expect(try await offered("explain", "playl").contains("playlist"))
    #expect(try await offered("check", "--", "--") == [])
    #expect(try await offered("mute", "") == ["on", "off", "toggle"])
    #expect(try await offered("seek", "e") == ["end"])
    #expect(try await offered("seek", "--then", "p") == ["play", "pause"])
    #expect(try await offered("volume", "u") == ["up"])
    #expect(try await offered("tracks", "") == ["off"])
    #expect(try await offered("style", "back") == ["background="])
    #expect(try await offered("queue", "repeat", "") == ["off", "all", "one", "shuffle"])
    #expect(try await offered("run", "matrix.doc", "--row", "") == ["lang=en", "lang=no"])
    #expect(try await offered("run", "matrix.doc", "--set", "") == ["speed="])
    #expect(try await offered("run", "nowhere.yaml", "--row", "") == [])
    #expect(try await offered("run", "matrix.doc", "--tag", "s") == ["slow", "smoke"])
    #expect(try await offered("run", "matrix.doc", "--only", "") == ["matrix"])
    #expect(try await offered("run", "nowhere.yaml", "--tag", "") == [])
    #expect(try await offered("nonsense", "") == ["--version", "-h", "--help"])
    #expect(try await offered("check", "/proc/nothing/here/") == [])
  }

  @Test(
    "A damaged, foreign or missing cache offers nothing and says nothing",
    arguments: [
      "", "{", "[]", "{\"v\":2,\"devices\":[{\"name\":\"x\",\"host\":\"y\"}]}", "{\"v\":1,\"devices\":7}",
      "{\"v\":1,\"devices\":[1,{\"name\":\"\",\"host\":\"y\"},{\"name\":\"x\"}]}",
      String(repeating: "[", count: 300_000),
    ])
  func damage(text: String) async throws {
    let (folder, environment) = try Self.prepare()
    _ = try folder.write("cache/showcaller/devices.json", text)
    #expect(try await offered("run", "--device", "", environment: environment) == [])
    try FileManager.default.removeItem(atPath: folder.path("cache/showcaller/devices.json"))
    #expect(mkfifo(folder.path("cache/showcaller/devices.json"), 0o600) == 0)
    #expect(try await offered("run", "--device", "", environment: environment) == [])
  }

  @Test(
    "Nonsense of a script is answered with nothing and 0",
    arguments: [[], ["tcsh", "showcaller", ""], ["bash"], ["bash", "x"], ["zsh"], ["fish"]])
  func nonsense(arguments: [String]) async throws {
    let finished = try await Showcaller.start(["---complete"] + arguments).finish()
    #expect(finished.exitCode == 0 && finished.output.isEmpty && finished.errors.isEmpty)
  }

  @Test(
    "The argument parser's own option gives the same scripts, which expand nothing", arguments: ["bash", "zsh", "fish"])
  func scripts(shell: String) async throws {
    let ours = try await Showcaller.run("completions", shell)
    #expect(ours.exitCode == 0 && ours.output.contains("---complete \(shell)"))
    #expect(!ours.output.contains("compgen -W") && !ours.output.contains("eval '"))
    for arguments in [["--generate-completion-script", shell], ["--generate-completion-script=\(shell)"]] {
      #expect(try await Showcaller.start(arguments).finish().output == ours.output)
    }
    let current = try await Showcaller.run("--generate-completion-script", environment: ["SHELL": "/bin/\(shell)"])
    #expect(current.output == ours.output)
  }

  @Test("A shell we do not know is a wrong command line, with those we do")
  func unknownShell() async throws {
    let finished = try await Showcaller.run("completions", "tcsh")
    #expect(finished.exitCode == 2 && finished.errors.contains("there are bash, zsh and fish"), "\(finished.errors)")
  }
}
