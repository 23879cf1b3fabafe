import Foundation
import Testing

/// What is wrong when `serve` begins makes no screen dark that could show something.
@Suite struct ServeStartTests {
  /// A playlist whose two stills follow each other every second.
  /// - Parameter port: That of its screen; `nil`: a virtual one.
  private static func playlist(_ title: String, item: String, on port: String? = nil, _ more: String = "") -> String {
    """
    playlist: \(title)
    timezone: UTC
    device: \(port.map { "{ host: \"127.0.0.1:\($0)\" }" } ?? "\(title) TV")
    program: [{ play: [{ media: "https://e.com/\(item).jpg", for: 1s }, { media: "https://e.com/2.jpg", for: 1s }] }]
    \(more)

    """
  }

  private static func receiver() async throws -> (process: Running, port: String) {
    let receiver = try Showcaller.start(["receive", "--port", "0"], limit: 90)
    return (receiver, try #require(try await receiver.firstLine().split(separator: ":").last.map(String.init)))
  }

  private struct Shop {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try FileManager.default.createDirectory(atPath: folder.path("d"), withIntermediateDirectories: true)
    }

    /// - Parameter script: Runs the program, `"$@"`, in a shell; `nil`: no shell.
    func serve(_ arguments: String..., script: String? = nil, limit: Double = 60) throws -> Running {
      let environment = ["XDG_STATE_HOME": folder.path("state"), "XDG_CACHE_HOME": folder.path("cache")]
      let all = ["serve"] + arguments
      guard let script else {
        return try Showcaller.start(all, environment: environment, in: folder.url, limit: limit)
      }
      return try Running(
        URL(filePath: "/bin/sh"), ["-c", script, "sh", Showcaller.binary.path] + all, environment: environment,
        in: folder.url, limit: limit)
    }

    /// The text of a file once it holds something.
    func text(of name: String, holding part: String) async throws -> String {
      for _ in 0..<200 {
        let text = (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? ""
        if text.contains(part) { return text }
        try await Task.sleep(for: .milliseconds(100))
      }
      Issue.record("\(name) never holds \(part)")
      return ""
    }

    func verify(_ files: [String]) async throws -> Finished {
      try await Showcaller.start(["ledger", "verify"] + files.map(folder.path)).finish()
    }
  }

  private static func end(_ serving: Running) async throws -> Finished {
    serving.signal(SIGTERM)
    return try await serving.finish()
  }

  // MARK: documents

  @Test("Of two files and a folder the valid ones are served, the others are told, and served when they are valid")
  func invalid() async throws {
    let shop = try Shop()
    let messages = shop.folder.path("messages")
    let notify = "notify: [{ when: invalid, command: [sh, -c, 'cat >> \(messages)'] }]"
    let receivers = [try await Self.receiver(), try await Self.receiver(), try await Self.receiver()]
    let bar = try shop.folder.write("bar.yaml", Self.playlist("Bar", item: "bar", on: receivers[0].port, notify))
    let hall = try shop.folder.write("hall.yaml", "playlist: Hall\nprogramme: []\n")
    _ = try shop.folder.write("d/lobby.yaml", Self.playlist("Lobby", item: "lobby", on: receivers[1].port))
    _ = try shop.folder.write("d/door.yaml", "playlist: Door\n  what: is\n this\n")
    let serving = try shop.serve(bar, hall, "d", "--allow-exec")
    try await serving.waitFor("shows https://e.com/bar.jpg")
    try await serving.waitFor("shows https://e.com/lobby.jpg")
    #expect(serving.errors.contains("unknown key `programme`"), "\(serving.errors)")
    _ = try await shop.text(of: "messages", holding: "hall.yaml has errors")
    let told = try await shop.text(of: "messages", holding: "door.yaml has errors")
    #expect(told.contains("\"occasion\":\"invalid\"") && told.contains("it is not served"), "\(told)")
    _ = try shop.folder.write("hall.yaml", Self.playlist("Hall", item: "hall", on: receivers[2].port))
    try await serving.waitFor("shows https://e.com/hall.jpg")
    _ = try await shop.text(of: "messages", holding: "hall.yaml can be read again")
    let finished = try await Self.end(serving)
    #expect(finished.exitCode == 0, "\(finished.errors)")
    for receiver in receivers { _ = try await Self.end(receiver.process) }
  }

  @Test("Where nothing is valid it ends as `check` does, and a file that is not there is one that is wrong")
  func nothingValid() async throws {
    let shop = try Shop()
    let bad = try shop.folder.write("bad.yaml", "playlist: Bad\n")
    #expect(try await shop.serve(bad, "--virtual").finish().exitCode == 3)
    #expect(try await shop.serve("gone.yaml", "--virtual").finish().exitCode == 2)
    let good = try shop.folder.write("good.yaml", Self.playlist("Good", item: "good"))
    let serving = try shop.serve(good, "gone.yaml", "--virtual")
    try await serving.waitFor("shows https://e.com/good.jpg")
    #expect(serving.errors.contains("gone.yaml"), "\(serving.errors)")
    #expect(try await Self.end(serving).exitCode == 0)
  }

  @Test("A scenario with a mistake keeps no playlist from being shown, and runs as soon as it is valid")
  func scenario() async throws {
    let shop = try Shop()
    _ = try shop.folder.write("d/good.yaml", Self.playlist("Good", item: "good"))
    let check = "scenario: Check\ndevice: Good TV\nschedule: [{ every: 1m }]\n"
    _ = try shop.folder.write("d/check.yaml", check + "steps: [{ logg: hi }]\n")
    let serving = try shop.serve("d", "--virtual", "--from", "2026-11-23 12:00", "--speed", "20x")
    try await serving.waitFor("shows https://e.com/good.jpg")
    _ = try shop.folder.write("d/check.yaml", check + "steps: [{ log: hi }]\n")
    try await serving.waitFor("check  PASSED")
    #expect(try await Self.end(serving).exitCode == 0)
  }

  @Test("Two playlists of one id: both files and the cure are told, and the second is served when it has its own")
  func sameID() async throws {
    let shop = try Shop()
    let receivers = [try await Self.receiver(), try await Self.receiver()]
    let first = try shop.folder.write("window.yaml", Self.playlist("One", item: "one", on: receivers[0].port))
    let text = Self.playlist("Two", item: "two", on: receivers[1].port)
    let second = try shop.folder.write("d/window.yaml", text)
    let serving = try shop.serve(first, second)
    try await serving.waitFor("shows https://e.com/one.jpg")
    let told = serving.errors
    #expect(told.contains("\(second) has the id `window`, as \(first) has"), "\(told)")
    #expect(told.contains("`id: window-2`"), "\(told)")
    _ = try shop.folder.write("d/window.yaml", text + "id: window-2\n")
    try await serving.waitFor("shows https://e.com/two.jpg")
    #expect(try await Self.end(serving).exitCode == 0)
    for receiver in receivers { _ = try await Self.end(receiver.process) }
  }

  @Test("A port that somebody else has keeps no screen dark: the page is there as soon as the port is free")
  func control() async throws {
    let shop = try Shop()
    let file = try shop.folder.write("shop.yaml", Self.playlist("Shop", item: "a"))
    let (receiver, port) = try await Self.receiver()
    let serving = try shop.serve(file, "--virtual", "--control", port)
    try await serving.waitFor("shows https://e.com/a.jpg")
    #expect(serving.errors.contains("the control page:"), "\(serving.errors)")
    _ = try await Self.end(receiver)
    try await serving.waitFor("the control page is http://127.0.0.1:\(port)/")
    #expect(try await Self.end(serving).exitCode == 0)
  }

  // MARK: secrets

  private static func secret(_ title: String, _ source: String, on port: String) -> String {
    playlist(title, item: title, on: port, "secrets: { key: \(source) }")
      .replacingOccurrences(of: "2.jpg", with: "2.jpg?key=${secret.key}")
  }

  @Test("A playlist whose secret cannot be had is served when it can be, although no file of it was changed")
  func secretLater() async throws {
    let shop = try Shop()
    let receivers = [try await Self.receiver(), try await Self.receiver()]
    let good = try shop.folder.write("good.yaml", Self.playlist("Good", item: "good", on: receivers[0].port))
    let bar = try shop.folder.write(
      "bar.yaml", Self.secret("Bar", "{ command: [cat, \(shop.folder.path("key"))] }", on: receivers[1].port))
    let serving = try shop.serve(good, bar, "--allow-exec", limit: 90)
    try await serving.waitFor("shows https://e.com/good.jpg")
    try await serving.waitFor("bar.yaml is not served yet: it is tried again")
    let told = serving.errors.components(separatedBy: "ended with exit code 1").count
    _ = try shop.folder.write("key", "k")
    try await serving.waitFor("shows https://e.com/Bar.jpg")
    #expect(told == 2 && serving.errors.components(separatedBy: "ended with exit code 1").count == 2)
    #expect(try await Self.end(serving).exitCode == 0)
    for receiver in receivers { _ = try await Self.end(receiver.process) }
  }

  @Test("The slow secret of one playlist does not add to that of another")
  func slowSecrets() async throws {
    let shop = try Shop()
    let slow = "{ command: [sh, -c, 'sleep 4; echo k'] }"
    let files = try ["one", "two", "three"].map {
      try shop.folder.write("\($0).yaml", Self.secret($0, slow, on: "9"))
    }
    let begun = ContinuousClock.now
    let serving = try shop.serve(files[0], files[1], files[2], "--virtual", "--allow-exec")
    try await serving.waitFor("three: the ledger is")
    #expect(ContinuousClock.now - begun < .seconds(11))
    #expect(try await Self.end(serving).exitCode == 0)
  }

  // MARK: ledgers

  @Test("A ledger that another has keeps only its playlist from being served, until it is free; where all are, it ends")
  func busyLedger() async throws {
    let shop = try Shop()
    let (receiver, port) = try await Self.receiver()
    let ledger = "ledger: { file: p.jsonl, rotate: daily }"
    let first = try shop.folder.write("one.yaml", Self.playlist("One", item: "one", on: port, ledger))
    let second = try shop.folder.write("two.yaml", Self.playlist("Two", item: "two", on: port, ledger))
    let other = try shop.folder.write("three.yaml", Self.playlist("Three", item: "three", on: port))
    let owner = try shop.serve(first, limit: 90)
    try await owner.waitFor("One: the ledger is \(shop.folder.path("p-*.jsonl"))")
    let serving = try shop.serve(other, second, limit: 90)
    try await serving.waitFor("Three: the ledger is")
    try await serving.waitFor("note: it is tried again")
    #expect(serving.errors.contains("writes the ledger"), "\(serving.errors)")
    let alone = try await shop.serve(second).finish()
    #expect(alone.exitCode == 75, "\(alone.errors)")
    #expect(try await Self.end(owner).exitCode == 0)
    try await serving.waitFor("Two: the ledger is")
    #expect(serving.errors.components(separatedBy: "writes the ledger").count == 2, "\(serving.errors)")
    #expect(try await Self.end(serving).exitCode == 0)
    _ = try await Self.end(receiver)
  }

  @Test("Where there is no folder for a ledger the screens are on all the same, and the missing records are told")
  func noPlace() async throws {
    let shop = try Shop()
    let (receiver, port) = try await Self.receiver()
    let file = try shop.folder.write("shop.yaml", Self.playlist("Shop", item: "a", on: port))
    let serving = try Showcaller.start(
      ["serve", file], environment: ["XDG_STATE_HOME": "", "HOME": ""], in: shop.folder.url, limit: 60)
    try await serving.waitFor("shows https://e.com/a.jpg")
    #expect(serving.errors.contains("there is no place for the ledger"), "\(serving.errors)")
    let finished = try await Self.end(serving)
    #expect(finished.exitCode == 8 && finished.errors.contains("are missing"), "\(finished.errors)")
    _ = try await Self.end(receiver)
  }

  @Test("A ledger that cannot be where it is to be goes to the state folder, which is told")
  func elsewhere() async throws {
    let shop = try Shop()
    _ = try shop.folder.write("full", "no folder")
    let messages = shop.folder.path("messages")
    let (receiver, port) = try await Self.receiver()
    let file = try shop.folder.write(
      "shop.yaml",
      Self.playlist(
        "Shop", item: "a", on: port,
        """
        ledger: { file: full/plays.jsonl, rotate: never }
        notify: [{ when: ledger_gap, command: [sh, -c, 'cat >> \(messages)'] }]
        """))
    let serving = try shop.serve(file, "--allow-exec")
    try await serving.waitFor("shows https://e.com/a.jpg", times: 2)
    let place = "state/showcaller/ledgers/shop.jsonl"
    #expect(serving.errors.contains("the ledger goes to \(shop.folder.path(place)): cannot write"), "\(serving.errors)")
    let told = try await shop.text(of: "messages", holding: "ledger_gap")
    #expect(told.contains("the ledger goes to"), "\(told)")
    #expect(try await Self.end(serving).exitCode == 0)
    _ = try await Self.end(receiver)
    #expect(try await shop.verify([place]).exitCode == 0)
  }

  @Test(
    "A damaged ledger is put aside, told, and a new one begins; a ledger without any place is written when it has one")
  func damaged() async throws {
    let shop = try Shop()
    let (receiver, port) = try await Self.receiver()
    let file = try shop.folder.write(
      "shop.yaml", Self.playlist("Shop", item: "a", on: port, "ledger: { rotate: never }"))
    _ = try shop.folder.write("plays.jsonl", "{\"v\":1}\n")
    let first = try shop.serve(file, "--ledger", shop.folder.path("plays.jsonl"))
    try await first.waitFor("shows https://e.com/a.jpg", times: 2)
    #expect(first.errors.contains("is damaged: its files are now in"), "\(first.errors)")
    #expect(try await Self.end(first).exitCode == 0)
    let aside = try #require(
      try FileManager.default.contentsOfDirectory(atPath: shop.folder.url.path).first { $0.contains(".damaged-") })
    #expect(try String(contentsOfFile: shop.folder.path("\(aside)/plays.jsonl"), encoding: .utf8) == "{\"v\":1}\n")
    #expect(try await shop.verify(["plays.jsonl"]).exitCode == 0)

    // Neither there nor in the state folder, for a while.
    _ = try shop.folder.write("blocked", "no folder")
    let second = try Showcaller.start(
      ["serve", file, "--ledger", shop.folder.path("blocked/plays.jsonl")],
      environment: ["XDG_STATE_HOME": shop.folder.path("blocked")], limit: 60)
    try await second.waitFor("shows https://e.com/a.jpg", times: 2)
    #expect(second.errors.contains("it is tried again"), "\(second.errors)")
    try FileManager.default.removeItem(atPath: shop.folder.path("blocked"))
    try await second.waitFor("the ledger of Shop is written again")
    #expect(try await Self.end(second).exitCode == 0)
    let verified = try await shop.verify(["blocked/plays.jsonl"])
    #expect(verified.exitCode == 0 && !verified.output.contains(": 0 lines"), "\(verified.output)")
    _ = try await Self.end(receiver)
  }

