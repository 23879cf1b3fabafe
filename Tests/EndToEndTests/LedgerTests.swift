import CastProtocol
import CastTransport
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `showcaller ledger`: what another program makes of a ledger, and what ours does.
@Suite struct LedgerTests {
  private static let example = "examples/plays-2026-11-23.jsonl"

  /// A ledger as another program would write it, of gaps of ten seconds.
  private static func lines(_ count: Int, screen: String = "tv") throws -> [String] {
    var previous = String(repeating: "0", count: 64)
    return try (1...count).map { number in
      let (start, end) = (String("\(number + 9)0".prefix(2)), String("\(number + 10)".prefix(2)))
      let text =
        #"{"v":1,"n":\#(number),"prev":"\#(previous)","type":"gap","screen":"\#(screen)","#
        + #""start":"2026-11-23T07:\#(start):00.000+01:00","end":"2026-11-23T07:\#(end):00.000+01:00","reason":"quiet"}"#
      previous = try #require(Digest.sha256(Array(text.utf8)))
      return text.dropLast() + #","hash":"\#(previous)"}"# + "\n"
    }
  }

  /// Three files of one ledger.
  private static func files(_ folder: TemporaryFolder, _ lines: [String]) throws -> [String] {
    try [lines[..<3], lines[3..<5], lines[5...]].enumerated().map { index, part in
      try folder.write("plays-\(index).jsonl", part.joined())
    }
  }

  @Test("An intact ledger is 0, with the hash of its last line, in whatever order its files are named")
  func intact() async throws {
    let folder = try TemporaryFolder()
    let lines = try Self.lines(9)
    let files = try Self.files(folder, lines)
    let all = try await Showcaller.run("ledger", "verify", files[2], files[0], files[1])
    let hash = try #require(JSONValue(parsing: lines[8])["hash"]?.string)
    #expect(all.exitCode == 0 && all.errors.isEmpty, "\(all)")
    #expect(all.output.hasPrefix("\(files[0]): 3 lines, numbers 1 to 3\n\(files[1]): 2 lines, numbers 4 to 5\n"))
    #expect(all.output.hasSuffix("intact: 9 lines, the last hash is \(hash)\n"), "\(all.output)")
    let some = try await Showcaller.run("ledger", "verify", files[1])
    #expect(some.exitCode == 0 && some.output.contains("begins with number 4: the files before it were not named\n"))
    let none = try await Showcaller.run("ledger", "verify", try folder.write("empty.jsonl", ""))
    #expect(none.exitCode == 0 && none.output.hasSuffix("intact: 0 lines\n"), "\(none)")
  }

  @Test("The first line that is not as it was written is named, with what is wrong: 1")
  func broken() async throws {
    let folder = try TemporaryFolder()
    let lines = try Self.lines(9)
    func verify(_ change: (inout [String]) -> Void) async throws -> Finished {
      var changed = lines
      change(&changed)
      return try await Showcaller.run("ledger", "verify", try folder.write("plays.jsonl", changed.joined()))
    }
    let path = folder.path("plays.jsonl")
    let cases: [((inout [String]) -> Void, String)] = [
      ({ $0[3] = $0[3].replacing("quiet", with: "nothing") }, "\(path):4: the line was changed"),
      ({ $0.remove(at: 6) }, "\(path):7: number 7 is missing before it\nhelp: "),
      ({ $0.swapAt(4, 5) }, "\(path):5: number 5 is missing"),
      ({ $0.append($0[8]) }, "\(path):10: the line has number 9 where 10 should be"),
      ({ $0[8].removeLast() }, "\(path):9: the last line is not whole"),
      ({ $0[0] = "\n" }, "\(path):1: the line is no JSON object"),
    ]
    for (change, message) in cases {
      let finished = try await verify(change)
      #expect(finished.exitCode == 1 && finished.output.isEmpty, "\(finished)")
      #expect(finished.errors.hasPrefix("error: \(message)"), "\(finished.errors)")
    }
    let files = try Self.files(folder, lines)
    let missing = try await Showcaller.run("ledger", "verify", files[0], files[2])
    #expect(missing.exitCode == 1 && missing.errors.contains("\(files[2]):1: numbers 4 to 5 are missing"), "\(missing)")
  }

