/// Compiles `calendars`, `dayparts` and every time condition, and says which of them can never hold.
struct TimeConditionCompiler {
  /// Dayparts that exclude dayparts that exclude ...: more links than anybody follows.
  private static let longestChain = 16
  /// Stretches of hours in a day; each condition is compared with others by them.
  private static let mostWindows = 200

  private let written: [String: FieldMap]
  private var resolved: [String: TimeCondition] = [:]
  /// Dayparts that other ones exclude.
  private var excluded: Set<String> = []
  private(set) var dayparts = SymbolTable<PlaylistPlan.During>()
  private(set) var calendars = SymbolTable<TimeCondition.Calendar>()
  /// The calendar files that were read.
  let calendarFiles: [SourceFile]
  /// The calendars on the web.
  let calendarFeeds: [PlaylistPlan.CalendarFeed]
  private let today: CivilDate?
  let problems: DiagnosticCollector

  /// - Parameter today: The date in the document's time zone, as far as it is known: dates before it are over.
  init(
    _ root: FieldMap, today: CivilDate? = nil, calendars reader: CalendarCompiler = CalendarCompiler(),
    problems: DiagnosticCollector
  ) {
    self.today = today
    self.problems = problems
    var reader = reader
    for entry in root.entries("calendars") {
      calendars.define(entry.key, reader.calendar(entry, reportingTo: self.problems))
    }
    calendarFiles = reader.sources
    calendarFeeds = reader.feeds
    let entries = root.entries("dayparts")
    written = Dictionary(
      entries.compactMap { entry in entry.map.map { (entry.key.text, $0) } }, uniquingKeysWith: { first, _ in first })
    for entry in entries {
      guard entry.map != nil else { continue }
      if entry.key.text == "any_time" {
        self.problems.report(
          .error, .n411, "`any_time` is built in, a daypart cannot have its name", at: .init(entry.key.span),
          footers: [.help("leave it out: it is always there")])
      }
      let during = PlaylistPlan.During(
        name: entry.key.text, condition: daypart(entry.key.text, chain: []) ?? .anyTime, span: entry.key.span)
      checkOpens(during, at: entry.key.span)
      dayparts.define(entry.key, during)
    }
    for name in dayparts.names where excluded.contains(name) { _ = dayparts.use(name) }
  }

  /// The time under `during`, else any time; `nil` where a daypart is not known.
  mutating func during(_ map: FieldMap) -> PlaylistPlan.During? {
    if let inner = map.map("during") {
      let during = PlaylistPlan.During(name: nil, condition: condition(inner), span: inner.span)
      if let key = map.keySpan("during") { checkOpens(during, at: key) }
      return during
    }
    guard let node = map.node("during"), let name = node.text, name != "any_time" else { return .anyTime }
    if let during = dayparts.use(name) { return during }
    problems.report(dayparts.unknown(name, kind: "daypart", at: node, after: problems))
    return nil
  }

  /// A condition written in place, or `quiet`.
  mutating func condition(_ map: FieldMap) -> TimeCondition { condition(map, chain: []) }

  private mutating func condition(_ map: FieldMap, chain: [String]) -> TimeCondition {
    var condition = TimeCondition()
    let spec = map.spec
    if let days = map.days("days") { condition.days = days }
    if map.list("hours").count > Self.mostWindows, let key = map.keySpan("hours") {
      problems.report(
        .error, .y311, "more than \(Self.mostWindows) stretches of hours",
        at: .init(key, "a day has no room for them"),
        footers: [.help("join those that touch; dayparts can share the rest")])
      return condition
    }
    condition.hours = map.list("hours").compactMap { $0.value?.hours }
    // `all-day` beside other hours leaves nothing to add.
    if condition.hours.contains(where: { $0.start == 0 && $0.end == WeeklyIntervals.day }) { condition.hours = [] }
    if spec.contains("dates"), map.has("dates") { condition.dates = CalendarCompiler.ranges(map.list("dates")) }
    if spec.contains("calendar"), let node = map.node("calendar"), let name = node.text {
      if let calendar = calendars.use(name) {
        condition.calendar = calendar
      } else {
        problems.report(calendars.unknown(name, kind: "calendar", at: node, after: problems))
      }
    }
    guard spec.contains("not"), let node = map.node("not") else { return condition }
    if let inner = map.map("not") {
      condition.exceptions = [self.condition(inner, chain: chain)]
    } else if let name = node.text {
      if name == "any_time" {
        condition.exceptions = [.anyTime]
      } else if let exception = exception(name, at: node, chain: chain) {
        condition.exceptions = [exception]
      }
    }
    return condition
  }

  /// Another daypart that is taken away.
  private mutating func exception(_ name: String, at node: YAMLNode, chain: [String]) -> TimeCondition? {
    if chain.contains(name) || chain.count >= Self.longestChain {
      let isCircle = chain.contains(name)
      problems.report(
        .error, .n412,
        isCircle
          ? "daypart `\(ScalarText.shown(name))` excludes itself"
          : "more than \(Self.longestChain) dayparts exclude each other", at: node,
        isCircle ? "closes the circle" : "",
        footers: [.help("one of the dayparts in the \(isCircle ? "circle" : "chain") must stand without `not`")])
      return nil
    }
    excluded.insert(name)
    _ = dayparts.use(name)
    // One that is not there was reported where the name was checked.
    return daypart(name, chain: chain)
  }

  private mutating func daypart(_ name: String, chain: [String]) -> TimeCondition? {
    if let known = resolved[name] { return known }
    guard let map = written[name] else { return nil }
    let condition = condition(map, chain: chain + [name])
    resolved[name] = condition
    return condition
  }

  /// P601: a time that never comes by what the document alone says; and, as a note, one whose dates are over.
  private mutating func checkOpens(_ during: PlaylistPlan.During, at span: SourceSpan) {
    let label: String
    if during.condition.hasNoDay {
      label = "none of its dates is one of its days"
    } else if during.week == .never {
      label = "`not` leaves nothing of it"
    } else {
      if let today, during.condition.isOver(on: today) {
        problems.reportIfNoErrors(
          Diagnostic(
            .note, .p601, "this time never comes again", at: .init(span, "its dates are over")))
      }
      return
    }
    problems.reportIfNoErrors(Diagnostic(.warning, .p601, "this time never comes", at: .init(span, label)))
  }
}
