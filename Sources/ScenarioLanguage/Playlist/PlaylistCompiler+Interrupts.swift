/// The entries of `interrupts`.
extension PlaylistCompiler {
  /// Comparing them all is for lists that people write.
  private static let comparedInterrupts = 200

  mutating func interrupts(_ root: DecodedMap) -> [PlaylistPlan.Interrupt] {
    let maps = root.maps("interrupts")
    var interrupts: [PlaylistPlan.Interrupt] = []
    // The first interrupt of each minute of the week.
    var taken: [Int: Int] = [:]
    for map in maps {
      let items = items(map, hasShares: false)
      guard let during = withTimes({ $0.during(map) }), let recurrence = recurrence(map) else { continue }
      var interrupt = PlaylistPlan.Interrupt(recurrence: recurrence, during: during, items: items, span: map.span)
      interrupt.cut = map.choice("cut", as: PlaylistPlan.Rule.Switch.self) ?? .afterItem
      interrupt.maxDelay = map.duration("max_delay")
      interrupt.then = map.choice("then", as: PlaylistPlan.Interrupt.Then.self) ?? .resume
      interrupts.append(interrupt)
      guard maps.count <= Self.comparedInterrupts else { continue }
      let minutes = minutes(of: interrupt, map)
      checkOverlap(interrupts.count - 1, minutes, map, interrupts, &taken)
      checkClocks(interrupt, map)
    }
    return interrupts
  }

  private mutating func recurrence(_ map: DecodedMap) -> Recurrence? {
    if let node = map.node("every") {
      return ScheduleCompiler.interval(node, reportingTo: &problems).map { .every($0, days: Set(0...6)) }
    }
    let times = ScheduleCompiler.times(map.list("at"), reportingTo: &problems)
    return times.isEmpty ? nil : .at(times, days: Set(0...6))
  }

  /// The minutes of the usual week in which it begins; P601 where there are none.
  private mutating func minutes(of interrupt: PlaylistPlan.Interrupt, _ map: DecodedMap) -> [Int] {
    let condition = interrupt.during.condition
    let week = condition.usualWeek
    let times = interrupt.recurrence.times(on: CivilDate(year: 2_001, month: 1, day: 1))
    let moments = (0..<7).flatMap { day in times.map { day * WeekTime.day + $0 } }
    let open = week.filter(moments)
    let seen = Set(quietWeek.filter(open))
    let heard = open.filter { !seen.contains($0) }
    if heard.isEmpty, week != .never, !condition.hasNoDay, let node = map.node("at") ?? map.node("every") {
      let label = open.isEmpty ? "`during` is never on then" : "`quiet` always wins then"
      problems.report(
        ifAllElseIsRight: Diagnostic(.warning, "P601", "this interrupt never cuts in", at: node, label))
    }
    return condition.isDated ? [] : heard.map { $0 / 60 }
  }

  /// P614: two that begin in the same minute.
  private mutating func checkOverlap(
    _ index: Int, _ minutes: [Int], _ map: DecodedMap, _ interrupts: [PlaylistPlan.Interrupt],
    _ taken: inout [Int: Int]
  ) {
    if let minute = minutes.first(where: { taken[$0] != nil }), let other = taken[minute],
      let node = map.node("at") ?? map.node("every")
    {
      let clock = WeekTime.clock(minute % 1_440 * 60)
      problems.report(
        ifAllElseIsRight: Diagnostic(
          .warning, "P614", "two interrupts begin at \(clock)", at: node, "waits for the one above",
          related: [.init(firstSpan(of: interrupts[other]), "begins at \(clock), too")],
          footers: [.help("change one of the two; as it is, the first of the list goes first")]))
    }
    for minute in minutes where taken[minute] == nil { taken[minute] = index }
  }

  /// Where an interrupt says when.
  private func firstSpan(of interrupt: PlaylistPlan.Interrupt) -> SourceSpan {
    let maps = document.root.maps("interrupts")
    let map = maps.first { $0.span == interrupt.span }
    return map?.span("at") ?? map?.span("every") ?? interrupt.span
  }

  /// P606: a time that clocks take away or repeat within the coming year, where it would cut in.
  private mutating func checkClocks(_ interrupt: PlaylistPlan.Interrupt, _ map: DecodedMap) {
    guard let today, let zone = document.root.text("timezone"), let rules = zones.rules(zone) else { return }
    let week = interrupt.during.condition.usualWeek
    guard !interrupt.during.condition.isDated, map.has("at") else { return }
    let check = ClockChangeCheck(zone: zone, rules: rules, today: today)
    for node in map.list("at") {
      guard let second = node.text.flatMap({ try? TimeScalar.time($0) }), second < WeekTime.day else { continue }
      let days = (0..<7).filter {
        week.contains($0 * WeekTime.day + second) && !quietWeek.contains($0 * WeekTime.day + second)
      }
      var handling = ClockChangeCheck.Handling(missing: .runAfter, repeated: .once)
      handling.hasRules = false
      handling.verb = "cuts in"
      guard let warning = check.warning(.at([second], days: Set(days)), handling, at: node) else { continue }
      problems.report(ifAllElseIsRight: warning)
      return
    }
  }
}