  @Test("A hash is what sha256sum says of the line without it")
  func otherPrograms() async throws {
    let shell = try Running(
      URL(filePath: "/bin/bash"),
      ["-c", "sed -E 's/,\"hash\":\"[0-9a-f]{64}\"\\}$/}/' \(Self.example) | head -n 1 | tr -d '\\n' | sha256sum"],
      in: Showcaller.root)
    shell.closeInput()
    let sum = try await shell.finish().output.prefix(64)
    let text = try String(contentsOf: Showcaller.root.appending(path: Self.example), encoding: .utf8)
    let first = try JSONValue(parsing: String(text.prefix { $0 != "\n" }))
    #expect(first["hash"]?.string == String(sum) && sum.count == 64)
    let verified = try await Showcaller.run("ledger", "verify", Self.example)
    #expect(verified.exitCode == 0, "\(verified)")
  }

  @Test("Plays and the rest of the time are summed up to the clock, as text and as JSON")
  func sum() async throws {
    let text = try await Showcaller.run("ledger", "sum", Self.example)
    #expect(text.exitCode == 0 && text.errors.isEmpty, "\(text)")
    #expect(text.output.contains("croissant      1  20.008s      20s      0\n"), "\(text.output)")
    let json = try await Showcaller.run("ledger", "sum", Self.example, "--by", "screen", "--per", "day", "--json")
    let object = try JSONValue(parsing: Array(json.output.utf8))
    let screen = try #require(object["screens"]?.array?.first)
    #expect(
      screen["period"] == "2026-11-23" && screen["gaps"] == ["yielded": 1810.496] && screen["unrecorded"] == 1.784)
    let parts = ["shown", "unproven", "unrecorded"].compactMap { screen[$0]?.number }.reduce(1810.496, +)
    #expect(abs(parts - (screen["clock"]?.number ?? 0)) < 0.0005)
    #expect(object["plays"]?.array?.first?["plays"] == 2)
  }

  @Test("Damaged lines do not count, are told, and make it 1; a line that is just being written does not")
  func damaged() async throws {
    let folder = try TemporaryFolder()
    var lines = try Self.lines(9)
    lines[4] = lines[4].replacing("quiet", with: "nothing")
    lines[8].removeLast(3)
    let path = try folder.write("plays.jsonl", lines.joined())
    let finished = try await Showcaller.run("ledger", "sum", "--json", path)
    let gaps = try JSONValue(parsing: Array(finished.output.utf8))["screens"]?.array?.first?["gaps"]
    #expect(finished.exitCode == 1 && gaps == ["quiet": 420], "\(finished)")
    #expect(finished.errors.contains("warning: \(path):5: the line was changed"), "\(finished.errors)")
    #expect(finished.errors.contains("warning: \(path):9: the last line is not whole"), "\(finished.errors)")
    let torn = try folder.write("torn.jsonl", String(try Self.lines(3).joined().dropLast()))
    #expect(try await Showcaller.run("ledger", "sum", torn).exitCode == 0)
  }

  @Test("Plays are exported as a table and as a play log")
  func exports() async throws {
    let table = try await Showcaller.run("ledger", "csv", Self.example)
    let rows = table.output.components(separatedBy: "\r\n")
    #expect(table.exitCode == 0 && rows.count == 4 && rows[0].hasPrefix("device_id,site_id,screen_id,"), "\(table)")
    #expect(rows[1].hasPrefix("window-tv,,window-tv,E-1,C-7,2026-11-23T06:00:10.212Z,20.008,program,,"), "\(rows)")
    let log = try await Showcaller.run("ledger", "playlog", Self.example)
    let document = try XMLDocument(xmlString: log.output)
    let ids = try document.nodes(forXPath: "/report/player[@id='window-tv']/contentPlayLog/contentPlayed/contentId")
    #expect(log.exitCode == 0 && ids.map(\.stringValue) == ["E-1", "lunch"], "\(log)")
  }

  @Test(
    "A wrong command line is told in a sentence: 2",
    arguments: [
      (["sums", example], "did you mean `showcaller ledger sum`?"), (["verify"], "missing expected argument"),
      (["verify", "nowhere.jsonl"], "cannot read nowhere.jsonl"),
      (["verify", "playlists"], "cannot read playlists: it is a folder"),
      (["sum", example, "./" + example], "is named twice"), (["sum", example, "--by", "day"], "is invalid for '--by"),
      (["playlog", example, "--screen", "bar"], "nothing was shown on a screen `bar`"),
      (["csv", "/dev/zero"], "cannot read /dev/zero: it is a device"),
    ])
  func wrong(arguments: [String], message: String) async throws {
    let finished = try await Showcaller.start(["ledger"] + arguments).finish()
    #expect(finished.exitCode == 2 && finished.output.isEmpty, "\(finished)")
    #expect(finished.errors.contains(message), "\(finished.errors)")
  }

  @Test("A file that was left is signed: our verify and OpenSSL accept it, and notice what is changed or not signed")
  func signed() async throws {
    let folder = try TemporaryFolder()
    let playlist = try folder.write(
      "shop.yaml",
      """
      playlist: Shop
      timezone: UTC
      device: TV
      ledger: { file: plays.jsonl, sign: true }
      program: [{ play: [{ media: "https://e.com/a.jpg", for: 30s }] }]

      """)
    let environment = ["XDG_STATE_HOME": folder.path("state"), "XDG_CACHE_HOME": folder.path("cache")]
    let serving = try Showcaller.start(
      [
        "serve", playlist, "--virtual", "--from", "2026-11-23 23:57", "--speed", "60x", "--for", "8m", "--ledger",
        folder.path("plays.jsonl"),
      ], environment: environment, limit: 60)
    #expect(try await serving.finish().exitCode == 0)
    let (first, second) = (folder.path("plays-2026-11-23.jsonl"), folder.path("plays-2026-11-24.jsonl"))
    func showcaller(_ arguments: String...) async throws -> Finished {
      try await Showcaller.start(arguments, environment: environment, limit: 60).finish()
    }
    let own = try await showcaller("ledger", "verify", first, second)
    #expect(own.exitCode == 0 && own.output.contains(", signed by this computer\n"), "\(own.output)\(own.errors)")
    let key = try folder.write("key.pem", try await showcaller("ledger", "key").output)
    let others = try await Showcaller.run("ledger", "verify", first, second, "--key", key)
    #expect(others.exitCode == 0, "\(others.errors)")
    #expect(others.output.contains(", signed\n") && others.output.contains(", not signed yet\n"), "\(others.output)")
    // OpenSSL, with the hash of the last line.
    let last = try #require(try String(contentsOfFile: first, encoding: .utf8).split(separator: "\n").last)
    let hash = try folder.write("hash", try #require(JSONValue(parsing: String(last))["hash"]?.string))
    let openSSL = try Running(
      URL(filePath: "/usr/bin/env"),
      ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin", "-in", hash, "-sigfile", first + ".sig"],
      environment: [:], in: folder.url, limit: 20)
    #expect(try await openSSL.finish().output.contains("Verified Successfully"))
    // A last line that was cut off breaks no chain, and still is found.
    let whole = try String(contentsOfFile: first, encoding: .utf8)
    let kept = whole.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
    try kept.write(toFile: first, atomically: false, encoding: .utf8)
    let cut = try await Showcaller.run("ledger", "verify", first, "--key", key)
    #expect(cut.exitCode == 1 && cut.errors.contains("is not as it was signed"), "\(cut.errors)")
    try whole.write(toFile: first, atomically: false, encoding: .utf8)
    try FileManager.default.removeItem(atPath: first + ".sig")
    let bare = try await Showcaller.run("ledger", "verify", first, second, "--key", key)
    #expect(bare.exitCode == 1 && bare.errors.contains("is not signed"), "\(bare.errors)")
    let noKey = try await Showcaller.run("ledger", "verify", first, "--key", hash)
    #expect(noKey.exitCode == 2 && noKey.errors.contains("is no public key"))
  }
}
