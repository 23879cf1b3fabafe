import Foundation
import Testing

/// The line that reports give for running again what failed.
@Suite struct RerunTests {
  private static func rerunLines(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /rerun     (.*?)(<\/failure>|<\/error>)?$/).map { String($0.1) }
    }
  }

  /// Runs a line as a shell does that finds the built command.
  private static func paste(_ line: String, in folder: TemporaryFolder) async throws -> Finished {
    let path = Showcaller.binary.deletingLastPathComponent().path + ":/usr/bin:/bin"
    let started = try Running(
      URL(filePath: "/bin/sh"), ["-c", line], environment: ["PATH": path], in: folder.url, limit: 60)
    started.closeInput()
    return try await started.finish()
  }

  /// `FAILED name [device] row counts` of each verdict, without times.
  private static func verdicts(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.contains(" in ") && $0.contains("s · exit") }.map { line in
      String(line.replacing(#/ in [0-9.]+s · /#, with: " · "))
    }
  }

  private static let document = """
    scenario: Rows
    device: { name: "${matrix.where} TV" }
    secrets: { key: { env: RERUN_NOT_SET } }
    vars: { level: 1, mood: none }
    matrix: { where: [Kitchen, "Bob's"] }
    steps:
      - load: { media: "https://cdn.example.com/a.mp4?k=${secret.key}" }
      - exec: { command: [test, "${mood}", "=", "very good"], output: none, stdin: none }
      - expect: { position: { min: "${level}" } }
        within: 3s
      - fail: wrong level ${level}
    """

  @Test("Pasted into a shell, it runs the row that failed with every option that matters, to the same verdict")
  func pasted() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("my rows & more.yaml", Self.document)
    _ = try folder.write("a secret", "hunter2-hunter2")
    _ = try folder.write("vars of it.yaml", "level: 2s\n")
    let arguments = [
      "run", "--virtual", "--speed", "20x", "--row", "where=Bob's", "--vars", "vars of it.yaml", "--set",
      "mood=very good", "--secret", "key=@a secret", "--allow-exec", "--seed", "7", "--report", "junit=out.xml",
      "my rows & more.yaml",
    ]
    let started = try Showcaller.start(arguments, in: folder.url)
    started.closeInput()
    let first = try await started.finish()
    #expect(first.exitCode == 1, "\(first.errors)")
    let lines = Self.rerunLines(first.errors)
    let line = try #require(lines.first, "\(first.errors)")
    #expect(line.contains("--row 'where=Bob'\\''s'"), "\(line)")
    let again = try await Self.paste(line, in: folder)
    #expect(again.exitCode == first.exitCode, "\(line)\n\(again.errors)")
    #expect(!Self.verdicts(first.errors).isEmpty)
    #expect(Self.verdicts(again.errors) == Self.verdicts(first.errors), "\(again.errors)")
    #expect(Self.rerunLines(again.errors) == lines, "\(again.errors)")
    let xml = try String(contentsOfFile: folder.path("out.xml"), encoding: .utf8)
    #expect(Self.rerunLines(xml.replacing("&apos;", with: "'").replacing("&amp;", with: "&")) == lines, "\(xml)")
  }

  @Test(
    "Of several virtual devices it runs the one that failed, and none else; a device that is not among them is told: 4")
  func virtualDevice() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "set.yaml",
      """
      scenario: Set
      devices: [Kitchen TV, "Bob's TV"]
      steps:
        - expect: { device: { name: Kitchen TV } }
          within: 100ms
      """)
    _ = try folder.write("one.yaml", "scenario: One\ndevice: TV\nsteps: [{ expect: { app: none } }]\n")
    func run(_ arguments: String...) async throws -> Finished {
      let started = try Showcaller.start(["run", "--virtual"] + arguments, in: folder.url)
      started.closeInput()
      return try await started.finish()
    }
    let first = try await run("set.yaml")
    #expect(first.exitCode == 1 && first.errors.contains("PASSED set [Kitchen TV]"), "\(first.errors)")
    let lines = Self.rerunLines(first.errors)
    let line = try #require(lines.first, "\(first.errors)")
    #expect(lines.count == 1 && line.contains(" --device "), "\(lines)")
    let again = try await Self.paste(line, in: folder)
    #expect(again.exitCode == 1 && again.errors.contains("FAILED set [Bob's TV]"), "\(line)\n\(again.errors)")
    #expect(!again.errors.contains("Kitchen TV] "), "\(again.errors)")
    #expect(Self.rerunLines(again.errors) == lines, "\(again.errors)")
    let named = try await run("set.yaml", "--device", "Kitchen TV")
    #expect(named.exitCode == 0 && !named.errors.contains("Bob"), "\(named.errors)")
    let nobody = try await run("set.yaml", "-d", "Nobody")
    #expect(
      nobody.exitCode == 4 && nobody.errors.contains("`Nobody` is none of the devices: `Bob's TV`, `Kitchen TV`"),
      "\(nobody.errors)")
    let alone = try await run("one.yaml", "-d", "TV")
    #expect(alone.exitCode == 2 && alone.errors.contains("error: --virtual brings its own device"), "\(alone.errors)")
  }

  @Test("Each row and each device has a line of its own, an error, too; with an address it is the address")
  func device() async throws {
    let folder = try TemporaryFolder()
    let lab = try await OneLineLab(name: "Lobby")
    _ = try folder.write("a b.yaml", "scenario: A\ndevice: Nobody\nsteps: [pause]\n")
    let started = try Showcaller.start(
      ["run", "--host", lab.address, "--auth", "none", "a b.yaml"], in: folder.url)
    started.closeInput()
    let first = try await started.finish()
    #expect(first.exitCode == 5, "\(first.errors)")
    let line = try #require(Self.rerunLines(first.errors).first, "\(first.errors)")
    #expect(line.hasPrefix("showcaller run 'a b.yaml' --host \(lab.address) --auth none --seed "), "\(line)")
    let again = try await Self.paste(line, in: folder)
    #expect(again.exitCode == 5 && Self.verdicts(again.errors) == Self.verdicts(first.errors), "\(again.errors)")
    try await lab.end()
  }
}
