/// The entries of `interrupts`.
extension PlaylistCompiler {
  /// Comparing them all is for lists that people write.
  private static let comparedInterrupts = 200

  mutating func interrupts(_ root: FieldMap) -> [PlaylistPlan.Interrupt] {
    let maps = root.maps("interrupts")
    var interrupts: [PlaylistPlan.Interrupt] = []
    var taken = TakenMinutes()
    for map in maps {
      let items = items(map, hasShares: false)
      let condition = times.during(map)
      noteAddresses(during: condition?.condition)
      guard let during = condition, let cause = cause(map) else { continue }
      var interrupt = PlaylistPlan.Interrupt(cause: cause, during: during, items: items, span: map.span)
      interrupt.cut = map.choice("cut", as: PlaylistPlan.Rule.Switch.self) ?? .afterItem
      interrupt.maxDelay = map.duration("max_delay")
      interrupt.then = map.choice("then", as: PlaylistPlan.Interrupt.Then.self) ?? .resume
      interrupts.append(interrupt)
      // Nobody knows when something happens outside.
      guard interrupt.trigger == nil else { continue }
      guard maps.count <= Self.comparedInterrupts else { continue }
      let minutes = minutes(of: interrupt, map)
      checkOverlap(interrupts.count - 1, minutes, map, interrupts, &taken)
      checkClocks(interrupt, map)
    }
    return interrupts
  }

  /// What makes it due; `nil` where that is not known, which is reported.
  private mutating func cause(_ map: FieldMap) -> PlaylistPlan.Interrupt.Cause? {
    map.reportUnused(["until", "at_most"], without: "on", to: problems)
    guard let node = map.node("on") else { return recurrence(map).map { .times($0) } }
    let atMost = map.duration("at_most", atLeast: .seconds(1), reportingTo: problems)
    return use(trigger: node).map {
      .trigger(.init(name: $0, untilCleared: map.text("until") == "cleared", atMost: atMost))
    }
  }

  private mutating func recurrence(_ map: FieldMap) -> Recurrence? {
    if let node = map.node("every") {
      return ScheduleCompiler.interval(node, reportingTo: problems).map { .every($0, days: Set(0...6)) }
    }
    let times = ScheduleCompiler.times(map.list("at"), reportingTo: problems)
    return times.isEmpty ? nil : .at(times, days: Set(0...6))
  }

  /// The minutes of the usual week in which it begins; P601 where there are none.
  private mutating func minutes(of interrupt: PlaylistPlan.Interrupt, _ map: FieldMap) -> [Int] {
    let condition = interrupt.during.condition
    let week = interrupt.during.week
    let times = interrupt.recurrence?.times(on: CivilDate(year: 2_001, month: 1, day: 1)) ?? []
    let moments = (0..<7).flatMap { day in times.map { day * WeeklyIntervals.day + $0 } }
    let open = week.filter(moments)
    let seen = Set(quietIntervals.filter(open))
    let heard = open.filter { !seen.contains($0) }
    if heard.isEmpty, week != .never, !condition.hasNoDay, let node = map.node("at") ?? map.node("every") {
      let label = open.isEmpty ? "`during` is never on then" : "`quiet` always wins then"
      problems.reportIfNoErrors(Diagnostic(.warning, .p601, "this interrupt never cuts in", at: node, label))
    }
    return condition.isDated ? [] : heard.map { $0 / 60 }
  }

  /// The first interrupt of each sort in each minute of the week.
  private struct TakenMinutes {
    /// By minute and sort; -1: none.
    private var slots = [Int](repeating: -1, count: 4 * WeeklyIntervals.week / 60)

    private static func slot(_ minute: Int, _ cut: PlaylistPlan.Rule.Switch, isAt: Bool) -> Int {
      4 * minute + (cut == .immediately ? 2 : 0) + (isAt ? 1 : 0)
    }

    /// The first that competes with `interrupt` in a minute: two with the same time of day, or two that cut alike.
    func rival(of interrupt: PlaylistPlan.Interrupt, in minute: Int) -> Int? {
      var first: Int?
      for cut in [PlaylistPlan.Rule.Switch.afterItem, .immediately] {
        for isAt in [true, false] where cut == interrupt.cut || isAt && interrupt.isAt {
          let index = slots[Self.slot(minute, cut, isAt: isAt)]
          if index >= 0 { first = min(first ?? index, index) }
        }
      }
      return first
    }

    mutating func add(_ interrupt: PlaylistPlan.Interrupt, _ index: Int, _ minutes: [Int]) {
      for minute in minutes {
        let slot = Self.slot(minute, interrupt.cut, isAt: interrupt.isAt)
        if slots[slot] < 0 { slots[slot] = index }
      }
    }
  }

  /// P614: two that begin in the same minute, where it is not plain which goes first.
  private mutating func checkOverlap(
    _ index: Int, _ minutes: [Int], _ map: FieldMap, _ interrupts: [PlaylistPlan.Interrupt],
    _ taken: inout TakenMinutes
  ) {
    let interrupt = interrupts[index]
    for minute in minutes {
      guard let other = taken.rival(of: interrupt, in: minute), let node = map.node("at") ?? map.node("every") else {
        continue
      }
      let clock = WeeklyIntervals.clock(minute % 1_440 * 60)
      problems.reportIfNoErrors(
        Diagnostic(
          .warning, .p614, "two interrupts begin at \(clock)", at: node, "waits for the one above",
          related: [.init(firstSpan(of: interrupts[other]), "begins at \(clock), too")],
          footers: [.help("change one of the two; as it is, the first of the list goes first")]))
      break
    }
    taken.add(interrupt, index, minutes)
  }

  /// Where an interrupt says when.
  private func firstSpan(of interrupt: PlaylistPlan.Interrupt) -> SourceSpan {
    let maps = document.root.maps("interrupts")
    let map = maps.first { $0.span == interrupt.span }
    return map?.span("at") ?? map?.span("every") ?? interrupt.span
  }

  /// P606: a time that clocks take away or repeat within the coming year, where it would cut in.
  private mutating func checkClocks(_ interrupt: PlaylistPlan.Interrupt, _ map: FieldMap) {
    guard let today, let zone = document.root.text("timezone"), let rules = zones.rules(zone) else { return }
    let week = interrupt.during.week
    guard !interrupt.during.condition.isDated, map.has("at") else { return }
    let check = ClockChangeCheck(zone: zone, rules: rules, today: today)
    for node in map.list("at") {
      guard let second = node.value?.time, second < WeeklyIntervals.day else { continue }
      let days = (0..<7).filter {
        week.contains($0 * WeeklyIntervals.day + second) && !quietIntervals.contains($0 * WeeklyIntervals.day + second)
      }
      var handling = ClockChangeCheck.Handling(missing: .runAfter, repeated: .once)
      handling.hasRules = false
      handling.verb = "cuts in"
      guard let trouble = check.trouble(.at([second], days: Set(days)), handling) else { continue }
      problems.reportIfNoErrors(check.warning(trouble, handling, at: node))
      return
    }
  }
}

extension PlaylistPlan.Interrupt {
  /// It names times of day.
  fileprivate var isAt: Bool { if case .times(.at) = cause { true } else { false } }
}