  @Test(
    "A disk that is full while it serves is told, and the screens go on; what could not be written is told at the end")
  func full() async throws {
    let shop = try Shop()
    let file = try shop.folder.write("shop.yaml", Self.playlist("Shop", item: "a"))
    // No file may be longer than 2 KiB, as if the disk ended there.
    let serving = try shop.serve(
      file, "--virtual", "--ledger", shop.folder.path("plays.jsonl"),
      script: "trap '' XFSZ; ulimit -f 4; exec \"$@\"")
    try await serving.waitFor("cannot write the ledger")
    try await serving.waitFor("it is tried again")
    let shown = serving.output.components(separatedBy: "shows https").count
    try await serving.waitFor("shows https", times: shown + 3)
    let finished = try await Self.end(serving)
    #expect(finished.exitCode == 8 && finished.errors.contains("missing"), "\(finished.exitCode) \(finished.errors)")
  }

  @Test("The gap of a ledger is told, and that it is over")
  func gap() async throws {
    let shop = try Shop()
    let messages = shop.folder.path("messages")
    let file = try shop.folder.write(
      "shop.yaml",
      Self.playlist(
        "Shop", item: "a", on: nil, "notify: [{ when: ledger_gap, command: [sh, -c, 'cat >> \(messages)'] }]"))
    let serving = try shop.serve(
      file, "--virtual", "--allow-exec", "--ledger", shop.folder.path("proof/plays.jsonl"))
    try await serving.waitFor("shows https://e.com/a.jpg", times: 2)
    try FileManager.default.removeItem(atPath: shop.folder.path("proof"))
    let begun = try await shop.text(of: "messages", holding: "\"state\":\"begun\"")
    #expect(begun.contains("\"occasion\":\"ledger_gap\"") && begun.contains("has a gap"), "\(begun)")
    try FileManager.default.createDirectory(atPath: shop.folder.path("proof"), withIntermediateDirectories: true)
    let over = try await shop.text(of: "messages", holding: "\"state\":\"over\"")
    #expect(over.contains("the proof of play of shop is written again"), "\(over)")
    #expect(over.split(separator: "\n").count == 2)
    #expect(try await Self.end(serving).exitCode == 0)
  }
}
