/// Compiles `calendars`: lists of dates, and iCalendar files of the project or of the web (docs/language/playlist.md "Calendars").
struct CalendarCompiler {
  /// Files that one document may name.
  private static let mostFiles = 16
  private static let shortestInterval = Duration.seconds(60)

  private let copy: @Sendable (_ url: String) -> SourceFile?
  private let readFile: @Sendable (_ path: String, _ includer: String) -> Result<SourceFile, FileProblem>
  /// Whose days they are.
  private let zone: TimeZoneRules
  private var zones: TimeZoneDatabase
  private var budget = ICalendarDays.Budget()
  /// The files that were read.
  private(set) var sources: [SourceFile] = []
  /// The calendars on the web, each address once.
  private(set) var feeds: [PlaylistPlan.CalendarFeed] = []
  private var daysByFile: [String: [DateRange]] = [:]
  /// How often a file was asked for.
  private var fileCount = 0

  /// - Parameter zone: The name of the playlist's zone, where it has one.
  init(_ inputs: PlanCompiler.Inputs = .init(), zone: String? = nil) {
    readFile = inputs.includedFile
    copy = inputs.calendarCopy
    var zones = TimeZoneDatabase(inputs.zoneData)
    self.zone = (zone.map { zones.rules($0) } ?? inputs.localClock()) ?? .utc
    self.zones = zones
  }

  /// The days of one calendar; empty where they cannot be had, which is reported.
  mutating func calendar(
    _ entry: FieldMap.Entry, reportingTo problems: DiagnosticCollector
  ) -> TimeCondition.Calendar {
    var calendar = TimeCondition.Calendar(name: entry.key.text, days: Self.ranges(entry.node.items ?? []))
    entry.map?.reportUnused(["every"], without: "ics", to: problems)
    guard let map = entry.map, let node = map.node("file") ?? map.node("ics") else { return calendar }
    let feed = map.has("ics") ? feed(map, at: node, reportingTo: problems) : nil
    guard let path = map.has("ics") ? feed?.url : path(node, reportingTo: problems) else { return calendar }
    calendar.file = path
    fileCount += 1
    guard fileCount <= Self.mostFiles else {
      problems.report(
        .error, .y311, "this document has more than \(Self.mostFiles) calendar files", at: node, "stopped here",
        footers: [.help("one file can hold the events of several")])
      return calendar
    }
    if let feed {
      if !feeds.contains(where: { $0.url == feed.url }) { feeds.append(feed) }
      guard let source = copy(feed.url) else {
        problems.reportIfNoErrors(Self.noCopy(at: node))
        return calendar
      }
      calendar.days = days(of: source, at: node, reportingTo: problems)
      return calendar
    }
    switch readFile(path, node.span.file) {
    case .failure(let problem): problems.report(problem.diagnostic(of: path, as: .calendar, at: node))
    case .success(let source): calendar.days = days(of: source, at: node, reportingTo: problems)
    }
    return calendar
  }

  private static func noCopy(at node: YAMLNode) -> Diagnostic {
    Diagnostic(
      .note, .n413, "this calendar was not fetched yet: it has no days so far", at: node,
      footers: [
        .help("`showcaller serve` fetches it; `curl -o holidays.ics URL` and `file: holidays.ics` have it at once")
      ])
  }

  private func feed(
    _ map: FieldMap, at node: YAMLNode, reportingTo problems: DiagnosticCollector
  ) -> PlaylistPlan.CalendarFeed? {
    let url = node.webAddress(reportingTo: problems) { url in
      url.scheme.lowercased() == "webcal" ? "write `https:` for `webcal:`" : "write `file:` for a file beside it"
    }
    return url.map { url in
      let every = map.duration("every", atLeast: Self.shortestInterval, reportingTo: problems)
      return .init(url: url, every: every ?? .seconds(6 * 3_600))
    }
  }

  static func ranges(_ nodes: [YAMLNode]) -> [DateRange] { nodes.compactMap { $0.value?.dates } }

