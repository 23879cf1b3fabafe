import CastProtocol
import Foundation
import Testing

/// `config`, the settings file and the hosts file beside it.
@Suite struct ConfigTests {
  /// A home of its own with these files of settings.
  private static func prepare(settings: String? = nil, hosts: String? = nil) throws -> (
    TemporaryFolder, [String: String]
  ) {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("config/showcaller"), withIntermediateDirectories: true)
    if let settings { _ = try folder.write("config/showcaller/config.yaml", settings) }
    if let hosts { _ = try folder.write("config/showcaller/hosts", hosts) }
    let environment = [
      "XDG_CONFIG_HOME": folder.path("config"), "XDG_CACHE_HOME": folder.path("cache"),
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/proc/nonexistent/bus",
    ]
    return (folder, environment)
  }

  private static let settings = """
    device: kitchen
    aliases:
      kitchen: Kitchen speaker
      window: { host: 192.0.2.14 }
    timeout: { discover: 3s }
    auth: none

    """

  @Test("Each setting is shown with where it comes from: flag, environment, file and line, or built in")
  func origins() async throws {
    let (folder, environment) = try Self.prepare(settings: Self.settings, hosts: "192.0.2.7 Lobby\n")
    let plain = try await Showcaller.start(["config"], environment: environment).finish()
    #expect(plain.exitCode == 0 && plain.errors.isEmpty, "\(plain.errors)")
    let path = folder.path("config/showcaller/config.yaml")
    let rows = plain.output.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
    func row(_ name: String) -> String? { rows.first { $0.first.map(String.init) == name }?.joined(separator: " ") }
    #expect(row("device") == "device Kitchen speaker \(path):1")
    #expect(row("aliases.window") == "aliases.window host 192.0.2.14:8009 \(path):4")
    #expect(row("timeout.discover") == "timeout.discover 3s \(path):5")
    #expect(row("timeout.load") == "timeout.load 30s built in")
    #expect(row("auth") == "auth none \(path):6")
    #expect(plain.output.hasSuffix("\(folder.path("config/showcaller/hosts")), 1 device\n"))

    let variable = environment.merging(["SHOWCALLER_DEVICE": "window"]) { $1 }
    let fromEnvironment = try await Showcaller.start(["config"], environment: variable).finish()
    #expect(fromEnvironment.output.contains("host 192.0.2.14:8009  environment SHOWCALLER_DEVICE\n"))
    let flag = try await Showcaller.start(
      ["config", "-d", "8e2d1c0a7b1f4c399a550c1d2e3f4a5b", "--json"], environment: variable
    )
    .finish()
    let json = try JSONValue(parsing: Array(flag.output.utf8))
    let device = try #require(json["settings"]?.array?.first)
    #expect(device["name"] == "device" && device["from"] == "flag" && device["flag"] == "--device")
    #expect(device["value"]?["id"] == "8e2d1c0a7b1f4c399a550c1d2e3f4a5b")
    #expect(json["hosts"]?.array?.first?["address"] == "192.0.2.7:8009")
    let discover = json["settings"]?.array?.first { $0["name"] == "timeout.discover" }
    #expect(discover?["value"] == 3 && discover?["from"] == "file" && discover?["line"] == 5)
  }

  @Test("Without files everything is built in")
  func nothing() async throws {
    let (folder, environment) = try Self.prepare()
    let finished = try await Showcaller.start(["config"], environment: environment).finish()
    #expect(finished.exitCode == 0 && finished.errors.isEmpty)
    #expect(finished.output.contains("\(folder.path("config/showcaller/config.yaml")) (not there)"))
    let homeless = try await Showcaller.start(["config"], environment: ["XDG_CONFIG_HOME": "", "HOME": ""]).finish()
    #expect(homeless.exitCode == 0 && homeless.output.contains("none: HOME is not set"))
  }

  @Test("A mistake in the settings file is told as in a document, 3; in the hosts file it is a warning")
  func mistakes() async throws {
    let (folder, environment) = try Self.prepare(settings: "devcie: TV\n", hosts: "192.0.2.7:0 Lobby\n192.0.2.8 Bar\n")
    let wrong = try await Showcaller.start(["config"], environment: environment).finish()
    #expect(wrong.exitCode == 3 && wrong.output.isEmpty)
    #expect(wrong.errors.contains("error[K101]: unknown key `devcie` in the settings"))
    #expect(wrong.errors.contains("config.yaml:1:1") && wrong.errors.contains("did you mean `device`?"))
    #expect(wrong.errors.contains("`showcaller explain config`"))
    #expect(try await Showcaller.run("explain", "config").output.contains("aliases"))

    try FileManager.default.removeItem(atPath: folder.path("config/showcaller/config.yaml"))
    let hosts = try await Showcaller.start(["config"], environment: environment).finish()
    #expect(hosts.exitCode == 0 && hosts.output.contains("hosts, 1 device\n"))
    #expect(hosts.errors.contains("warning[T222]: `192.0.2.7:0` is not an address"))
  }

  @Test("A mistake in the hosts file is told where a device is not found or all are listed, and not by every command")
  func hostsMistake() async throws {
    let lab = try await OneLineLab(name: "Lobby TV")
    let (folder, environment) = try Self.prepare(
      settings: "aliases: { lobby: Lobby TV }\n", hosts: "\(lab.address) Lobby TV\n192.0.2.7:0 Bar\n")
    func errors(_ code: Int32, _ arguments: String...) async throws -> String {
      let finished = try await Showcaller.start(arguments, environment: environment).finish()
      #expect(finished.exitCode == code, "\(arguments) \(finished.errors)")
      return finished.errors
    }
    #expect(try await errors(0, "status", "-d", "Lobby TV").isEmpty)
    #expect(try await errors(0, "status", "-d", "lobby").isEmpty)
    #expect(try await errors(0, "status", "--host", lab.address).isEmpty)
    let document = try folder.write("d.yaml", "scenario: x\ndevice: Lobby TV\nsteps: [{ expect: { app: none } }]\n")
    #expect(try await !errors(0, "run", "--runs", folder.path("runs"), document).contains("T222"))
    for arguments in [["status", "-d", "Bar"], ["run", "-d", "Bar", "--runs", folder.path("runs"), document]] {
      let finished = try await Showcaller.start(arguments, environment: environment).finish()
      #expect(finished.exitCode == 4)
      #expect(finished.errors.components(separatedBy: "warning[T222]").count == 2, "\(finished.errors)")
    }
    #expect(try await errors(0, "discover").contains("warning[T222]: `192.0.2.7:0` is not an address"))
    try await lab.end()
  }

  @Test("A settings file that is no file is not waited for: 2")
  func pipe() async throws {
    let (folder, environment) = try Self.prepare()
    #expect(mkfifo(folder.path("config/showcaller/config.yaml"), 0o600) == 0)
    let finished = try await Showcaller.start(["config"], environment: environment).finish()
    #expect(finished.exitCode == 2 && finished.errors.contains("it is no regular file"), "\(finished.errors)")
  }

  @Test("A run finds a device of the hosts file and one by its alias without a daemon")
  func run() async throws {
    let receiver = try Showcaller.start(["receive", "--port", "0", "--name", "Lobby TV"])
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    let (folder, environment) = try Self.prepare(
      settings: "aliases: { far: Lobby TV, near: { host: \"\(address)\" } }\n", hosts: "\(address) Lobby TV\n")
    let document = try folder.write(
      "d.yaml", "scenario: x\ndevice: Lobby TV\nsteps: [{ discover: { via: hosts } }, { expect: { app: none } }]\n")
    for (arguments, via) in [([], "hosts"), (["--device", "far"], "hosts"), (["--device", "near"], "host")] {
      let report = folder.path("events.jsonl")
      let finished = try await Showcaller.start(
        ["run", "--runs", folder.path("runs"), "--report", "json=\(report)", document] + arguments,
        environment: environment
      ).finish()
      #expect(finished.exitCode == 0, "\(finished.errors)")
      let found = try EventStream.read(report).first { $0["type"] == "device.found" }
      #expect(found?["via"] == .string(via), "\(arguments)")
    }
    let missing = try await Showcaller.start(
      ["run", "--runs", folder.path("runs"), "--device", "nobody", document], environment: environment
    ).finish()
    #expect(missing.exitCode == 4 && missing.errors.contains("no mDNS daemon answers (Avahi)"))

    // Where the name was typed, and what it may have meant.
    func errors(_ arguments: String...) async throws -> String {
      let finished = try await Showcaller.start(arguments, environment: environment).finish()
      #expect(finished.exitCode == 4, "\(finished.errors)")
      return finished.errors
    }
    let runs = folder.path("runs")
    let typed = try await errors("run", "--runs", runs, "-d", "Loby TV", document)
    #expect(typed.contains("error[R701]: no device called `Loby TV`"), "\(typed)")
    #expect(typed.contains("--> <command line>:1:") && typed.contains(" -d 'Loby TV' "), "\(typed)")
    #expect(typed.contains(" ^^^^^^^ did you mean `Lobby TV`?"), "\(typed)")
    #expect(typed.contains("no mDNS daemon answers (Avahi); the hosts file has Lobby TV (127.0.0.1"), "\(typed)")
    #expect(!typed.contains("device: Lobby TV"))
    #expect(
      try await errors("run", "--runs", runs, "-d", "farr", document).contains("the settings have the alias `far`"))
    let aliased = try folder.write("a.yaml", "scenario: x\ndevice: far\nsteps: [{ expect: { app: none } }]\n")
    let named = try await errors("run", "--runs", runs, aliased)
    #expect(named.contains("`far` is an alias of the settings, which documents do not know"), "\(named)")
    #expect(named.contains("write `device: Lobby TV`, or run with `--device far`"), "\(named)")
    let status = try await errors("status", "-d", "Loby TV")
    #expect(status.contains("error: no device called `Loby TV`\nhelp: did you mean `Lobby TV`?"), "\(status)")
    #expect(status.contains("no mDNS daemon answers (Avahi); the hosts file has Lobby TV"), "\(status)")
    #expect(try await errors("status", "-d", "farr").contains("help: the settings have the alias `far`"))
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }
}
