import CastProtocol
import Foundation
import Testing

/// `showcaller week` and `showcaller at`.
@Suite struct WeekTests {
  private static let cafe = "playlists/cafe.yaml"

  private static func json(_ finished: Finished) throws -> JSONValue {
    #expect(finished.exitCode == 0 && finished.errors.isEmpty, "\(finished.errors)")
    return try JSONValue(parsing: Array(finished.output.utf8))
  }

  /// The date in Paris.
  private static func today() throws -> String {
    let zone = try #require(TimeZone(identifier: "Europe/Paris"))
    let now = Date()
    return String(now.addingTimeInterval(Double(zone.secondsFromGMT(for: now))).ISO8601Format().prefix(10))
  }

  @Test("The week of a playlist is text, one JSON object or a calendar; the first day is today unless it is given")
  func week() async throws {
    let text = try await Showcaller.run("week", Self.cafe, "--from", "2026-12-21")
    #expect(text.exitCode == 0 && text.errors.isEmpty && text.output.contains("\nMon 21 Dec  dd"), "\(text)")
    let json = try Self.json(try await Showcaller.run("week", Self.cafe, "--from", "2026-12-21", "--json"))
    #expect(json["from"] == "2026-12-21T00:00:00+01:00" && json["gapSeconds"] == 0)
    // Midnight may pass while the command runs.
    let before = try Self.today()
    let today = try Self.json(try await Showcaller.run("week", Self.cafe, "--json"))
    let from = String(try #require(today["from"]?.string).prefix(10))
    #expect([before, try Self.today()].contains(from))
    let calendar = try await Showcaller.run("week", Self.cafe, "--from", "2026-12-21", "--ics")
    #expect(calendar.output.hasPrefix("BEGIN:VCALENDAR\r\n") && calendar.output.hasSuffix("\r\nEND:VCALENDAR\r\n"))
  }

  @Test("A moment is explained by its line and its next change, as text and as JSON")
  func at() async throws {
    let text = try await Showcaller.run("at", "2026-12-24 18:30", Self.cafe)
    #expect(text.exitCode == 0 && text.errors.isEmpty, "\(text.errors)")
    #expect(text.output.contains("decided by   program[0], line 23: 2026-12-24..2026-12-26\n"), "\(text.output)")
    #expect(text.output.contains("next change  Fri 25 December 2026 01:00, in 6h30m: quiet"), "\(text.output)")
    let json = try Self.json(try await Showcaller.run("at", "2026-12-24T18:30", Self.cafe, "--json"))
    let moment = try #require(json["moments"]?.array?.first)
    #expect(moment["rule"] == 0 && moment["decidedBy"]?["line"] == 23 && moment["play"] == ["xmas"])
    #expect(moment["next"]?["at"] == "2026-12-25T01:00:00+01:00" && moment["next"]?["shows"] == "quiet")
    // What it prints it reads.
    for moment in ["2026-12-24T18:30:00+01:00", "2026-12-24T17:30:00Z"] {
      let same = try await Showcaller.run("at", moment, Self.cafe)
      #expect(same.exitCode == 0 && same.output == text.output, "\(moment): \(same)")
    }
    let today = try Self.json(try await Showcaller.run("at", "18:30", Self.cafe, "--json"))
    #expect(today["reading"]?.string?.hasSuffix(" 18:30") == true)
    let now = try Self.json(try await Showcaller.run("at", "now", Self.cafe, "--json"))
    // It is one moment, also in the hour that comes twice.
    #expect(now["exists"] != "never" && now["moments"]?.array?.count == 1)
  }

  @Test("No answer steers a terminal, whatever the document says", arguments: [["--json"], ["--ics"], []])
  func controls(format: [String]) async throws {
    let folder = try TemporaryFolder()
    let text =
      #"{ playlist: "a\x9b31m\u202eb", timezone: UTC, device: TV, program: [{ play: [https://e.com/a.jpg] }] }"#
    let file = try folder.write("p.yaml", text + "\n")
    for words in [["week", file, "--from", "2026-12-21"], ["at", "now", file]] {
      guard words[0] == "week" || format != ["--ics"] else { continue }
      let finished = try await Showcaller.start(words + format).finish()
      #expect(finished.exitCode == 0 && finished.errors.isEmpty, "\(finished)")
      #expect(!finished.output.unicodeScalars.contains { (0x7F..<0xA0).contains($0.value) || $0.value == 0x202E })
      #expect(format != ["--json"] || finished.output.contains(#""title":"a\u009b31m\u202eb""#), "\(finished.output)")
    }
  }

  @Test("A playlist without a time zone goes by the computer's clock")
  func computersClock() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "p.yaml", "playlist: P\ndevice: TV\nprogram: [{ play: [https://e.com/a.jpg] }]\n")
    let finished = try await Showcaller.run(
      "week", file, "--from", "2026-12-21", "--json", environment: ["TZ": "Asia/Kolkata"])
    #expect(finished.output.contains(#""from":"2026-12-21T00:00:00+05:30""#), "\(finished)")
  }

  @Test("A computer whose zone is not known has no week: 3, and what to do")
  func unknownClock() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("p.yaml", "playlist: P\ndevice: TV\nprogram: [{ play: [https://e.com/a.jpg] }]\n")
    for words in [["week"], ["at", "now"]] {
      let finished = try await Showcaller.start(words + [file], environment: ["TZ": "Mars/Phobos"]).finish()
      #expect(finished.exitCode == 3 && finished.output.isEmpty, "\(finished)")
      #expect(finished.errors.contains("this computer's zone, Mars/Phobos,"), "\(finished.errors)")
      #expect(finished.errors.contains("write `timezone: Europe/Paris`"), "\(finished.errors)")
    }
  }

  @Test(
    "What is wrong is told as everywhere: 3 for a document, 2 for the command line",
    arguments: [
      (["at", "soon", cafe], 2, "`soon` is not a date and a time"),
      (["at", "2026-12-24", cafe], 2, "not a date and a time"),
      (["at", "2026-12-24", cafe], 2, "`18:30` for today, `2026-12-24T18:30:00+01:00`, or `now`"),
      (["at", "2026-12-24", "18:30", cafe], 2, "in quotes: `showcaller at \"2026-12-24 18:30\" \(cafe)`"),
      (["at", "--json", "2026-12-24", "18:30:15", "--set", "a=b", cafe], 2, "at \"2026-12-24 18:30:15\" \(cafe)`"),
      (["at", cafe, "2026-12-24", "18:30"], 2, "in quotes: `showcaller at \"2026-12-24 18:30\" \(cafe)`"),
      (["at", "2026-12-24", "18:30"], 2, "in quotes: `showcaller at \"2026-12-24 18:30\" FILE`"),
      (["at", cafe, "now"], 2, "the moment comes first: `showcaller at now \(cafe)`"),
      (["at", cafe, "2026-12-24 18:30"], 2, "comes first: `showcaller at \"2026-12-24 18:30\" \(cafe)`"),
      (["at", cafe], 2, "error: the moment is missing\nhelp: for this moment: `showcaller at now \(cafe)`"),
      (["at", "18:30"], 2, "error: the playlist is missing\nhelp: name it: `showcaller at 18:30 FILE`"),
      (["week", cafe, "--from", "monday"], 2, "`monday` is not a day"),
      (["week", cafe, "--json", "--ics"], 2, "exclude each other"),
      (["week", "examples/ads.yaml"], 2, "is a scenario"),
      (["at", "now", "nowhere.yaml"], 2, "cannot read nowhere.yaml"),
    ] as [([String], Int32, String)])
  func wrong(arguments: [String], code: Int32, message: String) async throws {
    let finished = try await Showcaller.start(arguments).finish()
    #expect(finished.exitCode == code && finished.output.isEmpty, "\(finished)")
    #expect(finished.errors.contains(message), "\(finished.errors)")
  }

  @Test("A document with mistakes has no week: 3, with what `check` tells", arguments: [["week"], ["at", "now"]])
  func invalid(words: [String]) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("p.yaml", "playlist: P\ntimezone: UTC\ndevice: TV\nprogram: [{ plai: [a] }]\n")
    let finished = try await Showcaller.start(words + [file]).finish()
    #expect(finished.exitCode == 3 && finished.output.isEmpty && finished.errors.contains("error[K101]"), "\(finished)")
  }
}
