import CastProtocol
import Foundation
import Testing

/// Files of this computer on their way to a device: a receiver of another process is told an address, and this test fetches
/// what is there, as a device would.
@Suite struct LocalMediaTests {
  /// Fetches an address, and its headers, with a program of this computer.
  private static func fetch(_ address: String, header: String? = nil) async throws -> (status: String, body: String) {
    let program = """
      import sys, urllib.request, urllib.error
      request = urllib.request.Request(sys.argv[1], headers=dict([sys.argv[2].split(": ")]) if len(sys.argv) > 2 else {})
      try:
          answer = urllib.request.urlopen(request, timeout=10)
          print(answer.status, answer.headers["Content-Type"])
          sys.stdout.write(answer.read().decode("utf-8"))
      except urllib.error.HTTPError as error:
          print(error.code)
      except OSError:
          print("closed")
      """
    let running = try Running(
      URL(filePath: "/usr/bin/env"), ["python3", "-c", program, address] + (header.map { [$0] } ?? []),
      environment: [:],
      in: Showcaller.root, limit: 30)
    let output = try await running.finish().output
    let lines = output.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(lines.first ?? ""), lines.count > 1 ? String(lines[1]) : "")
  }

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
    #expect(try await Self.fetch(address) == ("200 video/mp4", "the film"))
    #expect(try await Self.fetch(address, header: "Range: bytes=4-").body == "film")
    #expect(try await Self.fetch(address, header: "Host: evil.example").status == "421")
    loading.signal(SIGINT)
    let finished = try await loading.finish()
    #expect(finished.exitCode == 130 && finished.errors.contains("served for as long as this command runs"))
    #expect(try await Self.fetch(address).status == "closed", "nothing is served any more")
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
    #expect(try await Self.fetch(try await Self.content(lab)).body == "the film")
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
    #expect(try await Self.fetch(address) == ("200 image/png", "the menu"))
    serving.signal(SIGTERM)
    #expect(try await serving.finish().exitCode == 0)
    #expect(try await Self.fetch(address).status == "closed")
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
