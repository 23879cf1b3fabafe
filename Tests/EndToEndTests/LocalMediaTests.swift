import CastProtocol
import Foundation
import Testing

/// Files of this computer on their way to a device: a receiver of another process is told an address, and this test fetches
/// what is there, as a device would.
@Suite struct LocalMediaTests {
  /// The address of what a device has loaded.
  private static func content(_ lab: OneLineLab) async throws -> String {
    let (status, _) = try await lab.json("status")
    return try #require(status["status"]?["content"]?.string, "\(status)")
  }

  @Test("load serves a film and its subtitles to the device for as long as the film plays")
  func load() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("film.mp4", "the film")
    _ = try folder.write("film.srt", "1\n00:00:01,000 --> 00:00:02,000\nGrüß Gott\n")
    let lab = try await OneLineLab()
    let loading = try Showcaller.start(
      ["load", "./film.mp4", "--subtitles", "film.srt", "--host", lab.address], in: folder.url)
    try await lab.waitUntilPlaying()
    let address = try await Self.content(lab)
    #expect(address.hasPrefix("http://127.0.0.1:") && address.hasSuffix("/film.mp4"), "\(address)")
    let film = try await WebFetch.ask("GET", address)
    #expect(film.status == 200 && film.type == "video/mp4" && film.body == "the film")
    #expect(try await WebFetch.ask("GET", address, "Range: bytes=4-").body == "film")
    #expect(try await WebFetch.ask("GET", address, "Host: evil.example").status == 421)
    loading.signal(SIGINT)
    let finished = try await loading.finish()
    #expect(finished.exitCode == 130 && finished.errors.contains("served for as long as this command runs"))
    #expect(try await WebFetch.ask("GET", address).status == 0, "nothing is served any more")
    try await lab.end()
  }

  @Test("run serves the files of a scenario, and what lies outside of its project is no file of it")
  func scenario() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("film.mp4", "the film")
    let document = try folder.write(
      "local.yaml", "scenario: x\ndevice: TV\nsteps:\n  - load: file:film.mp4\n  - wait: 20s\n")
    let lab = try await OneLineLab()
    let running = try Showcaller.start(
      ["run", document, "--host", lab.address, "--runs", folder.path("runs"), "--auth", "none"])
    try await lab.waitUntilPlaying()
    #expect(try await WebFetch.ask("GET", try await Self.content(lab)).body == "the film")
    running.signal(SIGINT)
    _ = try await running.finish()
    let outside = try folder.write(
      "outside.yaml",
      "scenario: x\ndevice: TV\nsteps:\n  - load: \"file:../../etc/hosts.mp4\"\n  - expect: { player: playing }\n")
    let finished = try await Showcaller.start(
      ["run", outside, "--host", lab.address, "--runs", folder.path("runs"), "--auth", "none"]
    ).finish()
    #expect(finished.exitCode != 0 && finished.errors.contains("cannot be served"), "\(finished.errors)")
    try await lab.end()
  }

  @Test("serve shows files of this computer on real screens, and takes them off the network when it ends")
  func serve() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("menu.png", "the menu")
    let file = try folder.write(
      "shop.yaml",
      "playlist: Shop\ntimezone: UTC\ndevice: TV\nprogram: [{ play: [{ media: \"file:menu.png\", for: 10s }] }]\n")
    let lab = try await OneLineLab()
    let serving = try Showcaller.start(
      ["serve", file, "--host", lab.address, "--ledger", folder.path("plays.jsonl")],
      environment: ["XDG_STATE_HOME": folder.path("state")])
    try await serving.waitFor("shows file:menu.png")
    let address = try await Self.content(lab)
    let menu = try await WebFetch.ask("GET", address)
    #expect(menu.status == 200 && menu.type == "image/png" && menu.body == "the menu")
    serving.signal(SIGTERM)
    #expect(try await serving.finish().exitCode == 0)
    #expect(try await WebFetch.ask("GET", address).status == 0)
    try await lab.end()
  }

  @Test("A device that never fetches what it was told to play is named as the likely cause", .timeLimit(.minutes(2)))
  func neverFetched() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("film.bin", "no film")
    let lab = try await OneLineLab()
    let finished = try await Showcaller.start(
      ["load", "film.bin", "--type", "application/x-none", "--host", lab.address], in: folder.url
    ).finish()
    #expect(finished.exitCode != 0 && finished.errors.contains("the device never fetched"), "\(finished.errors)")
    #expect(finished.errors.contains("a firewall on this computer"))
    try await lab.end()
  }
}
