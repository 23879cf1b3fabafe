import CastProtocol
import Foundation
import TestSupport
import Testing

/// `showcaller schedule`, judged by systemd and by another reader of YAML.
@Suite struct ScheduleTests {
  private static func scenario(_ schedules: String) -> String {
    "scenario: Night's \"check\" 100%\nid: nightly\ndevice: TV\nschedule: [\(schedules)]\nsteps: [{ log: a }]\n"
  }

  @Test("The next times are told by the schedule's clock, with what it does on nights when it changes")
  func next() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.yaml", Self.scenario("{ cron: \"30 2 * * sun\", timezone: Europe/Paris }"))
    let all = try await Showcaller.run("schedule", "next", "-n", "3", "--from", "2027-03-20 00:00", file)
    #expect(
      all.output == """
        Sun 21 March 2027 02:30 Europe/Paris
        Sun 28 March 2027 03:00 Europe/Paris, clocks go forward here
        Sun 4 April 2027 02:30 Europe/Paris

        """, "\(all.errors)")
    let json = try await Showcaller.run(
      "schedule", "next", "-n", "1", "--json", "--from", "2027-10-30 00:00", file)
    let object = try JSONValue(parsing: json.output.trimmingCharacters(in: .whitespacesAndNewlines))
    #expect(
      object["t"] == "2027-10-31T02:30:00+02:00" && object["note"] == "the clock shows this twice", "\(json.output)")
  }

  static let wrong: [(text: String, arguments: [String], words: String)] = [
    ("scenario: S\ndevice: TV\nsteps: [{ log: a }]\n", ["next"], "has no `schedule`"),
    ("playlist: P\ntimezone: UTC\ndevice: TV\nprogram: [{ play: [https://e.com/a.jpg] }]\n", ["next"], "is a playlist"),
    (scenario("{ every: 5m }"), ["next", "--from", "soon"], "`soon` is not a date and a time"),
    (scenario("{ every: 5m, overlap: queue }"), ["export", "--cron"], "a.yaml:4: cron cannot do `overlap: queue`"),
  ]

  @Test("What has no schedule, or one that cannot be exported, is 2 with what to do", arguments: wrong)
  func refused(text: String, arguments: [String], words: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.yaml", text)
    let all = try await Showcaller.start(["schedule"] + arguments + [file], limit: 30).finish()
    #expect(all.exitCode == 2 && all.errors.contains(words) && all.output.isEmpty, "\(all.errors)")
  }

  private static let cases = [
    // The nights when clocks change, in 2026 and 2027, but for the times that systemd leaves out.
    "{ cron: \"*/30 3,4 * oct,nov,mar sun\", timezone: Europe/Paris }",
    "{ at: [\"00:30\", \"03:00\"], days: sun, timezone: America/New_York }",
    "{ cron: \"*/20 6-8 * * mon-fri\", timezone: Europe/Paris }",
    "{ cron: \"30 2 13 * fri\", timezone: America/New_York }",
    "{ at: [\"04:30\", \"16:05\"], days: \"sat,sun\", timezone: Asia/Kolkata, missed: run_once, jitter: 30s }",
    "{ cron: \"0 12 29 feb *\", timezone: Europe/Paris }",
  ]

  @Test(
    "systemd accepts the units and comes to the same times",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")), arguments: cases)
  func systemd(schedule: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("50% off a b.yaml", Self.scenario(schedule))
    let out = folder.path("units")
    let export = try await Showcaller.run("schedule", "export", "--systemd", "--out", out, file)
    #expect(export.exitCode == 0, "\(export.errors)")
    let units = export.output.split(separator: "\n").map(String.init)
    let verify = try Running(
      URL(filePath: "/usr/bin/systemd-analyze"), ["verify", "--man=no"] + units, environment: [:], in: folder.url,
      limit: 30)
    let verified = try await verify.finish()
    #expect(verified.exitCode == 0 && !verified.errors.contains("units/"), "\(verified.errors)")
    // All lines of the timer together have the times of the schedule.
    let timer = try String(contentsOfFile: try #require(units.last), encoding: .utf8)
    let calendars = timer.split(separator: "\n").filter { $0.hasPrefix("OnCalendar=") }.map { String($0.dropFirst(11)) }
    var theirs: Set<Int> = []
    for calendar in calendars {
      let analyze = try Running(
        URL(filePath: "/usr/bin/systemd-analyze"),
        ["calendar", "--iterations=8", "--base-time=2026-11-24 12:00:00 UTC", calendar], environment: ["TZ": "UTC"],
        in: folder.url, limit: 30)
      let output = try await analyze.finish().output
      let lines = output.split(separator: "\n").filter {
        $0.contains("in UTC:") || ($0.contains("UTC") && $0.contains("Iter")) || $0.contains("Next elapse")
      }
      for line in lines {
        let words = line.split(separator: " ")
        guard words.last == "UTC", words.count >= 3 else { continue }
        theirs.insert(try Self.time("\(words[words.count - 3])T\(words[words.count - 2])Z"))
      }
    }
    let next = try await Showcaller.run(
      "schedule", "next", "-n", "8", "--json", "--from", "2026-11-24T12:00:00Z", file)
    let ours = try next.output.split(separator: "\n").map { try #require(JSONValue(parsing: String($0))["unix"]?.int) }
    #expect(ours.count == 8 && Array(theirs.sorted().prefix(8)) == ours, "\(calendars)")
  }

  @Test(
    "systemd leaves out what clocks skip, as `export` warns",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
  func skippedBySystemd() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.yaml", Self.scenario("{ at: \"02:30\", timezone: Europe/Paris }"))
    let export = try await Showcaller.run("schedule", "export", "--systemd", file)
    #expect(export.exitCode == 0 && export.errors.contains("systemd leaves out a time"), "\(export.errors)")
    let calendar = try #require(export.output.firstMatch(of: /OnCalendar=([^\n]+)/)).1
    let analyze = try Running(
      URL(filePath: "/usr/bin/systemd-analyze"),
      ["calendar", "--iterations=2", "--base-time=2027-03-27 00:00:00 UTC", String(calendar)],
      environment: ["TZ": "UTC"], in: folder.url, limit: 30)
    let output = try await analyze.finish().output
    #expect(output.contains("2027-03-27 01:30:00 UTC") && output.contains("2027-03-29 00:30:00 UTC"), "\(output)")
    let next = try await Showcaller.run(
      "schedule", "next", "-n", "2", "--json", "--from", "2027-03-27T00:00:00Z", file)
    #expect(next.output.contains("2027-03-28"), "\(next.output)")
  }

  static let crontabs = [
    "{ cron: \"*/20 6-8 * * mon-fri\", timezone: Europe/Paris }",
    "{ cron: \"30 2 13 * fri\", timezone: America/New_York }",
    "{ cron: \"5 4 */3 jan-mar sun,wed\", timezone: Asia/Kolkata }",
    "{ cron: \"0 12 29 feb *\", timezone: UTC }",
    "{ at: [\"04:30\", \"16:05\", \"16:30\"], days: \"sat,sun\", timezone: Australia/Lord_Howe }",
    "{ at: \"23:59\", timezone: America/St_Johns }, { at: \"00:00\", days: weekdays, timezone: America/St_Johns }",
    "{ every: 90m }", "{ every: 20m }, { at: \"08:10\", timezone: Europe/Berlin }",
  ]

  @Test("Another reader of cron lines comes to the same times", arguments: crontabs)
  func croniter(schedules: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.yaml", Self.scenario(schedules))
    let export = try await Showcaller.start(["schedule", "export", "--cron", file], environment: ["TZ": "UTC"])
      .finish()
    #expect(export.exitCode == 0, "\(export.errors)")
    let python = try #require(PeerTests.python)
    for start in ["2026-11-24T12:00:00Z", "2027-03-05T00:00:00Z", "2027-10-29T00:00:00Z"] {
      let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/cron_times.py").path
      let reading = try Running(
        python, [script, try folder.write("a.cron", export.output), "\(try Self.time(start))", "40"], in: folder.url,
        limit: 30)
      let finished = try await reading.finish()
      let theirs = finished.output.split(separator: "\n").compactMap { Int($0) }
      let next = try await Showcaller.start(
        ["schedule", "next", "-n", "40", "--json", "--from", start, file], environment: ["TZ": "UTC"]
      ).finish()
      let ours = try next.output.split(separator: "\n").map {
        try #require(JSONValue(parsing: String($0))["unix"]?.int)
      }
      // `next` looks 40 years ahead.
      #expect(ours.count >= 10 && theirs.starts(with: ours), "\(start) \(export.output)\(finished.errors)")
    }
  }

  @Test("What is given on the command line is part of what is exported, with paths that any folder finds")
  func given() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "a.yaml", Self.scenario("{ at: \"04:30\", timezone: UTC }") + "vars: { name: x, n: 1 }\n")
    _ = try folder.write("more vars.yaml", "n: 2\n")
    let program = try folder.write("words", "#!/bin/sh\nprintf '<%s>' \"$@\"\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let arguments = ["--set", "name=it's 5% $HOME", "--vars", "more vars.yaml", "a.yaml"]
    let export = try await Running(
      Showcaller.binary, ["schedule", "export", "--cron", "--program", program] + arguments, in: folder.url, limit: 30
    ).finish()
    #expect(export.exitCode == 0, "\(export.errors)")
    // As cron does: five fields, then a command for the shell, in which `\%` is `%`.
    let command = export.output.split(separator: " ", maxSplits: 5).last.map { String($0).replacing("\\%", with: "%") }
    let run = try await Running(
      URL(filePath: "/bin/sh"), ["-c", try #require(command)], in: URL(filePath: "/"), limit: 30
    ).finish()
    let place = folder.url.resolvingSymlinksInPath().path
    #expect(
      run.output == "<run><--set><name=it's 5% $HOME><--vars><\(place)/more vars.yaml><\(place)/a.yaml>",
      "\(run.output)\(run.errors)")
    let secret = try folder.write("b.yaml", Self.scenario("{ every: 5m }") + "secrets: { a: { env: A } }\n")
    let refused = try await Showcaller.run("schedule", "export", "--cron", "--secret", "a=@-", secret)
    #expect(refused.exitCode == 2 && refused.errors.contains("another scheduler"), "\(refused.errors)")
  }

  private static func time(_ text: String) throws -> Int {
    Int(try Date(text, strategy: .iso8601).timeIntervalSince1970)
  }

  @Test("Another reader of YAML finds a CronJob with the fields of its schema")
  func kubernetes() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "a.yaml",
      Self.scenario(
        "{ at: \"02:30\", timezone: Europe/Paris, overlap: replace, missed: run_once, within: 2h, jitter: 9s }"))
    let export = try await Showcaller.run(
      "schedule", "export", "--kubernetes", "--image", "r.example/showcaller:1", file)
    #expect(export.exitCode == 0, "\(export.errors)")
    let reader = """
      import json, sys, yaml
      job = yaml.safe_load(open(sys.argv[1]))
      spec = job["spec"]
      pod = spec["jobTemplate"]["spec"]["template"]["spec"]
      container = pod["containers"][0]
      print(json.dumps([job["apiVersion"], job["kind"], job["metadata"]["name"], spec["schedule"], spec["timeZone"],
        spec["concurrencyPolicy"], spec["startingDeadlineSeconds"], pod["restartPolicy"], container["image"],
        container["command"][:4], container["command"][4:]]))
      """
    let peers = try #require(ProcessInfo.processInfo.environment["SHOWCALLER_PEERS"])
    let reading = try Running(
      URL(filePath: "\(peers)/bin/python3"), ["-c", reader, try folder.write("job.yaml", export.output)],
      environment: [:], in: folder.url, limit: 30)
    let finished = try await reading.finish()
    let path = URL(filePath: file).resolvingSymlinksInPath().path
    #expect(
      try JSONValue(parsing: finished.output.trimmingCharacters(in: .whitespacesAndNewlines)) == [
        "batch/v1", "CronJob", "showcaller-nightly", "30 2 * * *", "Europe/Paris", "Replace", 7_200, "Never",
        "r.example/showcaller:1", ["sh", "-c", "sleep $(shuf -i 0-9 -n 1); exec \"$@\"", "sh"],
        ["showcaller", "run", .string(path)],
      ], "\(finished.output)\(finished.errors)")
  }
}
