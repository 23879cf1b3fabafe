extension ScheduleExport {
  /// A service and its timer (systemd.timer(5), systemd.time(7)).
  mutating func addSystemd(_ schedule: Schedule, of subject: Subject, called name: String) throws(Failure) {
    try refuseOverlap(schedule, "systemd")
    warnOfClocks(schedule, "systemd", skips: true)
    if let within = schedule.missedWithin {
      warn("systemd runs what was missed however late it is: `within: \(within.spelled)` is not exported")
    }
    let title = Self.unitText(subject.title)
    let service = """
      [Unit]
      Description=\(title)
      Documentation=man:showcaller(1)
      Wants=network-online.target
      After=network-online.target avahi-daemon.service

      [Service]
      Type=oneshot
      StateDirectory=showcaller
      WorkingDirectory=%S/showcaller
      Environment=XDG_STATE_HOME=%S XDG_CONFIG_HOME=%E
      ExecStart=\(([subject.program, "run"] + subject.options + [subject.path]).map(Self.word).joined(separator: " "))

      """
    var timer = """
      [Unit]
      Description=\(title): when it runs
      Documentation=man:showcaller(1)

      [Timer]

      """
    for line in Self.calendars(of: schedule) { timer += "OnCalendar=\(line)\n" }
    timer += "AccuracySec=1s\n"
    if schedule.jitter > .zero { timer += "RandomizedDelaySec=\(Int(schedule.jitter.components.seconds))s\n" }
    if schedule.missedWithin != nil { timer += "Persistent=true\n" }
    timer += "\n[Install]\nWantedBy=timers.target\n"
    files.append(File(name: "\(name).service", text: service))
    files.append(File(name: "\(name).timer", text: timer))
  }

  /// A word of `ExecStart=`: in quotes, with what systemd would replace doubled.
  private static func word(_ text: String) -> String {
    var word = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%", "$": word += "\(scalar)\(scalar)"
      case "\"", "\\": word += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: word += "\\x" + ScalarText.hex(scalar.value)
      default: word.unicodeScalars.append(scalar)
      }
    }
    return "\"\(word)\""
  }

  /// Text of one line, in which `%` begins nothing.
  private static func unitText(_ text: String) -> String {
    let line = text.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) }
    let plain = String(line).replacing("%", with: "%%")
    return plain.hasSuffix("\\") ? plain + " " : plain
  }

  /// Expressions that together name the readings of a schedule.
  static func calendars(of schedule: Schedule) -> [String] {
    let zone = schedule.timeZone.map { " \($0)" } ?? ""
    switch schedule.recurrence {
    case .at(let times, let days): return times.map { "\(weekdays(days))*-*-* \(clock($0))\(zone)" }
    case .every(let seconds, let days):
      let times = Array(stride(from: 0, to: 86_400, by: max(1, seconds)))
      // What comes in every hour alike is one line.
      if seconds < 3_600, 3_600 % seconds == 0, seconds % 60 == 0 {
        return ["\(weekdays(days))*-*-* *:\(list(stride(from: 0, to: 60, by: seconds / 60).map { $0 })):00\(zone)"]
      }
      return times.map { "\(weekdays(days))*-*-* \(clock($0))\(zone)" }
    case .cron(let cron):
      let months = list(cron.months.count == 12 ? nil : Array(cron.months))
      let time = "\(list(cron.hours.count == 24 ? nil : cron.hours)):\(list(cron.minutes)):00"
      let monthDays = list(cron.days.count == 31 ? nil : Array(cron.days))
      if cron.joinsDaysByOr {
        // The two days of cron that are joined by "or" are two lines; a moment that both name is one.
        return [
          "*-\(months)-\(monthDays) \(time)\(zone)",
          "\(weekdays(Set(cron.weekdays)))*-\(months)-* \(time)\(zone)",
        ]
      }
      return ["\(weekdays(Set(cron.weekdays)))*-\(months)-\(monthDays) \(time)\(zone)"]
    }
  }

  private static func weekdays(_ days: Set<Int>) -> String {
    if days.count == 7 { return "" }
    return CivilDate.names(of: days, from: CivilDate.weekdayNames).joined(separator: ",") + " "
  }

  private static func list(_ numbers: [Int]?) -> String {
    guard let numbers else { return "*" }
    return numbers.map(twoDigits).joined(separator: ",")
  }

  private static func clock(_ seconds: Int) -> String {
    [seconds / 3_600, seconds / 60 % 60, seconds % 60].map(twoDigits).joined(separator: ":")
  }
}
