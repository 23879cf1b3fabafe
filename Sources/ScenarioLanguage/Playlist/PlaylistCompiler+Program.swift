import CastProtocol

/// The rules of `program`, and what of the week they leave dark.
extension PlaylistCompiler {
  /// Comparing every rule with all above it is for programs that people write.
  private static let comparedRules = 300

  mutating func program(_ root: FieldMap) -> [PlaylistPlan.Rule] {
    let maps = root.maps("program")
    guard let key = root.keySpan("program") else { return [] }
    if maps.isEmpty, root.node("program")?.items?.isEmpty == true {
      problems.report(.error, .p612, "the program is empty", at: .init(key))
    }
    var rules: [PlaylistPlan.Rule] = []
    var earlier = EarlierRules(quietIntervals)
    for map in maps {
      let order = map.choice("order", as: PlaylistPlan.Rule.Order.self) ?? .listed
      let items = items(map, hasShares: order != .listed)
      let condition = times.during(map)
      noteAddresses(during: condition?.condition)
      guard let during = condition else { continue }
      var rule = PlaylistPlan.Rule(during: during, items: items, span: map.span)
      rule.order = order
      rule.repeats = map.bool("repeat") ?? true
      rule.switches = map.choice("switch", as: PlaylistPlan.Rule.Switch.self) ?? .afterItem
      checkValidity(rule, map)
      if maps.count <= Self.comparedRules {
        checkShadow(rule, map, earlier)
        earlier.add(rule)
      }
      rules.append(rule)
    }
    return rules
  }

  /// P608 for items whose end no screen knows beforehand, so that the screens could not begin the next one together.
  mutating func checkLengths(_ rules: [PlaylistPlan.Rule]) {
    for item in rules.flatMap(\.items) where item.length == nil && item.media.duration == nil {
      problems.report(
        .error, .p608, "with `sync: true` the length of `\(item.name)` has to be known",
        at: .init(item.span, "how long is it?"),
        footers: [.help("`duration: 2m` at the media, or `for: 2m` at the item")])
    }
  }

  /// What the rules above one, and `quiet`, take of its time for certain.
  private struct EarlierRules {
    let quiet: WeeklyIntervals
    /// Every week.
    private(set) var weekly: WeeklyIntervals
    /// On some dates only.
    private(set) var dated: [PlaylistPlan.During] = []

    init(_ quiet: WeeklyIntervals) {
      self.quiet = quiet
      weekly = quiet
    }

    mutating func add(_ rule: PlaylistPlan.Rule) {
      // It may have nothing to show on some days, or be through before its window ends.
      guard rule.repeats, rule.items.contains(where: { $0.valid == nil }), weekly.ranges.count <= 1_000 else { return }
      if rule.during.condition.isWeekly { weekly = weekly.union(rule.during.week) } else { dated.append(rule.during) }
    }

    func cover(_ during: PlaylistPlan.During) -> Bool {
      let condition = during.condition
      return during.week.isSubset(of: weekly)
        || dated.contains { other in
          other.condition.dates == condition.dates && other.condition.calendar == condition.calendar
            && other.condition.exceptions == condition.exceptions
            && during.week.isSubset(of: weekly.union(other.week))
        }
    }
  }

  /// P611: the first rule whose time matches is on screen, so a later one may never be.
  private mutating func checkShadow(_ rule: PlaylistPlan.Rule, _ map: FieldMap, _ earlier: EarlierRules) {
    let week = rule.during.week
    guard week != .never, !rule.during.condition.hasNoDay, earlier.cover(rule.during),
      let place = map.span("during") ?? map.keySpan("play")
    else { return }
    let isQuiet = week.isSubset(of: earlier.quiet)
    problems.reportIfNoErrors(
      Diagnostic(
        .warning, .p611, "this rule never comes on screen",
        at: .init(place, isQuiet ? "`quiet` always wins then" : "rules above it always match"),
        footers: [
          .help(
            isQuiet
              ? "choose other hours, or shorten `quiet`"
              : "the first rule whose time matches is on screen: move this one up")
        ]))
  }

  /// P601: an item whose days are all outside the dates of its rule.
  private mutating func checkValidity(_ rule: PlaylistPlan.Rule, _ map: FieldMap) {
    let condition = rule.during.condition
    let sets = [condition.dates, condition.calendar?.days].compactMap { $0 }.filter { (1...100).contains($0.count) }
    guard !sets.isEmpty else { return }
    for node in map.list("play") where node.pairs != nil {
      let item = FieldMap(node, as: LanguageSchema.playlistItem)
      guard let valid = item.node("valid"), let dates = valid.value?.dates,
        sets.contains(where: { set in !set.contains { $0.overlaps(dates) } })
      else { continue }
      let during = map.map("during").flatMap { $0.span("dates") ?? $0.span("calendar") } ?? map.span("during")
      problems.reportIfNoErrors(
        Diagnostic(
          .warning, .p601, "this item is never shown", at: valid, "outside the dates of its rule",
          related: during.map { [.init($0, "its rule is on then")] } ?? []))
    }
  }

  /// P605: the usual week, without rules for single dates.
  mutating func checkCoverage(_ plan: PlaylistPlan) {
    guard plan.fallback.isEmpty, let key = document.root.keySpan("program") else { return }
    let usual = plan.program.filter { rule in
      !rule.during.condition.isDated && rule.items.contains { $0.valid == nil }
    }
    let covered = WeeklyIntervals(usual.flatMap { $0.during.week.ranges })
    let gaps = covered.union(quietIntervals).complement
    guard gaps.total > 0 else { return }
    // What can be pasted: media of this playlist, else an address.
    let own = definitions.media.names.filter { definitions.media[$0].map { !$0.isLive } ?? false }
    let media = own.first { $0.hasSuffix("logo") } ?? own.first ?? "https://cdn.example.com/logo.png"
    problems.report(
      .warning, .p605, "nothing is on screen for \(Self.hours(gaps.total)) of the week, and there is no `fallback`",
      at: .init(key, "gaps: \(gaps.text)"),
      footers: [
        .help("end with `- { during: any_time, play: [\(media)] }`, or set `fallback: \(media)`, or `quiet:`"),
        .note("`showcaller week \(document.source.name)` prints the whole week"),
      ])
  }

  private static func hours(_ seconds: Int) -> String {
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
    return minutes == 0 ? "\(hours) h" : hours == 0 ? "\(minutes) min" : "\(hours) h \(minutes) min"
  }
}
