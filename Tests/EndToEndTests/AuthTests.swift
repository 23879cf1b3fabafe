import CastProtocol
import Foundation
import Testing

/// Device authentication as a user meets it, against virtual receivers over real TLS.
@Suite(.serialized) struct AuthTests {
  /// A receiver with credentials, its address, and the file with its root.
  private static func receiver(
    in folder: TemporaryFolder
  ) async throws -> (running: Running, address: String, root: String) {
    let root = folder.path("root.pem")
    let running = try Showcaller.start(["receive", "--port", "0", "--name", "Lobby TV", "--write-auth-root", root])
    let address = try #require(try await running.firstLine().split(separator: " ").last.map(String.init))
    return (running, address, root)
  }

  @Test("auth shows chain, verdict and what ends when: 0 where it is verified, 4 where it is not")
  func command() async throws {
    let folder = try TemporaryFolder()
    let (running, address, root) = try await Self.receiver(in: folder)
    let verified = try await Showcaller.run("auth", "--host", address, "--auth-root", root)
    #expect(verified.exitCode == 0, "\(verified.output)\(verified.errors)")
    for text in [
      "verdict      verified", "0 Lobby TV", "1 Showcaller (virtual) Root CA (root)", "first to end", "SHA-256",
    ] {
      #expect(verified.output.contains(text), "\(verified.output)")
    }
    let untrusted = try await Showcaller.run("auth", address)
    #expect(untrusted.exitCode == 4 && untrusted.output.contains("untrusted"), "\(untrusted.output)\(untrusted.errors)")
    #expect(untrusted.output.contains("(auth.chain.untrusted)") && untrusted.output.contains("issued by Showcaller"))

    let json = try await Showcaller.run("auth", "--host", address, "--auth-root", root, "--json")
    let object = try JSONValue(parsing: Array(json.output.utf8))
    #expect(object["verdict"] == "verified" && object["problems"] == [] && object["hash"] == "sha256")
    #expect(object["chain"]?.array?.count == 2 && object["chain"]?.array?.last?["root"] == true)
    #expect(
      object["revocation"]?["device"] == "absent" && object["firstToEnd"] == object["chain"]?.array?.first?["notAfter"])

