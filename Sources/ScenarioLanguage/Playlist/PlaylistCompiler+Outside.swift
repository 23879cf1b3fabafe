/// `triggers`, `notify` and `power` (docs/language/playlist.md "Triggers").
extension PlaylistCompiler {
  /// A feed that is asked more often takes its server for a bell.
  private static let shortestFeedInterval = Duration.seconds(10)
  private static let shortestRepeat = Duration.seconds(60)

  mutating func defineTriggers(_ root: FieldMap) -> [PlaylistPlan.Trigger] {
    var found: [PlaylistPlan.Trigger] = []
    for entry in root.entries("triggers") {
      guard let map = entry.map else { continue }
      // One that has a fault is known all the same: whoever waits for it has none.
      let trigger = PlaylistPlan.Trigger(
        name: entry.key.text, source: source(of: map, called: entry.key) ?? .webhook, span: entry.key.span)
      triggers.define(entry.key, trigger)
      found.append(trigger)
    }
    return found
  }

  /// The name of a trigger that an interrupt waits for; `nil` where there is none, which is reported.
  mutating func use(trigger node: YAMLNode) -> String? {
    guard let name = node.text, !node.isEmpty else { return nil }
    if triggers.use(name) != nil { return name }
    var problem = triggers.unknown(name, kind: "trigger", at: node, after: problems)
    if triggers.names.isEmpty {
      problem.footers = [.help("define it: `triggers: { \(ScalarText.shown(name)): { webhook: true } }`")]
    }
    problems.report(problem)
    return nil
  }

  private mutating func source(of map: FieldMap, called name: YAMLNode.Key) -> PlaylistPlan.Trigger.Source? {
    map.reportUnused(["severity", "every"], without: "cap", to: problems)
    if let node = map.node("webhook") {
      if map.bool("webhook") == false {
        problems.report(
          .error, .p612, "the trigger `\(ScalarText.shown(name.text))` is never fired",
          at: .init(node.span, "by nothing"), footers: [.help("write `webhook: true`, or leave the trigger out")])
      }
      return .webhook
    }
    if let path = map.text("file") { return .file(path) }
    guard let node = map.node("cap"), let url = address(node) else { return nil }
    let every = map.duration("every", atLeast: Self.shortestFeedInterval, reportingTo: problems) ?? .seconds(60)
    let severities = map.texts("severity").compactMap(PlaylistPlan.AlertFeed.Severity.init(rawValue:))
    return .alerts(.init(url: url, severities: severities.isEmpty ? [.extreme, .severe] : severities, every: every))
  }

  private func address(_ node: YAMLNode) -> String? {
    node.webAddress(reportingTo: problems) { _ in "such as `https://hooks.example.com/screens`" }
  }

  mutating func notifications(_ root: FieldMap) -> [PlaylistPlan.Notification] {
    root.maps("notify").compactMap { map in
      guard let during = times.during(map), let channel = channel(map) else { return nil }
      let occasions = map.texts("when").compactMap(PlaylistPlan.Notification.Occasion.init(rawValue:))
      return PlaylistPlan.Notification(
        occasions: occasions, lasting: map.duration("for") ?? .zero, during: during,
        again: map.duration("again", atLeast: Self.shortestRepeat, reportingTo: problems), channel: channel,
        span: map.span)
    }
  }

  private mutating func channel(_ map: FieldMap) -> PlaylistPlan.Notification.Channel? {
    if let node = map.node("webhook") { return address(node).map { .webhook($0) } }
    return words("command", of: map).map { .command($0) }
  }

  mutating func power(_ root: FieldMap) -> PlaylistPlan.Power? {
    guard let map = root.map("power"), let key = root.keySpan("power") else { return nil }
    let power = PlaylistPlan.Power(
      on: words("on", of: map) ?? [], off: words("off", of: map) ?? [],
      verifiesStandby: map.text("verify") == "standby", span: key)
    if !root.has("quiet") {
      problems.reportIfNoErrors(
        Diagnostic(
          .warning, .k107, "`power` has no effect without `quiet`", at: .init(key, "never used"),
          footers: [.help("say when the screens rest: `quiet: { hours: 22:00-07:00 }`")]))
    }
    return power
  }

  /// A program and its arguments; an empty list is reported.
  private mutating func words(_ key: String, of map: FieldMap) -> [String]? {
    guard let node = map.node(key), let place = map.keySpan(key) else { return nil }
    let words = map.texts(key)
    if words.first?.isEmpty ?? (node.items?.isEmpty == true) {
      problems.report(
        .error, .p612, "this names no program", at: .init(place, "an empty list"),
        footers: [.help("the program, then each argument: `[tv-power, lobby]`")])
    }
    return words
  }
}
