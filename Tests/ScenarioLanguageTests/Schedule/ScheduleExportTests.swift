import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct ScheduleExportTests {
  private static func schedules(_ text: String) throws -> [Schedule] {
    let outcome = PlanCompiler.compile(
      SourceFile("scenario: S\ndevice: TV\nschedule: [\(text)]\nsteps: [{ log: a }]\n"))
    return try Compiling.plan(of: outcome).schedules
  }

  private static func subject(_ path: String = "/srv/a.yaml", id: String = "Nightly 1") -> ScheduleExport.Subject {
    .init(id: id, title: "Nightly", path: path, program: "/usr/bin/showcaller", image: "showcaller:1")
  }

  private static func export(_ text: String, _ target: ScheduleExport.Target) throws -> ScheduleExport {
    try ScheduleExport(try schedules(text), of: subject(), for: target)
  }

  private static let paris = "timezone: Europe/Paris"

  static let calendars: [(schedule: String, lines: [String])] = [
    ("{ cron: \"*/15 6-8 * * *\", \(paris) }", ["*-*-* 06,07,08:00,15,30,45:00 Europe/Paris"]),
    ("{ cron: \"30 2 1 * mon\", \(paris) }", ["*-*-01 02:30:00 Europe/Paris", "Mon *-*-* 02:30:00 Europe/Paris"]),
    ("{ cron: \"0 * * jan,jul 1-5\", \(paris) }", ["Mon,Tue,Wed,Thu,Fri *-01,07-* *:00:00 Europe/Paris"]),
    (
      "{ cron: \"5 4 */2 * sun\", \(paris) }",
      ["Sun *-*-01,03,05,07,09,11,13,15,17,19,21,23,25,27,29,31 04:05:00 Europe/Paris"]
    ),
    (
      "{ at: [\"04:30\", \"16:00:10\"], days: weekdays, \(paris) }",
      ["Mon,Tue,Wed,Thu,Fri *-*-* 04:30:00 Europe/Paris", "Mon,Tue,Wed,Thu,Fri *-*-* 16:00:10 Europe/Paris"]
    ),
    ("{ every: 20m }", ["*-*-* *:00,20,40:00"]),
    ("{ every: 8h }", ["*-*-* 00:00:00", "*-*-* 08:00:00", "*-*-* 16:00:00"]),
  ]

  @Test("A schedule is expressions of systemd that name its times", arguments: calendars)
  func systemd(schedule: String, lines: [String]) throws {
    #expect(ScheduleExport.calendars(of: try Self.schedules(schedule)[0]) == lines)
    let timer = try #require(try Self.export(schedule, .systemd).files.last)
    #expect(timer.name == "showcaller-nightly-1.timer")
    #expect(
      timer.text.split(separator: "\n").filter { $0.hasPrefix("OnCalendar=") }.map(String.init)
        == lines.map { "OnCalendar=" + $0 })
  }

  @Test("Jitter and missed runs are the timer's; words of the command are as systemd reads them")
  func systemdWords() throws {
    let schedules = try Self.schedules("{ at: \"04:30\", \(Self.paris), jitter: 90s, missed: run_once, within: 2h }")
    let export = try ScheduleExport(
      schedules, of: Self.subject("/srv/50% of $HOME/a \"b\"\\.yaml"), for: .systemd)
    #expect(
      export.files[0].text.contains("\"run\" \"/srv/50%% of $$HOME/a \\\"b\\\"\\\\.yaml\"\n"), "\(export.files[0].text)"
    )
    #expect(export.files[1].text.contains("RandomizedDelaySec=90s\nPersistent=true\n"))
    #expect(export.warnings.count == 1 && export.warnings[0].contains("`within: 2h`"), "\(export.warnings)")
  }

  static let lines: [(schedule: String, lines: [String])] = [
    ("{ cron: \"*/15 6-22 * * mon-fri\", \(paris) }", ["CRON_TZ=Europe/Paris", "*/15 6-22 * * mon-fri "]),
    (
      "{ at: [\"04:30\", \"16:30\", \"05:00\"], days: \"mon,sun\", \(paris) }",
      ["CRON_TZ=Europe/Paris", "0 5 * * 0,1 ", "30 4,16 * * 0,1 "]
    ),
    ("{ every: 20m }", ["*/20 * * * * "]), ("{ every: 1m }", ["* * * * * "]),
    ("{ every: 90m }", ["0 0,3,6,9,12,15,18,21 * * * ", "30 1,4,7,10,13,16,19,22 * * * "]),
  ]

  @Test("A schedule is lines of a crontab, each behind a lock", arguments: lines)
  func cron(schedule: String, lines: [String]) throws {
    let file = try #require(try Self.export(schedule, .cron).files.first)
    let command = "flock -n /srv/a.yaml /usr/bin/showcaller run /srv/a.yaml"
    let expected = lines.map { $0.hasPrefix("CRON_TZ") ? $0 : $0 + command }
    #expect(file.text.split(separator: "\n").map(String.init) == expected, "\(file.text)")
  }

  @Test("A schedule without a zone comes before the first CRON_TZ, which goes on to the end")
  func zones() throws {
    let file = try #require(try Self.export("{ at: \"04:30\", \(Self.paris) }, { every: 20m }", .cron).files.first)
    #expect(file.text.hasPrefix("*/20 * * * * ") && file.text.contains("\nCRON_TZ=Europe/Paris\n30 4"), "\(file.text)")
  }

  @Test("Words of a crontab's command survive the shell, and cron, which ends a line at `%`")
  func cronWords() throws {
    let schedules = try Self.schedules("{ at: \"04:30\", \(Self.paris), jitter: 90s }")
    let text = try ScheduleExport(schedules, of: Self.subject("/srv/5% o'clock.yaml"), for: .cron).files[0].text
    #expect(text.contains("30 4 * * * sleep $(shuf -i 0-90 -n 1); flock -n"), "\(text)")
    #expect(text.contains("run '/srv/5\\% o'\\''clock.yaml'\n"), "\(text)")
  }

  static let refused: [(schedule: String, target: ScheduleExport.Target, message: String)] = [
    ("{ every: 5m, overlap: queue }", .systemd, "systemd cannot do `overlap: queue`"),
    ("{ every: 5m, overlap: replace }", .cron, "cron cannot do `overlap: replace`"),
    ("{ every: 5m, overlap: queue }", .kubernetes, "Kubernetes cannot do `overlap: queue`"),
    ("{ every: 5m, missed: run_once }", .cron, "cron cannot do `missed: run_once`"),
    ("{ at: \"04:30:15\", \(paris) }", .cron, "cron knows no seconds"),
    ("{ at: \"04:30:15\", \(paris) }", .kubernetes, "cron knows no seconds"),
  ]

  @Test("What another scheduler cannot do is an error that says who can", arguments: refused)
  func refusals(schedule: String, target: ScheduleExport.Target, message: String) throws {
    let error = #expect(throws: ScheduleExport.Failure.self) { try Self.export(schedule, target) }
    #expect(error?.message == message && error?.help.contains("`showcaller serve`") == true && error?.span.line == 3)
  }

  @Test("Clocks that change by other rules are a warning, where it matters", arguments: ScheduleExport.Target.allCases)
  func clocks(target: ScheduleExport.Target) throws {
    let dst = "dst: { missing: skip, repeated: twice }"
    #expect(
      try Self.export("{ at: \"02:30\", \(Self.paris), \(dst) }", target).warnings.contains { $0.contains("`dst`") })
    #expect(try !Self.export("{ every: 30m, \(dst) }", target).warnings.contains { $0.contains("`dst`") })
  }

  @Test("A time at night that clocks may skip is told where the other scheduler leaves it out")
  func skipped() throws {
    for (target, isTold) in [(ScheduleExport.Target.systemd, true), (.kubernetes, true), (.cron, false)] {
      for (schedule, isAtNight) in [
        ("{ at: \"02:30\", \(Self.paris) }", true), ("{ cron: \"15 1-3 13 * fri\", \(Self.paris) }", true),
        ("{ at: \"12:30\", \(Self.paris) }", false), ("{ at: \"02:30\", timezone: UTC }", false),
        ("{ at: \"02:30\", \(Self.paris), dst: { missing: skip } }", false),
      ] {
        let told = try Self.export(schedule, target).warnings.contains { $0.contains("leaves out a time") }
        #expect(told == (isTold && isAtNight), "\(target) \(schedule)")
      }
    }
  }

  @Test("Several schedules are several units, and one file for cron and Kubernetes")
  func several() throws {
    let two = "{ every: 5m }, { every: 7h }"
    #expect(
      try Self.export(two, .systemd).files.map(\.name) == [
        "showcaller-nightly-1-1.service", "showcaller-nightly-1-1.timer", "showcaller-nightly-1-2.service",
        "showcaller-nightly-1-2.timer",
      ])
    #expect(try Self.export(two, .cron).files.map(\.name) == ["showcaller-nightly-1.cron"])
    let jobs = try Self.export(two, .kubernetes).files
    #expect(jobs.map(\.name) == ["showcaller-nightly-1.yaml"])
    #expect(jobs[0].text.split(separator: "\n").count { $0 == "---" } == 1)
    #expect(Self.subject(id: "Über/..").name == "showcaller-ber" && Self.subject(id: "…").name == "showcaller-scenario")
  }
}
