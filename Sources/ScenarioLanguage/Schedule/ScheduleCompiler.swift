/// Compiles `schedule:` (docs/language/schedules.md "Keys") and checks what its times come to.
struct ScheduleCompiler {
  /// `nil`: nothing that depends on the date is checked.
  let today: CivilDate?
  var zones: TimeZoneDatabase
  let problems: DiagnosticCollector
  /// By the zones of the schedules so far.
  private var checks: [String: ClockChangeCheck] = [:]

  init(today: CivilDate?, zones: TimeZoneDatabase, problems: DiagnosticCollector) {
    self.today = today
    self.zones = zones
    self.problems = problems
  }

  mutating func schedules(_ maps: [FieldMap]) -> [Schedule] { maps.compactMap { schedule($0) } }

  private mutating func schedule(_ map: FieldMap) -> Schedule? {
    let errors = problems.errorCount
    if map.text("missed") != "run_once", let key = map.keySpan("within") {
      problems.report(
        .error, .k105, "`within` needs `missed: run_once`", at: .init(key, "a missed run is skipped"),
        footers: [.help("write `missed: run_once` beside it, or leave it out")])
    }
    if !map.has("every"), !map.has("timezone") { reportNoZone(map) }
    guard let (recurrence, source) = recurrence(map) else { return nil }
    var schedule = Schedule(recurrence, timeZone: map.text("timezone"), span: source.span)
    schedule.jitter = map.duration("jitter") ?? .zero
    schedule.overlap = map.choice("overlap", as: Schedule.Overlap.self) ?? .skip
    if map.text("missed") == "run_once" { schedule.missedWithin = map.duration("within") ?? .seconds(3_600) }
    let dst = map.map("dst")
    schedule.missing = dst?.choice("missing", as: Schedule.Missing.self) ?? .runAfter
    schedule.repeated = dst?.choice("repeated", as: Schedule.Repeated.self) ?? .once
    if problems.errorCount == errors { checkClocks(schedule, map, dst) }
    return schedule
  }

  /// What comes when, with the key that says so.
  private mutating func recurrence(_ map: FieldMap) -> (Recurrence, YAMLNode.Pair)? {
    let days = map.days("days") ?? Set(0...6)
    if let pair = map.pair("cron"), let cron = map.cron("cron") {
      return (.cron(cron), pair)
    }
    if let pair = map.pair("at") {
      let times = Self.times(map.list("at"), reportingTo: problems)
      return times.isEmpty ? nil : (.at(times, days: days), pair)
    }
    if let pair = map.pair("every"), let seconds = Self.interval(pair.value, reportingTo: problems) {
      return (.every(seconds, days: days), pair)
    }
    return nil
  }

  /// Moments of the day, ascending, each once. `24:00` ends a window, but begins nothing.
  static func times(_ nodes: [YAMLNode], reportingTo problems: DiagnosticCollector) -> [Int] {
    var times: Set<Int> = []
    for node in nodes {
      guard let second = node.value?.time else { continue }
      if second == WeeklyIntervals.day {
        problems.report(
          .error, .t214, "`24:00` is the end of a day, nothing begins then", at: node, Suggestions.label("00:00"))
      } else {
        times.insert(second)
      }
    }
    return times.sorted()
  }

  /// `every` in seconds: on the clock, so whole seconds and at most a day.
  static func interval(_ node: YAMLNode, reportingTo problems: DiagnosticCollector) -> Int? {
    guard let every = node.value?.duration else { return nil }
    let (seconds, rest) = every.components
    guard rest == 0, (60...86_400).contains(seconds) else {
      problems.report(
        .error, .t213, "`every` is from 1m to 24h, in whole seconds", at: node,
        seconds > 86_400 ? "longer than a day" : rest != 0 ? "part of a second" : "shorter than a minute",
        footers: seconds > 86_400 ? [.help("it counts from midnight, each day anew")] : [])
      return nil
    }
    return Int(seconds)
  }

  private mutating func reportNoZone(_ map: FieldMap) {
    let name = map.has("cron") ? "cron" : "at"
    guard let key = map.keySpan(name) else { return }
    problems.report(
      .error, .k105, "`\(name)` needs a `timezone`", at: .init(key, "by whose clock?"),
      footers: [.help("such as `timezone: Europe/Paris` beside it, or `timezone: UTC`")])
  }

  /// P606: what the change of clocks does to it within the coming year.
  private mutating func checkClocks(_ schedule: Schedule, _ map: FieldMap, _ dst: FieldMap?) {
    guard let today, let zone = schedule.timeZone, let rules = zones.rules(zone) else { return }
    let check = checks[zone] ?? ClockChangeCheck(zone: zone, rules: rules, today: today)
    checks[zone] = check
    var handling = ClockChangeCheck.Handling(missing: schedule.missing, repeated: schedule.repeated)
    handling.saysMissing = dst?.has("missing") == true
    handling.saysRepeated = dst?.has("repeated") == true
    switch schedule.recurrence {
    case .cron(let cron):
      guard let node = map.node("cron") else { return }
      guard let trouble = check.trouble(schedule.recurrence, handling) else { return }
      problems.report(.warning, .p606, at: node, part: cron.timeRange) {
        check.warning(trouble, handling, at: node, part: cron.timeRange)
      }
    case .every:
      guard let node = map.node("every") else { return }
      guard let trouble = check.trouble(schedule.recurrence, handling) else { return }
      problems.report(.warning, .p606, at: node) { check.warning(trouble, handling, at: node) }
    case .at(_, let days):
      for node in map.list("at") {
        guard let second = node.value?.time else { continue }
        guard let trouble = check.trouble(.at([second], days: days), handling) else { continue }
        problems.report(.warning, .p606, at: node) { check.warning(trouble, handling, at: node) }
        // One warning a schedule: the others would say the same.
        return
      }
    }
  }
}
