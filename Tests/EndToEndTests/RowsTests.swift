import CastProtocol
import Foundation
import Testing

/// Every row of a matrix is looked at before a run, not only the first.
@Suite struct RowsTests {
  private static let programs = """
    scenario: Programs of rows
    device: Lobby
    matrix: { list: [ [], [a] ] }
    steps:
      - log: hi
      - for_each:
          item: ${matrix.list}
          steps:
            - exec: { command: [sh, -c, "exit 7"], output: none, stdin: none }
    """

  private static func run(
    _ text: String, _ arguments: String..., environment: [String: String] = [:], in folder: TemporaryFolder,
    command: [String] = ["run", "--virtual"]
  ) async throws -> Finished {
    let path = try folder.write("rows.yaml", text)
    let runs = command.first == "run" ? ["--runs", folder.path("runs")] : []
    let started = try Showcaller.start(command + runs + [path] + arguments, environment: environment)
    started.closeInput()
    return try await started.finish()
  }

  @Test("A program of a later row is refused without --allow-exec, and run with it")
  func programs() async throws {
    let folder = try TemporaryFolder()
    let refused = try await Self.run(Self.programs, in: folder)
    #expect(refused.exitCode == 2 && refused.errors.contains("`--allow-exec` allows it"), "\(refused.errors)")
    let ran = try await Self.run(Self.programs, "--allow-exec", in: folder)
    #expect(ran.exitCode == 5 && ran.errors.contains("ended with exit code 7"), "\(ran.errors)")
    let first = try await Self.run(Self.programs, "--row", "list=[]", in: folder)
    #expect(first.exitCode == 0, "\(first.errors)")
  }

  private static let secrets = """
    scenario: Secrets of rows
    device: Lobby
    session: { leave: keep }
    secrets: { key: { env: ROWS_KEY } }
    matrix: { list: [ [], [a] ] }
    steps:
      - for_each:
          item: ${matrix.list}
          steps:
            - load: { media: { url: "https://cdn.example.com/f.mp4", metadata: { title: "${secret.key}" } } }
    """

  @Test("A device gets the value of a secret that only a later row needs")
  func secrets() async throws {
    let folder = try TemporaryFolder()
    let lab = try await OneLineLab(name: "Lobby")
    let finished = try await Self.run(
      Self.secrets, environment: ["ROWS_KEY": "canary"], in: folder, command: ["run", "--host", lab.address])
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let (status, _) = try await lab.json("status")
    #expect(status.serialized().contains("canary") && !status.serialized().contains("secret.key"), "\(status)")
    try await lab.end()
  }

  @Test("A secret that a later row needs and nobody gave is found before the run")
  func missingSecret() async throws {
    let folder = try TemporaryFolder()
    let finished = try await Self.run(Self.secrets, in: folder)
    #expect(finished.exitCode == 3 && finished.errors.contains("N403"), "\(finished.errors)")
    let simulated = try await Self.run(Self.secrets, "--no-secrets", in: folder, command: ["simulate"])
    #expect(simulated.exitCode == 0, "\(simulated.errors)")
  }

  static let rows = [
    "device: { name: \"${matrix.where}\" }", "device: { id: \"${matrix.where}\" }",
    "device: { model: \"${matrix.where}\" }",
    "device: { name: TV, model: \"${matrix.where}\" }", "device: { name_like: \"${matrix.where}*\" }",
    "roles: { left: { name: \"${matrix.where}\" }, right: { name: Hall } }",
    "devices: [{ name: \"${matrix.where}\" }, { name: Hall }]",
    "devices: { match: { name_like: \"*\" } }\nvars: { unused: \"${matrix.where}\" }",
  ]
  @Test("Each row finds the devices it speaks of among virtual receivers", arguments: ["run", "simulate"], rows)
  func devices(command: String, device: String) async throws {
    let folder = try TemporaryFolder()
    let role = device.hasPrefix("roles") ? ", role: all" : ""
    let text = """
      scenario: Rows of devices
      \(device)
      matrix: { where: [Kitchen, Lobby, Kit] }
      steps:
        - { load: "https://cdn.example.com/film.mp4"\(role) }
        - { expect: { player: playing }\(role) }
      """
    let finished = try await Self.run(
      text, in: folder, command: command == "run" ? ["run", "--virtual"] : ["simulate", "--report", "console=-"])
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    let told = finished.output + finished.errors
    if device.contains("name: \"${matrix.where}\"") {
      for name in ["Kitchen", "Lobby", "Kit"] { #expect(told.contains(name), "\(told)") }
    }
    #expect(!told.contains("[]"), "\(told)")
  }

  @Test("A run folder keeps the plans of all rows, every file, and what the command line added")
  func folder() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("lib.yaml", "library: L\nblocks:\n  play:\n    steps:\n      - fail: broken in here\n")
    let vars = try folder.write("vars.yaml", "title: Given\n")
    let finished = try await Self.run(
      """
      scenario: Whole
      device: Lobby
      include: [lib.yaml]
      vars: { title: none, level: 1 }
      matrix: { n: [1, 2] }
      steps:
        - log: ${title} ${level} ${matrix.n}
        - use: play
      """, "--vars", vars, "--set", "level=2", in: folder)
    #expect(finished.exitCode == 1, "\(finished.errors)")
    #expect(
      finished.errors.contains("lib.yaml:5:") && finished.errors.contains("- fail: broken in here"),
      "\(finished.errors)")
    let runs = try RunFolder.ids(in: folder.path("runs"))
    let run = folder.path("runs/\(try #require(runs.first))")
    let plan = try JSONValue(parsing: String(contentsOfFile: run + "/plan.json", encoding: .utf8))
    #expect(plan.array?.count == 2)
    let inputs = try JSONValue(parsing: String(contentsOfFile: run + "/inputs.json", encoding: .utf8))
    #expect(inputs["set"] == ["level=2"] && inputs["vars"] == [.string(vars)], "\(inputs)")
    let sources = try FileManager.default.contentsOfDirectory(atPath: run + "/sources").sorted()
    #expect(sources.contains("rows.yaml") && sources.contains { $0.hasSuffix("lib.yaml") }, "\(sources)")
    #expect(sources.contains { $0.hasSuffix("vars.yaml") }, "\(sources)")
  }
}
