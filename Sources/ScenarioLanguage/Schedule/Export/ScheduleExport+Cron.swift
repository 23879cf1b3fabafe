extension ScheduleExport {
  /// Lines of a crontab of the cron that Debian and most others have (crontab(5)).
  mutating func addCron(_ schedule: Schedule, of subject: Subject) throws(Failure) {
    try refuseOverlap(schedule, "cron")
    warnOfClocks(schedule, "cron", skips: false)
    if schedule.missedWithin != nil {
      throw Failure(
        message: "cron cannot do `missed: run_once`", help: "`--systemd` and `showcaller serve` can; or leave it out",
        span: schedule.span)
    }
    if schedule.timeZone != nil {
      warn(
        "only some crons know `CRON_TZ` (cronie, dcron's successors, Go's): with Debian's the times are by the "
          + "computer's own clock")
    }
    var text = schedule.timeZone.map { "CRON_TZ=\($0)\n" } ?? ""
    for fields in try Self.fields(of: schedule) {
      // `flock` leaves a run out while the last one goes on. It locks the document: a lock file in /tmp could be another
      // user's. Cron takes `%` for the end of a line.
      let jitter = Int(schedule.jitter.components.seconds)
      let delay = jitter > 0 ? "sleep $(shuf -i 0-\(jitter) -n 1); " : ""
      let words = ["flock", "-n", subject.path, subject.program, "run"] + subject.options + [subject.path]
      let command = delay + words.map(ShellWord.quoted).joined(separator: " ")
      text += "\(fields) \(command.replacing("%", with: "\\%"))\n"
    }
    files.append(File(name: "\(subject.name).cron", text: text))
  }

  /// The five fields, once or more often.
  static func fields(of schedule: Schedule) throws(Failure) -> [String] {
    switch schedule.recurrence {
    case .cron(let cron): return [cron.text]
    case .at(let times, let days): return try fields(times, days, schedule)
    case .every(let seconds, let days):
      if seconds < 3_600, 3_600 % max(1, seconds) == 0, seconds % 60 == 0 {
        return ["\(seconds == 60 ? "*" : "*/\(seconds / 60)") * * * \(weekdayField(days))"]
      }
      return try fields(Array(stride(from: 0, to: 86_400, by: max(1, seconds))), days, schedule)
    }
  }

  private static func fields(_ times: [Int], _ days: Set<Int>, _ schedule: Schedule) throws(Failure) -> [String] {
    guard times.allSatisfy({ $0 % 60 == 0 }) else {
      throw Failure(
        message: "cron knows no seconds", help: "`--systemd` and `showcaller serve` do; or name whole minutes",
        span: schedule.span)
    }
    // Times of one minute are one line.
    let byMinute = Dictionary(grouping: times) { $0 / 60 % 60 }
    return byMinute.keys.sorted().map { minute in
      let hours = (byMinute[minute] ?? []).map { "\($0 / 3_600)" }
      return "\(minute) \(hours.count == 24 ? "*" : hours.joined(separator: ",")) * * \(weekdayField(days))"
    }
  }

  private static func weekdayField(_ days: Set<Int>) -> String {
    days.count == 7 ? "*" : days.map { ($0 + 1) % 7 }.sorted().map(String.init).joined(separator: ",")
  }
}
