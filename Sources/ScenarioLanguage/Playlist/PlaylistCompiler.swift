import CastProtocol

/// Checks a playlist: names, times, and whether the screen is ever dark. Playing one is for later.
struct PlaylistCompiler {
  private let document: CheckedDocument
  private var definitions: Definitions
  private var dayparts = NameTable<TimeRule>()
  private var problems: DiagnosticCollector

  /// When something counts.
  struct TimeRule: Sendable {
    var week: WeekTime
    /// Only on some dates, so that it fills no gap of the usual week.
    var isDated: Bool
  }

  static func check(
    _ document: CheckedDocument, inputs: PlanCompiler.Inputs, reportingTo problems: inout DiagnosticCollector
  ) {
    let definitions = Definitions(document.root, fileExists: inputs.fileExists, reportingTo: &problems)
    var compiler = PlaylistCompiler(document: document, definitions: definitions, problems: problems)
    compiler.check()
    problems = compiler.problems
  }

  private init(document: CheckedDocument, definitions: Definitions, problems: DiagnosticCollector) {
    self.document = document
    self.definitions = definitions
    self.problems = problems
  }

  private mutating func check() {
    let root = document.root
    for entry in root.entries("dayparts") { if let map = entry.map { dayparts.define(entry.key, rule(map)) } }
    if root.node("timezone") == nil {
      problems.report(
        Diagnostic(
          .warning, "T218", "this playlist has no `timezone`",
          at: .init(document.kindSpan, "follows the clock of the computer it runs on"),
          footers: [.help("such as `timezone: Europe/Paris`")]))
    }
    if let node = root.node("device") { _ = definitions.selector(node, map: root.map("device")) }
    for node in root.list("devices") { _ = definitions.selector(node, map: nil) }
    for node in root.list("fallback") { media(node, isItem: false) }
    program(root)
    for interrupt in root.maps("interrupts") {
      _ = during(interrupt)
      items(interrupt)
    }
    for problem in definitions.media.unused(kind: "media") + dayparts.unused(kind: "daypart") {
      problems.report(ifAllElseIsRight: problem)
    }
  }

  // MARK: The program

  private mutating func program(_ root: DecodedMap) {
    let rules = root.maps("program")
    guard let key = root.keySpan("program") else { return }
    if rules.isEmpty, root.node("program")?.items?.isEmpty == true {
      problems.report(Diagnostic(.error, "P612", "the program is empty", at: .init(key)))
      return
    }
    // Comparing every rule with all above it is for programs that people write.
    let isComparable = rules.count <= 300
    var parts: [Range<Int>] = []
    var covered = WeekTime.never
    for rule in rules {
      items(rule)
      let time = during(rule)
      if !time.isDated { parts += time.week.ranges }
      guard isComparable, covered.ranges.count <= 1_000 else { continue }
      if time.week != .never, time.week.isSubset(of: covered), let place = rule.span("during") ?? rule.keySpan("play") {
        problems.report(
          Diagnostic(
            .warning, "P611", "this rule never comes on screen", at: .init(place, "rules above it always match"),
            footers: [.help("the first rule whose time matches is on screen: move this one up")]))
      }
      if !time.isDated { covered = covered.union(time.week) }
    }
    // What was wrong in the program has been said; gaps that follow from it would only confuse.
    if problems.hasErrors { return }
    checkCoverage(WeekTime(parts), program: key)
  }

  /// P605: the usual week, without rules for single dates.
  private mutating func checkCoverage(_ covered: WeekTime, program key: SourceSpan) {
    let root = document.root
    guard root.list("fallback").isEmpty else { return }
    let quiet = root.map("quiet").map { rule($0).week } ?? .never
    let gaps = covered.union(quiet).complement
    guard gaps.total > 0 else { return }
    problems.report(
      Diagnostic(
        .warning, "P605", "nothing is on screen for \(Self.hours(gaps.total)) of the week, and there is no `fallback`",
        at: .init(key, "gaps: \(gaps.text)"),
        footers: [
          .help("end with `- { during: any_time, play: [logo] }`, or set `fallback: logo`, or `quiet:`"),
          .note("`showcaller week \(document.source.name)` prints the whole week"),
        ]))
  }

  private static func hours(_ seconds: Int) -> String {
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
    return minutes == 0 ? "\(hours) h" : hours == 0 ? "\(minutes) min" : "\(hours) h \(minutes) min"
  }

  private mutating func items(_ map: DecodedMap) {
    for node in map.list("play") {
      guard node.pairs != nil else {
        media(node, isItem: true)
        continue
      }
      let item = DecodedMap(node, as: Language.playlistItem)
      guard let media = item.node("media").flatMap({ media($0, isItem: false) }) else { continue }
      if media.isLive, !item.has("for") {
        problems.report(liveItem(media, at: item.span("media") ?? item.span))
      }
    }
  }

  /// A media by id or URL; `isItem`: it stands alone in a list, where nobody can say `for`.
  @discardableResult private mutating func media(_ node: YAMLNode, isItem: Bool) -> CompiledMedia? {
    guard let name = node.text, !node.isEmpty else { return nil }
    if let media = definitions.media.use(name) {
      if media.isLive, isItem { problems.report(liveItem(media, at: node.span)) }
      return media
    }
    if URLScalar.looksLikeURL(name) {
      var compiler = MediaCompiler(
        styles: definitions.textStyles, likes: definitions.likes, fileExists: definitions.fileExists, problems: problems
      )
      let media = compiler.media(at: node, after: "media")
      problems = compiler.problems
      return media
    }
    if !definitions.brokenMedia.contains(name) {
      problems.report(definitions.media.unknown(name, kind: "media", at: node, after: problems))
    }
    return nil
  }

  private func liveItem(_ media: CompiledMedia, at span: SourceSpan) -> Diagnostic {
    Diagnostic(
      .error, "P608", "live media `\(media.id ?? "")` never ends: the item needs `for`",
      at: .init(span, "for how long?"),
      footers: [.help("`{ media: \(media.id ?? "…"), for: 30m }`")])
  }

  // MARK: Times

  private mutating func during(_ map: DecodedMap) -> TimeRule {
    if let inner = map.map("during") { return rule(inner) }
    guard let node = map.node("during"), let name = node.text else { return TimeRule(week: .always, isDated: false) }
    if let rule = dayparts.use(name) { return rule }
    if name != "any_time" {
      problems.report(dayparts.unknown(name, kind: "daypart", at: node, after: problems))
      return TimeRule(week: .never, isDated: true)
    }
    return TimeRule(week: .always, isDated: false)
  }

  /// A time condition, or `quiet`, as hours of the week.
  private func rule(_ map: DecodedMap) -> TimeRule {
    let days = map.text("days").flatMap { try? TimeScalar.days($0) } ?? Set(0...6)
    let windows = map.texts("hours").compactMap { try? TimeScalar.hours($0) }.map { ($0.start, $0.end) }
    let hours = map.has("hours") ? windows : [(0, WeekTime.day)]
    let isDated = map.spec.contains("dates") && (map.has("dates") || map.has("calendar") || map.has("not"))
    return TimeRule(week: WeekTime(days: days.sorted(), hours: hours), isDated: isDated)
  }
}
