import CastProtocol
import Foundation
import Testing

/// Every file a user finds in `examples/` and `playlists/` works as it is.
@Suite struct ExamplesTests {
  static func files(in folder: String) -> [String] {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: Showcaller.root.appending(path: folder).path)) ?? []
    return names.filter { $0.hasSuffix(".yaml") }.sorted().map { "\(folder)/\($0)" }
  }

  /// Those of the examples that run.
  static let scenarios = files(in: "examples").filter { $0 != "examples/lab.yaml" }

  @Test("The folders hold what the README promises")
  func present() {
    #expect(Self.files(in: "examples").contains("examples/hello.yaml"))
    #expect(Self.files(in: "examples").contains("examples/ads.yaml"))
    #expect(
      Self.files(in: "playlists") == [
        "playlists/bar.yaml", "playlists/cafe.yaml", "playlists/figures.yaml", "playlists/lobby.yaml",
      ])
  }

  @Test(
    "Every example passes on a virtual receiver over TLS, and every report of it is whole",
    arguments: scenarios)
  func runs(example: String) async throws {
    let folder = try TemporaryFolder()
    let finished = try await Showcaller.run(
      // Faster, a second of tolerance would be less than a busy machine may take.
      "run", "--virtual", "--speed", "5x", "--seed", "7", "--runs", folder.path("runs"),
      "--report", "json=-", "--report", "junit=\(folder.path("junit.xml"))", example)
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let events = try finished.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    try EventStream.check(events, exitCode: 0)
    #expect(events.last?["result"] == "passed")
    #expect(events.first?["speed"]?.number == 5)
    #expect(events.contains { $0["type"] == "device.found" && $0["via"] == "virtual" })

    // The stored stream is the one that was reported, line by line.
    let runs = try RunFolder.ids(in: folder.path("runs"))
    let run = try #require(runs.first)
    let stored = try String(contentsOfFile: folder.path("runs/\(run)/events.jsonl"), encoding: .utf8)
    #expect(stored == finished.output)
    #expect(FileManager.default.fileExists(atPath: folder.path("runs/\(run)/plan.json")))
    let source = try String(contentsOf: Showcaller.root.appending(path: example), encoding: .utf8)
    let name = example.split(separator: "/").last.map(String.init) ?? ""
    #expect(try String(contentsOfFile: folder.path("runs/\(run)/sources/\(name)"), encoding: .utf8) == source)

    let problems = try await JUnitRules.problems(of: folder.path("junit.xml"))
    #expect(problems.isEmpty, "\(problems)")
  }

  @Test("Every example is simulated to a verdict without a socket", arguments: scenarios)
  func simulates(example: String) async throws {
    let finished = try await Showcaller.run("simulate", example)
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    #expect(finished.output.contains("can all pass"), "\(finished.output)")
  }

  @Test(
    "Every example and playlist is checked without a warning", arguments: files(in: "examples") + files(in: "playlists")
  )
  func checks(document: String) async throws {
    let finished = try await Showcaller.run("check", "--strict", document)
    #expect(finished.exitCode == 0, "\(finished.output)\(finished.errors)")
    // An editor has to load what a document names as its schema.
    let text = try String(contentsOf: Showcaller.root.appending(path: document), encoding: .utf8)
    #expect(!text.contains("$schema=http"))
  }

  @Test("At five times the speed ads.yaml counts its forty-odd seconds in far less")
  func speed() async throws {
    let folder = try TemporaryFolder()
    let finished = try await Showcaller.run(
      "run", "--virtual", "--speed", "5x", "--runs", folder.path("runs"), "--report", "json=-", "examples/ads.yaml")
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let last = try #require(finished.output.split(separator: "\n").last)
    let counted = try #require(try JSONValue(parsing: Array(last.utf8))["e"]?.number)
    // Both numbers grow on a busy machine; their ratio is the speed, less what starting the process takes.
    #expect(counted > 40)
    #expect(finished.duration < .seconds(counted / 2), "\(finished.duration) for \(counted) s")
  }

  @Test("The plan of every example is JSON with its steps in order", arguments: scenarios)
  func plans(example: String) async throws {
    let finished = try await Showcaller.run("plan", "--json", example)
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let plan = try JSONValue(parsing: Array(finished.output.utf8.dropLast()))
    let steps = try #require(plan["steps"]?.array)
    #expect(steps.first?["id"] == "s1")
    let listing = try await Showcaller.run("plan", example)
    #expect(listing.exitCode == 0 && listing.output.contains("s1"))
  }

  @Test("The plan of a playlist says what is on when, as a listing and as JSON", arguments: files(in: "playlists"))
  func playlistPlans(playlist: String) async throws {
    let finished = try await Showcaller.run("plan", "--json", playlist)
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let plan = try JSONValue(parsing: Array(finished.output.utf8.dropLast()))
    #expect(plan["kind"] == "playlist")
    #expect(plan["program"]?.array?.isEmpty == false)
    let listing = try await Showcaller.run("plan", playlist)
    #expect(listing.exitCode == 0 && listing.output.contains("program\n"), "\(listing.output)")
  }

  @Test("A receiver of examples/lab.yaml is called so, and goes wrong as it says")
  func lab() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "twice.yaml",
      """
      scenario: Twice
      device: Lab TV
      steps:
        - load: https://media.example.com/welcome.mp4
        - load: https://media.example.com/welcome.mp4
        - expect: { player: playing }

      """)
    let run = try await Showcaller.run(
      "run", "--virtual", "--faults", "examples/lab.yaml", "--speed", "5x", "--runs", folder.path("runs"), "--report",
      "json=-", folder.path("twice.yaml"))
    #expect(run.exitCode == 5, "\(run.errors)")
    #expect(run.output.contains("311"), "\(run.output)")
    let simulated = try await Showcaller.run("simulate", "--faults", "examples/lab.yaml", folder.path("twice.yaml"))
    #expect(simulated.exitCode == 5, "\(simulated.output)\(simulated.errors)")
  }

  @Test("Faults need virtual devices and a library that is one")
  func wrongFaults() async throws {
    let real = try await Showcaller.run("run", "--faults", "examples/lab.yaml", "examples/hello.yaml")
    #expect(real.exitCode == 2 && real.errors.contains("--faults needs --virtual"), "\(real.errors)")
    let scenario = try await Showcaller.run("simulate", "--faults", "examples/hello.yaml", "examples/hello.yaml")
    #expect(scenario.exitCode == 2 && scenario.errors.contains("is no library"), "\(scenario.errors)")
  }
}