  private func path(_ node: YAMLNode, reportingTo problems: DiagnosticCollector) -> String? {
    guard let path = node.text, !path.isEmpty else { return nil }
    if node.substitutedAt != nil || path.contains("${") {
      problems.report(
        .error, .t219, "the path of a calendar cannot come from a variable", at: node,
        footers: [.help("paths are written out, so that all files of a document are known")])
      return nil
    }
    let isURL = URLScalar.looksLikeURL(path.prefix { $0 != "/" })
    guard path.hasPrefix("/") || isURL || path.unicodeScalars.contains(where: { $0.value < 0x20 }) else { return path }
    problems.report(
      .error, .n409,
      path.hasPrefix("/")
        ? "the path of a calendar is relative to its file" : "\(ScalarText.quoted(path)) is not a path",
      at: node, path.hasPrefix("/") ? "begins with `/`" : "",
      footers: [
        .help(
          isURL
            ? "write `ics:` for `file:`, or save it beside this document, as `holidays.ics`"
            : "write it from the folder of this document, such as `holidays.ics`")
      ])
    return nil
  }

  private mutating func days(
    of source: SourceFile, at node: YAMLNode, reportingTo problems: DiagnosticCollector
  ) -> [DateRange] {
    if let days = daysByFile[source.name] { return days }
    daysByFile[source.name] = []
    sources.append(source)
    let name = ScalarText.shown(source.name)
    do throws(ICalendar.Failure) {
      let calendar = try ICalendar.read(source.bytes, in: zone, zones: &zones, budget: &budget)
      daysByFile[source.name] = calendar.days
      if calendar.problemCount > 0 {
        problems.report(Self.warning(calendar, source.name, at: node))
      } else if calendar.days.isEmpty {
        problems.report(
          .warning, .n413, "`\(name)` has no day from 1970 to 2099", at: node,
          footers: [.help("days come from events (`BEGIN:VEVENT`) that are not cancelled")])
      }
      return calendar.days
    } catch {
      problems.report(error.diagnostic(of: source.name, at: node))
      return []
    }
  }

  private static func warning(_ calendar: ICalendar, _ name: String, at node: YAMLNode) -> Diagnostic {
    let count = calendar.problemCount
    var footers: [Diagnostic.Footer] = [
      .help("mend these lines or export the calendar again; all other events count, and so do these as said")
    ]
    if count > calendar.problems.count { footers.insert(.note("and \(count - calendar.problems.count) more"), at: 0) }
    return Diagnostic(
      .warning, .n413,
      "\(count == 1 ? "a line" : "\(count) lines") of `\(ScalarText.shown(name))` "
        + "\(count == 1 ? "is" : "are") not understood", at: node,
      related: calendar.problems.map { .init(.line($0.line, of: name), $0.message) }, footers: footers)
  }
}

extension SourceSpan {
  /// The beginning of a line.
  fileprivate static func line(_ line: Int, of file: String) -> SourceSpan {
    SourceSpan(file: file, line: line, column: 1, endLine: line, endColumn: 2)
  }
}

extension ICalendar.Failure {
  fileprivate func diagnostic(of name: String, at node: YAMLNode) -> Diagnostic {
    let shown = ScalarText.shown(name)
    switch self {
    case .notCalendar(let line):
      return Diagnostic(
        .error, .n413, "`\(shown)` is no calendar", at: node,
        related: [.init(.line(line, of: name), "`BEGIN:VCALENDAR` should stand here")],
        footers: [.help("export it as iCalendar (.ics); what a browser saves is often a page about it")])
    case .cutOff(let line):
      return Diagnostic(
        .error, .n413, "`\(shown)` is damaged: a part of it has no end", at: node,
        related: [.init(.line(line, of: name), "begins here")],
        footers: [.help("fetch or export it again")])
    case .tooManyEvents(let limit):
      return Diagnostic(
        .error, .y311, "`\(shown)` has more than \(limit) events", at: node,
        footers: [.help("export only what the playlist needs")])
    case .tooManyDays(let limit):
      return Diagnostic(
        .error, .y311, "the rules of calendars name too many days", at: node,
        "more than \(limit) days to look at, up to 2099",
        footers: [.help("export only what the playlist needs, or give rules an end")])
    }
  }
}
