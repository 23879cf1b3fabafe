import Foundation
import Testing

@Suite struct LogTests {
  private static let value = "p@ss/w0rd+canary"
  private static let document = """
    scenario: Logged
    device: TV
    secrets: { token: { env: CANARY } }
    steps:
      - load: { media: "https://cdn.example.com/a.mp4?t=${secret.token}", credentials: "${secret.token}" }
      - expect: { player: playing }

    """

  private func run(_ log: String) async throws -> Finished {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.yaml", Self.document)
    return try await Showcaller.start(
      ["run", "--virtual", "--log", log, "--runs", folder.path("runs"), file], environment: ["CANARY": Self.value]
    ).finish()
  }

  @Test("Without --log nothing is logged; a component's level decides what is")
  func filtered() async throws {
    let finished = try await run("client.request=debug,transport=off")
    #expect(finished.exitCode == 0, "\(finished.errors)")
    #expect(finished.errors.contains("debug client.request: LOAD #"))
    #expect(!finished.errors.contains("client.message") && !finished.errors.contains("transport."))
    #expect(finished.output.isEmpty)
    let folder = try TemporaryFolder()
    let file = try folder.write("a.yaml", "scenario: A\ndevice: TV\nsteps:\n  - launch: default\n")
    let quiet = try await Showcaller.run("run", "--virtual", "--runs", folder.path("runs"), file)
    #expect(!quiet.errors.contains("client.") && !quiet.errors.contains("transport."))
  }

  @Test("Everything at trace has every component of a connection, and no secret")
  func everything() async throws {
    let finished = try await run("trace")
    #expect(finished.exitCode == 0)
    for part in [
      "transport.tls: connected to 127.0.0.1", "client.connection: open", "client.message: sent LOAD",
      "client.message: received MEDIA_STATUS", "client.request: LAUNCH #", "peer=127.0.0.1:",
    ] {
      #expect(finished.errors.contains(part), "\(part)\n\(finished.errors)")
    }
    for form in [Self.value, "p%40ss%2Fw0rd%2Bcanary"] { #expect(!finished.errors.contains(form)) }
  }

  /// `--log` as written, and what the message says.
  static let wrong: [(String, String)] = [
    ("clint.*=debug", "no component of the log is called `clint.*`; did you mean `client.*`?"),
    ("client.requests=debug", "did you mean `client.request`?"),
    ("client.*=debgu", "`debgu` is no log level; did you mean `debug`?"),
    ("client.*", "`client.*` needs a level, such as `client.*=debug`"),
    ("", "`` is no log level"),
  ]
  @Test("An unknown component or level is an error of the command line that says what was meant", arguments: wrong)
  func wrongRules(log: String, message: String) async throws {
    let finished = try await Showcaller.run("discover", "--log", log)
    #expect(finished.exitCode == 2 && finished.errors.contains(message), "\(finished.errors)")
  }
}