    let strict = try await Showcaller.run("auth", "--host", address, "--auth-root", root, "--require-crl")
    #expect(strict.exitCode == 4 && strict.output.contains("no-revocation-list"))
    running.signal(SIGTERM)
    #expect(try await running.finish().exitCode == 0)
  }

  @Test("A run that requires proof passes with the root of the receiver, and sends nothing without it: 4")
  func run() async throws {
    let folder = try TemporaryFolder()
    let (running, address, root) = try await Self.receiver(in: folder)
    let document = try folder.write(
      "d.yaml",
      "scenario: x\ndevice: Lobby TV\ninventory: { tv: { name: Lobby TV, auth: require } }\n"
        + "steps: [{ expect: { app: none } }]\n")
    let report = folder.path("events.jsonl")
    let cases: [(more: [String], exitCode: Int32, verdict: String?)] = [
      (["--auth-root", root], 0, "verified"), ([], 4, nil), (["--auth", "report"], 0, "untrusted"),
      (["--auth", "none"], 0, "unchecked"),
    ]
    for (more, exitCode, verdict) in cases {
      let finished = try await Showcaller.start(
        ["run", "--host", address, "--wire", "--runs", folder.path("runs"), "--report", "json=\(report)", document]
          + more
      ).finish()
      let events = try EventStream.read(report)
      #expect(finished.exitCode == exitCode, "\(more) \(finished.errors)")
      let connected = events.first { $0["type"] == "device.connected" }
      // Nothing waits for a proof that only informs: it may come after the connection is open.
      if connected?["auth"] != nil || more != ["--auth", "report"] {
        #expect(connected?["auth"] == verdict.map { .string($0) }, "\(more)")
      }
      try EventStream.check(events, exitCode: Int(exitCode))
      if verdict == nil {
        #expect(events.contains { $0["type"] == "diagnostic" && $0["code"] == "R704" && $0["severity"] == "error" })
        #expect(finished.errors.contains("auth.chain.untrusted"))
        let sent = events.filter { $0["type"] == "request" }
        #expect(sent.map { $0["ns"] } == ["deviceauth"])
      }
    }
    running.signal(SIGTERM)
    _ = try await running.finish()
  }

  @Test("Every receiver of one call proves itself by the file that the call writes, and so do all of run --virtual")
  func several() async throws {
    let folder = try TemporaryFolder()
    let root = folder.path("root.pem")
    let names = ["Left TV", "Right TV", "Hall TV"]
    let running = try Showcaller.start(
      ["receive", "--port", "0", "--write-auth-root", root] + names.flatMap { ["--name", $0] })
    let lines = try await running.lines(names.count)
    for (name, line) in zip(names, lines) {
      #expect(line.hasPrefix(name))
      let address = try #require(line.split(separator: " ").last.map(String.init))
      let verified = try await Showcaller.run("auth", "--host", address, "--auth-root", root)
      #expect(verified.exitCode == 0 && verified.output.contains("0 \(name)"), "\(verified.output)\(verified.errors)")
    }
    running.signal(SIGTERM)
    _ = try await running.finish()

    let document = try folder.write(
      "two.yaml",
      "scenario: Two\nroles: { left: Left TV, right: Right TV }\nsteps:\n"
        + "  - parallel:\n"
        + "      - { role: left, steps: [{ expect: { app: none } }] }\n"
        + "      - { role: right, steps: [{ expect: { app: none } }] }\n")
    let report = folder.path("events.jsonl")
    let finished = try await Showcaller.start(
      [
        "run", "--virtual", "--auth", "require", "--runs", folder.path("runs"), "--report", "json=\(report)", document,
      ]
    ).finish()
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    let verdicts = try EventStream.read(report).filter { $0["type"] == "device.connected" }.map { $0["auth"] }
    #expect(verdicts == ["verified", "verified"])
  }

  @Test("run --virtual proves what a document requires; without a demand there are no credentials")
  func virtual() async throws {
    let folder = try TemporaryFolder()
    for (auth, verdict) in [("require", "verified"), ("report", "no-proof"), ("none", "unchecked")] {
      let document = try folder.write(
        "d.yaml", "scenario: x\ndevice: TV\nsteps: [{ connect: { auth: \(auth) } }, { expect: { app: none } }]\n")
      let report = folder.path("events.jsonl")
      let finished = try await Showcaller.start(
        ["run", "--virtual", "--runs", folder.path("runs"), "--report", "json=\(report)", document]
          + (auth == "none" ? ["--auth", "none"] : [])
      ).finish()
      #expect(finished.exitCode == 0, "\(finished.errors)")
      let connected = try EventStream.read(report).last { $0["type"] == "device.connected" }
      #expect(connected?["auth"] == .string(verdict))
    }
  }

  @Test("pin keeps the first key: the same passes, another one is class auth, 4, until the command it names forgets it")
  func pin() async throws {
    let folder = try TemporaryFolder()
    let surroundings = ["XDG_STATE_HOME": folder.path("state")]
    let (first, address, root) = try await Self.receiver(in: folder)
    let port = try #require(address.split(separator: ":").last.map(String.init))
    let otherRoot = folder.path("other.pem")
    let document = try folder.write(
      "d.yaml",
      "scenario: x\ndevice: Lobby TV\ninventory: { tv: { name: Lobby TV, auth: pin } }\n"
        + "steps: [{ expect: { app: none } }]\n")
    let report = folder.path("events.jsonl")
    func trusting(_ words: String...) async throws -> Finished {
      let roots = [root, otherRoot].filter(FileManager.default.fileExists).flatMap { ["--auth-root", $0] }
      return try await Showcaller.start(words + roots, environment: surroundings).finish()
    }
    func run() async throws -> Finished {
      try await trusting(
        "run", "--host", address, "--wire", "--runs", folder.path("runs"), "--report", "json=\(report)", document)
    }

    let seen = try await trusting("status", "--host", address, "--auth", "pin")
    #expect(seen.exitCode == 0 && seen.errors.contains("is known from now on by the key"), "\(seen.errors)")
    let again = try await trusting("status", "--host", address, "--auth", "pin")
    #expect(again.exitCode == 0 && !again.errors.contains("key"), "\(again.errors)")
    #expect(try await run().exitCode == 0)
    let shown = try await trusting("auth", "--host", address)
    #expect(shown.exitCode == 0 && shown.output.contains("kept key     the same, since "), "\(shown.output)")
    first.signal(SIGTERM)
    _ = try await first.finish()

    // Another device of the same name at the same address, of which somebody vouches just as well.
    let other = try Showcaller.start(
      ["receive", "--port", port, "--name", "Lobby TV", "--write-auth-root", otherRoot])
    _ = try await other.firstLine()
    let changed = try await trusting("status", "--host", address, "--auth", "pin", "--json")
    #expect(changed.exitCode == 4 && changed.output.contains("auth.key.changed"), "\(changed.output)\(changed.errors)")
    #expect(changed.output.contains("is kept since 20"), "\(changed.output)")
    let refused = try await run()
    #expect(refused.exitCode == 4, "\(refused.errors)")
    let events = try EventStream.read(report)
    #expect(events.compactMap { $0["error"]?["class"]?.string }.last == "auth")
    #expect(events.filter { $0["type"] == "request" }.map { $0["ns"] } == ["deviceauth"])
    let told = try await trusting("auth", "--host", address)
    #expect(told.exitCode == 4 && told.output.contains("verdict      other-key"), "\(told.output)")
    #expect(told.output.contains("kept key     another one, since "), "\(told.output)")
    // Who asks for less is not kept from it.
    #expect(try await trusting("status", "--host", address, "--auth", "require").exitCode == 0)

    let cure = try #require(told.output.split(separator: "`").first { $0.hasPrefix("showcaller auth") })
    let words = cure.split(separator: " ").dropFirst().map(String.init)
    #expect(words.last == "--forget")
    let forgot = try await Showcaller.start(words, environment: surroundings).finish()
    #expect(forgot.exitCode == 0 && forgot.output.hasPrefix("forgot the key of 127.0.0.1:\(port)"), "\(forgot.errors)")
    #expect(try await run().exitCode == 0)
    #expect(try await trusting("status", "--host", address, "--auth", "pin").exitCode == 0)
    let byName = try await Showcaller.start(["auth", "Lobby TV", "--forget"], environment: surroundings).finish()
    #expect(byName.exitCode == 0, "\(byName.errors)")
    let nothing = try await Showcaller.start(words, environment: surroundings).finish()
    #expect(nothing.exitCode == 4 && nothing.errors.contains("no key of that device is kept"), "\(nothing.errors)")
    other.signal(SIGTERM)
    _ = try await other.finish()
  }

  @Test("pin that cannot keep a key says so, also to quiet ears, in the events and in JUnit")
  func unpinned() async throws {
    let folder = try TemporaryFolder()
    let (running, address, root) = try await Self.receiver(in: folder)
    let file = try folder.write("d.yaml", "scenario: x\ndevice: Lobby TV\nsteps: [{ expect: { app: none } }]\n")
    let finished = try await Showcaller.start(
      [
        "run", "-q", "--host", address, "--auth", "pin", "--auth-root", root, "--runs", folder.path("runs"), "--report",
        "junit=\(folder.path("junit.xml"))", "--report", "json=\(folder.path("events.jsonl"))", file,
      ], environment: ["XDG_STATE_HOME": "/dev/null"]
    ).finish()
    // The proof held: it is a device that somebody vouches for (docs/security.md 1.6).
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let text = "the key of Lobby TV is compared within this run only: "
    #expect(finished.errors.contains("warning: \(text)"), "\(finished.errors)")
    let events = try EventStream.read(folder.path("events.jsonl"))
    #expect(events.contains { $0["unpinned"] == true && $0["code"] == "R704" })
    let junit = try String(contentsOfFile: folder.path("junit.xml"), encoding: .utf8)
    #expect(junit.contains("<property name=\"auth.unpinned\" value=\"\(text)"), "\(junit)")
    running.signal(SIGTERM)
    #expect(try await running.finish().exitCode == 0)
  }

  @Test("A damaged file of a kept key is warned of, its key is no proof, and it stays as it is")
  func damagedPin() async throws {
    let folder = try TemporaryFolder()
    let surroundings = ["XDG_STATE_HOME": folder.path("state")]
    let (running, address, root) = try await Self.receiver(in: folder)
    func status() async throws -> Finished {
      try await Showcaller.start(
        ["status", "--host", address, "--auth", "pin", "--auth-root", root], environment: surroundings
      ).finish()
    }
    #expect(try await status().exitCode == 0)
    let keys = folder.path("state/showcaller/keys")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: keys).first)
    try "{".write(toFile: "\(keys)/\(name)", atomically: false, encoding: .utf8)
    let warned = try await status()
    #expect(warned.exitCode == 0 && warned.errors.contains("compared within this run only"), "\(warned.errors)")
    #expect(warned.errors.contains("\(name) is damaged"), "\(warned.errors)")
    #expect(
      warned.errors.contains("help: once you trust what answers there: `showcaller auth --host \(address) --forget`"))
    // Its name stood in the file.
    let byName = try await Showcaller.start(["auth", "Lobby TV", "--forget"], environment: surroundings).finish()
    #expect(byName.exitCode == 4 && byName.errors.contains("`rm \(keys)/\(name)` forgets it"), "\(byName.errors)")
    #expect(try String(contentsOfFile: "\(keys)/\(name)", encoding: .utf8) == "{")
    running.signal(SIGTERM)
    _ = try await running.finish()
  }

  @Test("What run --virtual and serve --virtual pin lives as long as their devices: nothing is kept")
  func virtualPin() async throws {
    let folder = try TemporaryFolder()
    let document = try folder.write(
      "d.yaml",
      "scenario: x\ndevice: TV\nsteps: [{ disconnect }, { connect: { auth: pin } }, { expect: { app: none } }]\n")
    let report = folder.path("events.jsonl")
    for more in [[], ["--auth", "pin"], ["--auth", "pin"]] {
      let finished = try await Showcaller.start(
        ["run", "--virtual", "--runs", folder.path("runs"), "--report", "json=\(report)", document] + more,
        environment: ["XDG_STATE_HOME": folder.path("state")]
      ).finish()
      #expect(finished.exitCode == 0, "\(finished.errors)")
      let connected = try EventStream.read(report).last { $0["type"] == "device.connected" }
      #expect(connected?["auth"] == "verified")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("state/showcaller/keys")))
  }

  @Test("serve asks what the inventory of a playlist says, or --auth: who does not prove it is sent nothing")
  func serve() async throws {
    let folder = try TemporaryFolder()
    let (running, address, root) = try await Self.receiver(in: folder)
    let playlist = try folder.write(
      "p.yaml",
      "playlist: P\ntimezone: Etc/UTC\ndevice: tv\ninventory: { tv: { name: Lobby TV, auth: require } }\n"
        + "program: [{ play: [{ media: https://example.com/a.png, for: 15s }] }]\n")
    let trusting = ["--auth-root", root]
    let cases: [(more: [String], says: String)] = [
      ([], "auth.chain.untrusted"), (trusting, "  connected"), (["--auth", "none"], "  connected"),
      (trusting + ["--auth", "pin"], "is known from now on by the key"),
    ]
    for (more, says) in cases {
      let serving = try Showcaller.start(
        ["serve", playlist, "--host", address] + more, environment: ["XDG_STATE_HOME": folder.path("state")])
      try await serving.waitFor(says)
      serving.signal(SIGTERM)
      #expect(try await serving.finish().exitCode == 0, "\(more)")
    }
    running.signal(SIGTERM)
    _ = try await running.finish()
  }

  @Test("A step that requires proof fails with class auth where nobody vouches for it: 4")
  func step() async throws {
    let folder = try TemporaryFolder()
    let running = try Showcaller.start(["receive", "--port", "0"])
    let address = try #require(try await running.firstLine().split(separator: " ").last.map(String.init))
    let document = try folder.write(
      "d.yaml", "scenario: x\ndevice: TV\nsteps: [{ connect: { auth: require } }]\n")
    let report = folder.path("events.jsonl")
    let finished = try await Showcaller.start(
      ["run", "--host", address, "--runs", folder.path("runs"), "--report", "json=\(report)", document]
    ).finish()
    #expect(finished.exitCode == 4, "\(finished.errors)")
    let events = try EventStream.read(report)
    #expect(events.compactMap { $0["error"]?["class"]?.string }.last == "auth")
    let auth = try await Showcaller.run("auth", "--host", address)
    #expect(auth.exitCode == 4 && auth.output.contains("untrusted") && auth.output.contains("auth.chain.untrusted"))
    running.signal(SIGTERM)
    _ = try await running.finish()
  }

  @Test("Only a device of which the inventory says `tls: legacy` may use old TLS, and each report warns of it")
  func legacyTLS() async throws {
    let folder = try TemporaryFolder()
    let openssl = URL(filePath: "/usr/bin/openssl")
    guard FileManager.default.isExecutableFile(atPath: openssl.path) else {
      print("SKIPPED: a device of old TLS, because openssl is not installed")
      return
    }
    let pem = folder.path("old.pem")
    let made = try await Running(
      openssl,
      [
        "req", "-x509", "-newkey", "rsa:1024", "-sha1", "-nodes", "-subj", "/CN=old", "-days", "2", "-keyout", pem,
        "-out", pem,
      ], in: folder.url
    ).finish()
    #expect(made.exitCode == 0, "\(made.errors)")
    let old = try Running(
      openssl,
      [
        "s_server", "-accept", "127.0.0.1:0", "-cert", pem, "-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0", "-rev",
      ], in: folder.url)
    try await old.waitFor("ACCEPT 127.0.0.1:")
    let accepting = old.output.split(separator: "\n").first { $0.hasPrefix("ACCEPT 127.0.0.1:") }
    let port = try #require(accepting?.split(separator: ":").last.map(String.init))
    let report = folder.path("events.jsonl")
    for (setting, isLegacy) in [("default", false), ("legacy", true)] {
      let document = try folder.write(
        "d.yaml",
        "scenario: x\ndevice: tv\ninventory: { tv: { host: \"127.0.0.1:\(port)\", tls: \(setting) } }\n"
          + "steps: [{ expect: { app: none } }]\n")
      let finished = try await Showcaller.start(
        ["run", "--runs", folder.path("runs"), "--report", "json=\(report)", document]
      ).finish()
      #expect(finished.exitCode == 4, "\(finished.errors)")
      let events = try EventStream.read(report)
      // Old TLS works then; that it is no Cast device is another matter.
      let errorClass = events.compactMap { $0["error"]?["class"]?.string }.last
      #expect((errorClass == "tls") != isLegacy, "\(finished.errors)")
      #expect(
        events.contains { $0["code"] == "R713" && $0["severity"] == "warning" } == isLegacy, "\(finished.errors)")
    }
    old.signal(SIGTERM)
    _ = try await old.finish()
  }

  static let wrong: [(arguments: [String], exitCode: Int32, says: String)] = [
    (["auth"], 2, "no device is named"),
    (["auth", "TV", "--host", "127.0.0.1"], 2, "name the device once"),
    (["auth", "--host", "127.0.0.1:1"], 4, "127.0.0.1:1"),
    (["auth", "--host", "127.0.0.1:1", "--auth-root", "README.md"], 2, "it holds no certificate in PEM form"),
    (["auth", "--host", "127.0.0.1:1", "--auth-root", "nope.pem"], 2, "cannot read nope.pem"),
    (["auth", "--host", "127.0.0.1:1", "--accept-expired-intermediate", "ab"], 2, "64 hexadecimal digits"),
    (["run", "--virtual", "--auth", "maybe", "examples/hello.yaml"], 2, "--auth"),
    (["receive", "--port", "0", "--write-auth-root", "/proc/nope/root.pem"], 8, "cannot write /proc/nope/root.pem"),
  ]
  @Test("A wrong word on the command line is told in a sentence", arguments: wrong)
  func wrongWay(arguments: [String], exitCode: Int32, says: String) async throws {
    let folder = try TemporaryFolder()
    let finished = try await Showcaller.start(
      arguments, environment: ["XDG_CONFIG_HOME": folder.path("config"), "XDG_CACHE_HOME": folder.path("cache")]
    ).finish()
    #expect(finished.exitCode == exitCode, "\(finished.output)\(finished.errors)")
    #expect((finished.output + finished.errors).contains(says), "\(finished.output)\(finished.errors)")
  }
}
