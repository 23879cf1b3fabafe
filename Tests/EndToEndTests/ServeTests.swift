import Foundation
import Testing

/// `showcaller serve` against receivers of other processes, over real TLS.
@Suite struct ServeTests {
  private static let playlist = """
    playlist: Shop
    timezone: UTC
    device: TV
    program: [{ play: [{ media: "https://cdn.example.com/a.jpg", for: 60s }] }]

    """

  private static func receiver(port: Int = 0) async throws -> (process: Running, port: Int) {
    let receiver = try Showcaller.start(["receive", "--port", "\(port)"], limit: 180)
    return (receiver, try #require(Int((try await receiver.firstLine()).split(separator: ":").last ?? "")))
  }

  /// A folder with a playlist, and how it is served on a port.
  private struct Shop {
    let folder: TemporaryFolder
    let file: String
    var state: [String: String] { ["XDG_STATE_HOME": folder.path("state")] }
    var ledger: String { folder.path("plays.jsonl") }

    init(_ text: String = playlist) throws {
      folder = try TemporaryFolder()
      file = try folder.write("shop.yaml", text)
    }

    func serve(on port: Int, _ options: String...) throws -> Running {
      try Showcaller.start(
        ["serve", file, "--host", "127.0.0.1:\(port)", "--ledger", ledger] + options, environment: state, limit: 120)
    }

    /// Runs `ledger verify` over what was written.
    func verify() async throws -> Finished {
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .filter { $0.hasPrefix("plays") }.sorted().map { folder.path($0) }
      return try await Showcaller.start(["ledger", "verify"] + files).finish()
    }
  }

  @Test("A screen comes back after its device did, SIGTERM ends with 0, and the ledger is whole")
  func lost() async throws {
    let shop = try Shop()
    let (first, port) = try await Self.receiver()
    let serving = try shop.serve(on: port)
    try await serving.waitFor("shows https://cdn.example.com/a.jpg")
    first.signal(SIGKILL)
    _ = try await first.finish()
    try await serving.waitFor("lost: ")
    let (second, _) = try await Self.receiver(port: port)
    try await serving.waitFor("back after")
    try await serving.waitFor("shows https://", times: 2)
    serving.signal(SIGTERM)
    let finished = try await serving.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    second.signal(SIGTERM)
    _ = try await second.finish()
    let verified = try await shop.verify()
    #expect(verified.exitCode == 0, "\(verified.output)\(verified.errors)")
  }

  @Test("Whoever serves after a kill goes on with what is on the screen, and the ledger goes on whole")
  func killed() async throws {
    let shop = try Shop()
    let (receiver, port) = try await Self.receiver()
    let crashed = try shop.serve(on: port)
    try await crashed.waitFor("shows https://cdn.example.com/a.jpg")
    crashed.signal(SIGKILL)
    _ = try await crashed.finish()
    let next = try shop.serve(on: port)
    try await next.waitFor("goes on with https://cdn.example.com/a.jpg")
    next.signal(SIGINT)
    let finished = try await next.finish()
    #expect(finished.exitCode == 130 && !finished.output.contains("  shows "), "\(finished.output)")
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
    let verified = try await shop.verify()
    #expect(verified.exitCode == 0, "\(verified.output)\(verified.errors)")
  }

  @Test("What an earlier process left on the screen is ours, also when the playlist has it no more")
  func leftover() async throws {
    let shop = try Shop()
    let (receiver, port) = try await Self.receiver()
    let crashed = try shop.serve(on: port)
    try await crashed.waitFor("shows https://cdn.example.com/a.jpg")
    crashed.signal(SIGKILL)
    _ = try await crashed.finish()
    _ = try shop.folder.write("shop.yaml", Self.playlist.replacingOccurrences(of: "a.jpg", with: "b.jpg"))
    let next = try shop.serve(on: port)
    try await next.waitFor("shows https://cdn.example.com/b.jpg")
    next.signal(SIGTERM)
    let finished = try await next.finish()
    #expect(finished.exitCode == 0 && !finished.output.contains("has the screen"), "\(finished.output)")
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }

  @Test("A day of a playlist is simulated, told in stretches and summed up; what is no playlist takes no times of it")
  func simulated() async throws {
    let day = try await Showcaller.run("simulate", "playlists/cafe.yaml", "--from", "2026-11-23 06:50", "--for", "20m")
    #expect(day.exitCode == 0, "\(day.errors)")
    #expect(day.output.contains("  06:50-07:00  window-tv  quiet\n"), "\(day.output)")
    #expect(day.output.contains("  07:00-07:10  counter-tv  program[1] breakfast: espresso 20x, croissant 20x\n"))
    let json = try await Showcaller.run("simulate", "playlists/cafe.yaml", "--for", "10m", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect((object?["stretches"] as? [Any])?.isEmpty == false)
    let played = try await Showcaller.run(
      "simulate", "playlists/cafe.yaml", "--receivers", "--from", "2026-11-23 06:55", "--for", "6m")
    #expect(played.exitCode == 0 && played.output.contains("counter-tv  program[1] breakfast: espresso 2x, croissant"))
    let scenario = try await Showcaller.run("simulate", "examples/hello.yaml", "--for", "1d")
    #expect(scenario.exitCode == 2 && scenario.errors.contains("are for playlists"), "\(scenario.errors)")
    let none = try await Showcaller.run("simulate", "playlists/cafe.yaml", "--for", "0s")
    #expect(none.exitCode == 2 && none.errors.contains("more than nothing"), "\(none.errors)")
  }

  @Test("What cannot be shown on real screens is refused before any is looked for")
  func refused() async throws {
    let scenario = try await Showcaller.run("serve", "examples/hello.yaml")
    #expect(scenario.exitCode == 2 && scenario.errors.contains("is a scenario"), "\(scenario.errors)")
  }

  @Test("An edit with a mistake changes nothing and is told; the next one counts; others cannot have the device")
  func edited() async throws {
    let shop = try Shop(Self.playlist.replacingOccurrences(of: "60s", with: "2s"))
    let (receiver, port) = try await Self.receiver()
    let serving = try shop.serve(on: port, "--json")
    try await serving.waitFor("\"item\":\"https://cdn.example.com/a.jpg\"")
    let busy = try await Showcaller.run("volume", "20%", "--host", "127.0.0.1:\(port)", environment: shop.state)
    #expect(busy.exitCode == 75 && busy.errors.contains("showcaller serve"), "\(busy.errors)")
    _ = try shop.folder.write("shop.yaml", "playlist: Shop\nprogramme: []\n")
    try await serving.waitFor("the screens go on with the playlist as it was")
    _ = try shop.folder.write("shop.yaml", Self.playlist.replacingOccurrences(of: "a.jpg", with: "b.jpg"))
    try await serving.waitFor("\"item\":\"https://cdn.example.com/b.jpg\"")
    // There is nothing new to read: it only does not end.
    serving.signal(SIGHUP)
    serving.signal(SIGTERM)
    let finished = try await serving.finish()
    #expect(finished.exitCode == 0)
    for line in finished.output.split(separator: "\n") {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }
}
