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

  @Test("An encoding that nobody knows is refused before anything is loaded, and is for files of this computer only")
  func encodings() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("film.mp4", "the film")
    _ = try folder.write("film.srt", "1\n00:00:01,000 --> 00:00:02,000\nHallo\n")
    func load(_ subtitles: String, _ encoding: String) async throws -> Finished {
      try await Showcaller.start(
        [
          "load", "film.mp4", "--subtitles", subtitles, "--subtitles-encoding", encoding, "--host", "127.0.0.1:1",
        ], in: folder.url
      ).finish()
    }
    let unknown = try await load("film.srt", "klingon")
    #expect(unknown.exitCode == 2 && unknown.errors.contains("`klingon` is no encoding that is known"))
    #expect(unknown.errors.contains("windows-1250"))
    let distant = try await load("https://cdn.example.com/en.vtt", "windows-1250")
    #expect(distant.exitCode == 2 && distant.errors.contains("is for a file of this computer"))
    let fine = try await load("film.srt", "ISO-8859-2")
    #expect(fine.exitCode == 4, "nobody is there, which is the next thing: \(fine.errors)")
  }

  @Test("load of a picture ends when it is on; of a file that is not there it says so")
  func picture() async throws {
    let lab = try await OneLineLab()
    let picture = Showcaller.root.appending(path: "playlists/assets/logo.png").path
    let loaded = try await lab.run("load", picture)
    #expect(loaded.exitCode == 0, "\(loaded.output)\(loaded.errors)")
    let same = try await lab.run("load", "file://\(picture)")
    #expect(same.exitCode == 0, "\(same.output)\(same.errors)")
    let missing = try await lab.run("load", "./logo.pgn")
    #expect(missing.exitCode == 2 && missing.errors.contains("there is no file `./logo.pgn`"), "\(missing.errors)")
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

  /// Fetches a picture and takes it apart with a library that is not ours.
  private static let blackness = """
    import struct, sys, urllib.request, zlib
    picture = urllib.request.urlopen(sys.argv[1]).read()
    assert picture[:8] == b"\\x89PNG\\r\\n\\x1a\\n"
    at, chunks = 8, []
    while at < len(picture):
        size, = struct.unpack(">I", picture[at:at + 4])
        kind, data = picture[at + 4:at + 8], picture[at + 8:at + 8 + size]
        check, = struct.unpack(">I", picture[at + 8 + size:at + 12 + size])
        assert zlib.crc32(kind + data) == check
        chunks.append((kind, data))
        at += 12 + size
    assert [kind for kind, _ in chunks] == [b"IHDR", b"IDAT", b"IEND"]
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    assert (depth, colour, interlace) == (1, 0, 0)
    pixels = zlib.decompress(chunks[1][1])
    assert len(pixels) == height * (1 + width // 8)
    print(width, height, set(pixels), len(picture) < 2000)
    """

  @Test("In quiet hours with `screen: blank` a real screen is served a black picture, which a restart leaves on")
  func black() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "shop.yaml",
      """
      playlist: Shop
      timezone: UTC
      device: TV
      program: [{ play: ["https://e.com/a.jpg"] }]
      quiet: { hours: all-day, screen: blank }

      """)
    let lab = try await OneLineLab()
    func serve() throws -> Running {
      try Showcaller.start(
        ["serve", file, "--host", lab.address, "--ledger", folder.path("plays.jsonl")],
        environment: ["XDG_STATE_HOME": folder.path("state")])
    }
    let serving = try serve()
    try await serving.waitFor("rests: the screen is black")
    try await lab.waitUntilPlaying()
    let address = try await Self.content(lab)
    #expect(address.hasPrefix("http://127.0.0.1:") && address.hasSuffix("/black.png"), "\(address)")
    let picture = try await Running(
      URL(filePath: "/usr/bin/env"), ["python3", "-c", Self.blackness, address], environment: [:], in: folder.url,
      limit: 30
    ).finish()
    #expect(picture.output == "1280 720 {0} True\n", "\(picture.output)\(picture.errors)")
    serving.signal(SIGTERM)
    #expect(try await serving.finish().exitCode == 0)
    let next = try serve()
    try await next.waitFor("rests: the screen is black")
    try await Task.sleep(for: .seconds(2))
    #expect(try await Self.content(lab) == address, "nothing was loaded")
    next.signal(SIGTERM)
    let finished = try await next.finish()
    #expect(finished.exitCode == 0 && !finished.output.contains("cannot be shown"), "\(finished.output)")
    try await lab.end()
  }

  @Test(
    "After a kill serve knows the file that it left on the screen, and one that its playlist has no more is ours, too")
  func killed() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("menu.png", "the menu")
    _ = try folder.write("lunch.png", "the lunch")
    let text =
      "playlist: Shop\ntimezone: UTC\ndevice: TV\nprogram: [{ play: [{ media: \"file:menu.png\", for: 60s }] }]\n"
    let file = try folder.write("shop.yaml", text)
    let lab = try await OneLineLab()
    func serve() throws -> Running {
      try Showcaller.start(
        ["serve", file, "--host", lab.address, "--ledger", folder.path("plays.jsonl")],
        environment: ["XDG_STATE_HOME": folder.path("state")])
    }
    func kill(_ serving: Running) async throws -> Finished {
      serving.signal(SIGKILL)
      return try await serving.finish()
    }
    let first = try serve()
    try await first.waitFor("shows file:menu.png")
    let address = try await Self.content(lab)
    _ = try await kill(first)
    let second = try serve()
    try await second.waitFor("goes on with file:menu.png")
    #expect(try await WebFetch.ask("GET", address).body == "the menu", "the address means what it did")
    #expect(try await !kill(second).output.contains("  shows "), "nothing flashes")
    _ = try folder.write("shop.yaml", text.replacingOccurrences(of: "menu", with: "lunch"))
    let third = try serve()
    try await third.waitFor("shows file:lunch.png")
    #expect(try await !kill(third).output.contains("has the screen"))
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
