package import CastProtocol
package import FleetMessages

/// Something that is different at a site since the last look, for `fleet watch`.
package enum FleetChange: Hashable, Sendable {
  case condition(SiteName, from: SiteRow.Condition?, to: SiteRow.Condition, why: String?)
  /// A screen shows something else, or nothing.
  case screen(SiteName, ScreenReport)
  case alert(SiteName, AlertReport)
  case alertOver(SiteName, AlertReport)
  case document(SiteName, DocumentReport)
  case gone(SiteName)

  /// What `message` has changed between two looks at its site; a screen's volume or its next item are no change.
  package static func changes(
    of site: SiteName, on topic: FleetTopic, from old: SiteFacts?, to new: SiteFacts?
  ) -> [FleetChange] {
    guard let new else { return old == nil ? [] : [.gone(site)] }
    var changes: [FleetChange] = []
    let (before, after) = (old.map { SiteRow(site, $0) }, SiteRow(site, new))
    if before?.condition != after.condition {
      changes.append(.condition(site, from: before?.condition, to: after.condition, why: after.why))
    }
    switch topic {
    case .screenState(_, let screen):
      if let report = new.screens[screen], isAnother(report, than: old?.screens[screen]) {
        changes.append(.screen(site, report))
      }
    case .alert(_, let playlist, let key):
      let place = SiteFacts.Place(playlist: playlist, name: key)
      if let report = new.alerts[place] {
        if old?.alerts[place]?.since != report.since { changes.append(.alert(site, report)) }
      } else if let report = old?.alerts[place] {
        changes.append(.alertOver(site, report))
      }
    case .documentReport(_, let id):
      if let report = new.documents[id], old?.documents[id] != report { changes.append(.document(site, report)) }
    case .availability, .health, .screenEvent, .screenSet, .documentPut, .documentPrevious, .ledger, .orderPut,
      .orderReport:
      break
    }
    return changes
  }

  private static func isAnother(_ report: ScreenReport, than old: ScreenReport?) -> Bool {
    guard let old else { return true }
    return (report.isDark, report.isUp, report.isPaused, report.title, report.item)
      != (old.isDark, old.isUp, old.isPaused, old.title, old.item)
  }

  package var site: SiteName {
    switch self {
    case .condition(let site, _, _, _), .screen(let site, _), .alert(let site, _), .alertOver(let site, _),
      .document(let site, _), .gone(let site):
      site
    }
  }

  /// Whether it is about what is wrong.
  package var isAlert: Bool {
    switch self {
    case .alert, .alertOver: true
    case .condition, .screen, .document, .gone: false
    }
  }

  /// One line; texts of sites are in it as they are.
  package var text: String {
    switch self {
    case .condition(let site, let from, let to, let why):
      "\(site) is \(to.rawValue)\(from.map { ", was \($0.rawValue)" } ?? "")\(why.map { ": \($0)" } ?? "")"
    case .screen(let site, let report):
      "\(site) \(report.screen): \(Self.words(report))"
    case .alert(let site, let report):
      "\(site) alert \(report.occasion): \(report.subject)\(report.detail.isEmpty ? "" : ": \(report.detail)")"
    case .alertOver(let site, let report): "\(site) over \(report.occasion): \(report.subject)"
    case .document(let site, let report):
      "\(site) document \(report.id) edition \(report.edition): \(report.state.rawValue)\(report.why.map { ": \($0)" } ?? "")"
    case .gone(let site): "\(site) is known no more"
    }
  }

  private static func words(_ report: ScreenReport) -> String {
    if report.isDark { return "dark\((report.why ?? report.problem).map { ": \($0)" } ?? "")" }
    if !report.isUp { return "away\((report.why ?? report.problem).map { ": \($0)" } ?? "")" }
    let what = report.title ?? report.item ?? report.why ?? report.state
    return report.isPaused ? "\(what) (paused)" : what
  }

  /// One object of `--json`.
  package var json: JSONValue {
    var object: JSONObject = ["v": 1]
    switch self {
    case .condition(_, let from, let to, let why):
      object["event"] = "condition"
      object["from"] = from.map { .string($0.rawValue) }
      object["condition"] = .string(to.rawValue)
      object["why"] = why.map(JSONValue.string)
    case .screen(_, let report): object = Self.object("screen", report)
    case .alert(_, let report): object = Self.object("alert", report)
    case .alertOver(_, let report):
      object = Self.object("alert_over", report)
      object["state"] = .string(AlertReport.State.over.rawValue)
    case .document(_, let report): object = Self.object("document", report)
    case .gone: object["event"] = "gone"
    }
    object["site"] = .string(site.text)
    return .object(object)
  }

  private static func object(_ event: String, _ report: some FleetReport) -> JSONObject {
    var object: JSONObject = ["v": 1, "event": .string(event)]
    object.members += (try? JSONValue(encoding: report))?.object?.members ?? []
    return object
  }
}
