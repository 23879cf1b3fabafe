import CastProtocol
import Foundation
import TestSupport
import Testing

/// Secrets from every source, through every command.
@Suite struct SecretsTests {
  private static let value = "p@ss/w0rd+canary"
  private static let forms = [value, "p%40ss%2Fw0rd%2Bcanary", "cEBzcy93MHJkK2NhbmFye"]

  private static func document(_ source: String) -> String {
    """
    scenario: Secret
    device: Living Room TV
    secrets: { token: \(source) }
    steps:
      - load: { media: "https://cdn.example.com/a.mp4?t=${secret.token}", credentials: "${secret.token}" }
      - log: with ${secret.token}
      - expect: { content: "https://cdn.example.com/a.mp4?t=${secret.token}" }
      - expect: { title: nothing }
        within: 1s

    """
  }

  /// All that lies in a folder, as one text.
  private static func contents(of folder: URL) throws -> String {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try paths.sorted().map { path in
      let url = folder.appending(path: path)
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      return isFolder.boolValue ? path : "\(path)\n" + String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }.joined(separator: "\n")
  }

  @Test("A run leaves the value nowhere: not on the terminal, not in reports, not in what it leaves behind")
  func nowhere() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("secret.yaml", Self.document("{ env: CANARY }"))
    let finished = try await Showcaller.start(
      [
        "run", "--virtual", "--wire", "-v", "--runs", folder.path("runs"), "--report",
        "junit=\(folder.path("junit.xml"))", "--report", "json=\(folder.path("events.jsonl"))", "--report",
        "console=\(folder.path("console.txt"))", file,
      ], environment: ["CANARY": Self.value]
    ).finish()
    #expect(finished.exitCode == 1, "\(finished.errors)")
    let all = finished.output + finished.errors + (try Self.contents(of: folder.url))
    #expect(all.contains("‹secret.token›") && all.contains("\"credentials\":\"‹secret.token›\""))
    for form in Self.forms { #expect(!all.contains(form)) }
    for command in [
      ["plan", file], ["plan", "--json", file], ["simulate", file], ["inputs", file], ["check", file],
    ] {
      let said = try await Showcaller.start(command, environment: ["CANARY": Self.value]).finish()
      for form in Self.forms { #expect(!(said.output + said.errors).contains(form), "\(command)") }
    }
  }

  @Test(
    "A value with quotes, line breaks and the marks of other formats is hidden in each of them",
    arguments: [
      "qu\"ote<d>&'s \\ cänary", "first-line-canary\nsecond-line-canary", "${secret.token}-‹secret.token›-canary",
      "]]>-->%s%n\u{1B}[31m-canary",
    ])
  func marks(value: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("secret.yaml", Self.document("{ env: CANARY }"))
    for level in [["-v", "--wire"], [], ["-q"]] {
      let finished = try await Showcaller.start(
        ["run", "--virtual", "--runs", folder.path("runs"), "--report", "junit=\(folder.path("junit.xml"))"]
          + ["--report", "json=\(folder.path("events.jsonl"))", "--report", "console=\(folder.path("console.txt"))"]
          + level + [file], environment: ["CANARY": value]
      ).finish()
      #expect(finished.exitCode == 1, "\(finished.errors)")
      let all = finished.output + finished.errors + (try Self.contents(of: folder.url))
      #expect(!all.contains("canary") && !all.contains("cänary") && !all.contains("first-line"), "\(all)")
    }
  }

  @Test("A device that repeats a secret in its refusal does not give it away, however long the rest is")
  func repeated() async throws {
    let device = try await ScriptedDevice.start(
      ScriptedDevice.wellBehaved { message, peer in
        guard message.type == "LOAD" else { return false }
        let content = message.json["media"]?["contentId"]?.string ?? ""
        let words = String(repeating: "cannot load what was asked for, ", count: 3)
        let error: JSONValue = [
          "type": "LOAD_FAILED", "requestId": message.requestID, "reason": .string("\(words)\(content)"),
          "customData": ["said": .string("\(content)!")],
        ]
        peer.send(error, in: .media, from: ScriptedDevice.transportID, to: message.source)
        return true
      })
    let folder = try TemporaryFolder()
    let file = try folder.write("secret.yaml", Self.document("{ env: CANARY }"))
    let finished = try await Showcaller.start(
      [
        "run", "--host", device.address, "--wire", "-v", "--runs", folder.path("runs"), "--report",
        "junit=\(folder.path("junit.xml"))", file,
      ], environment: ["CANARY": Self.value]
    ).finish()
    #expect(finished.exitCode == 5, "\(finished.errors)")
    let all = finished.output + finished.errors + (try Self.contents(of: folder.url))
    #expect(all.contains("asked for,…") && all.contains("?t=‹secret.token›!"), "\(all)")
    #expect(!all.contains(Self.value.prefix(9)))
    await device.stop()
  }

  @Test("The value comes from the environment, a file, a program or the command line")
  func sources() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("key", Self.value + "\n")
    let cases: [(source: String, arguments: [String], input: String?)] = [
      ("{ file: key }", [], nil), ("{ file: \(folder.path("key")) }", [], nil),
      ("{ command: [cat, \(folder.path("key"))] }", ["--allow-exec"], nil),
      ("{ env: NOWHERE }", ["--secret", "token=@\(folder.path("key"))"], nil),
      ("{ env: NOWHERE }", ["--secret", "token=@-"], Self.value + "\n"),
    ]
    for example in cases {
      let file = try folder.write("secret.yaml", Self.document(example.source))
      let running = try Showcaller.start(
        ["run", "--virtual", "--runs", folder.path("runs"), file] + example.arguments)
      if let input = example.input { running.send(input) }
      running.closeInput()
      let finished = try await running.finish()
      #expect(finished.exitCode == 1, "\(example.source) \(finished.errors)")
      #expect(!finished.errors.contains(Self.value))
    }
  }

