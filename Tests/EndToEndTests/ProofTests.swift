import Foundation
import Testing

/// What a user sees of proofs and refusals on the command line.
@Suite struct ProofTests {
  private static let impossible = """
    scenario: Far away
    device: Living Room TV
    media: { film: { url: https://cdn.example.com/film.mp4, duration: 10m } }
    steps:
      - load: film
      - expect: { position: { min: 5m } }

    """

  private func document(_ text: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path("lobby.yaml")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("check exits 3 for an expectation that can never pass, and 0 with --no-simulate")
  func check() async throws {
    let folder = try TemporaryFolder()
    let path = try document(Self.impossible, in: folder)
    let found = try await Showcaller.run("check", path)
    #expect(found.exitCode == 3)
    #expect(found.output.contains("error[P602]: this expectation can never pass"), "\(found.output)\(found.errors)")
    #expect(try await Showcaller.run("check", "--no-simulate", path).exitCode == 0)
  }

  @Test(
    "run and simulate refuse by name what they cannot do, before they look for a device",
    arguments: ["run", "simulate"])
  func refusals(command: String) async throws {
    let folder = try TemporaryFolder()
    let path = try document(
      """
      scenario: Later
      device: tv
      inventory: { tv: { name: Living Room TV, expect: [rate] } }
      steps:
        - discover
        - expect: { player: idle }

      """, in: folder)
    let all = try await Showcaller.run(command, path)
    #expect(all.exitCode == 3)
    #expect(
      all.errors.contains("error[K110]: `expect` of the device `tv` cannot be checked by a run yet"), "\(all.errors)")
    #expect(all.errors.contains(":3:42"), "\(all.errors)")
    #expect(!all.errors.contains("R701"))
    #expect(try await Showcaller.run(command, "--row", "lang=fr", path).exitCode == 2)
  }

  @Test("check notes what a run would refuse, and the document stays valid, with --strict too")
  func notes() async throws {
    let folder = try TemporaryFolder()
    let path = try document(
      """
      scenario: Later
      inventory: { tv: { name: Living Room TV, expect: [rate] } }
      device: tv
      schedule: [{ cron: "0 7 * * *", timezone: Europe/Paris }]
      steps:
        - load: file:a.mp4
        - expect: { player: playing }

      """, in: folder)
    _ = try folder.write("a.mp4", "no film")
    let all = try await Showcaller.run("check", "--strict", "--no-simulate", path)
    #expect(all.exitCode == 0)
    // What `serve` runs by its schedule is no news.
    #expect(
      all.output.contains("note[K110]: `expect` of the device `tv` cannot be checked by a run yet")
        && all.output.components(separatedBy: "K110").count == 2, "\(all.output)")
    #expect(all.output.contains("is valid"))
  }

  @Test("The rows of a matrix are run one after the other, or one that is chosen") func row() async throws {
    let folder = try TemporaryFolder()
    let path = try document(
      """
      scenario: Rows
      device: Living Room TV
      matrix: { lang: [en, "no"] }
      steps:
        - log: in ${matrix.lang}
        - expect: { player: idle }

      """, in: folder)
    let all = try await Showcaller.run("simulate", path)
    #expect(all.exitCode == 0 && all.output.contains("lang=en:") && all.output.contains("lang=no:"), "\(all.output)")
    let one = try await Showcaller.run("simulate", "--row", "lang=no", "--report", "json=-", path)
    #expect(one.exitCode == 0, "\(one.errors)")
    #expect(one.output.contains("\"row\":{\"lang\":\"no\"}") && one.output.contains("in no"), "\(one.output)")
  }
}