  static let withoutValue: [(source: String, arguments: [String], exitCode: Int32, says: String)] = [
    ("{ file: nowhere }", [], 3, "file `nowhere` is not there"),
    ("{ file: folder }", [], 3, "`folder` is a folder, not a file"),
    ("{ file: empty }", [], 3, "file `empty` is empty"),
    ("{ file: /dev/zero }", [], 3, "`/dev/zero` is a device, not a file"),
    ("{ file: pipe }", [], 3, "`pipe` is a pipe, not a file"),
    ("{ file: binary }", [], 3, "it is not UTF-8 text"),
    ("{ env: SURELY_NOT_SET }", [], 3, "environment variable SURELY_NOT_SET is not set"),
    ("{ command: [cat, key] }", [], 3, "programs need `--allow-exec`"),
    ("{ command: [surely-no-such-program] }", ["--allow-exec"], 3, "could not be started"),
    ("{ command: [\"false\"] }", ["--allow-exec"], 3, "ended with exit code 1"),
    ("{ command: [\"true\"] }", ["--allow-exec"], 3, "wrote nothing"),
    ("{ command: [cat, /dev/zero] }", ["--allow-exec"], 3, "wrote more than 64 KiB"),
    ("{ env: A }", ["--secret", "token"], 2, "`--secret` needs a name and a file"),
    ("{ env: A }", ["--secret", "token=hunter2hunter2"], 2, "takes a file, not the secret itself"),
    ("{ env: A }", ["--secret", "token=@/proc/nonexistent"], 3, "there is no such file"),
    ("{ env: A }", ["--secret", "tokn=@key"], 3, "did you mean `token`?"),
    ("{ env: A }", ["--no-secrets"], 2, "a run needs the secrets of its document"),
  ]
  @Test("A secret without a value ends a run before it begins, with the reason", arguments: withoutValue)
  func missing(_ example: (source: String, arguments: [String], exitCode: Int32, says: String)) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("empty", "")
    _ = try folder.write("key", Self.value)
    try Data([0xFF, 0xFE, 0x41]).write(to: folder.url.appending(path: "binary"))
    try FileManager.default.createDirectory(at: folder.url.appending(path: "folder"), withIntermediateDirectories: true)
    _ = mkfifo(folder.path("pipe"), 0o600)
    let file = try folder.write("secret.yaml", Self.document(example.source))
    let finished = try await Showcaller.start(
      ["run", "--virtual", "--runs", folder.path("runs"), file] + example.arguments, in: folder.url
    ).finish()
    #expect(finished.exitCode == example.exitCode, "\(finished.errors)")
    #expect(finished.errors.contains(example.says), "\(finished.errors)")
    #expect(!finished.errors.contains("hunter2"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("runs")))
  }

  @Test("check never runs a program, and --no-secrets checks everything else")
  func check() async throws {
    let folder = try TemporaryFolder()
    let witness = folder.path("witness")
    let file = try folder.write("secret.yaml", Self.document("{ command: [touch, \(witness)] }"))
    for command in [["check"], ["plan"], ["simulate"], ["inputs"]] {
      _ = try await Showcaller.start(command + [file]).finish()
    }
    #expect(!FileManager.default.fileExists(atPath: witness))
    let other = try folder.write("other.yaml", Self.document("{ env: SURELY_NOT_SET }"))
    #expect(try await Showcaller.start(["check", other]).finish().exitCode == 3)
    #expect(try await Showcaller.start(["check", "--no-secrets", other]).finish().exitCode == 0)
    #expect(try await Showcaller.start(["simulate", "--no-secrets", other]).finish().exitCode == 1)
  }

  @Test("inputs lists what a document and its libraries want, also where it has mistakes")
  func inputs() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "brand.yaml",
      """
      library: Brand
      vars: { cdn: https://cdn.example.com }
      secrets: { key: { file: nowhere } }
      """)
    let file = try folder.write(
      "lobby.yaml",
      """
      scenario: Lobby
      device: TV
      include: [{ file: brand.yaml, as: brand }]
      vars:
        speed: { type: number, default: 1.5, min: 0.5, max: 2, env: SPEED }
        profile: { choices: [vod, live], description: Which stream }
        list: [a, b]
      secrets: { token: { env: CANARY }, ticket: { saved: true }, login: { command: [pass, show] } }
      steps: [{ laod: "${nowhere}" }]
      """)
    let listed = try await Showcaller.start(
      ["inputs", "lobby.yaml"], environment: ["CANARY": Self.value], in: folder.url
    )
    .finish()
    #expect(listed.exitCode == 0, "\(listed.errors)")
    let expected = """
      variables, set with --set name=value or --vars FILE:
        brand.cdn  any     default https://cdn.example.com   (brand.yaml:2)
        speed      number  default 1.5, 0.5 to 2, env SPEED
        profile    text    required, one of vod, live        Which stream
        list       any     default [a, b]

      secrets, set with --secret name=@file:
        token      env CANARY         there
        ticket     saved by a step
        login      command pass show  run by `run --allow-exec`
        brand.key  file nowhere       missing                    (brand.yaml:3)

      """
    #expect(listed.output == expected, "\(listed.output)")
    let json = try await Showcaller.start(["inputs", "--json", file], environment: ["CANARY": Self.value]).finish()
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let variables = try #require(object["variables"] as? [[String: Any]])
    #expect(variables.compactMap { $0["name"] as? String } == ["brand.cdn", "speed", "profile", "list"])
    #expect(variables.compactMap { $0["required"] as? Bool } == [false, false, true, false])
    let secrets = try #require(object["secrets"] as? [[String: Any]])
    #expect(secrets.map { $0["there"] as? Bool } == [true, nil, nil, false])
    #expect(!json.output.contains(Self.value))
    let broken = try await Showcaller.run("inputs", "-", input: "a: [")
    #expect(broken.exitCode == 3)
  }
}
