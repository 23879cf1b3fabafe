import CastProtocol
import FleetMessages
import ScenarioLanguage
import Signage

/// What a site tells of itself, made of one look after the other at its screens.
///
/// A value without I/O; times are Unix times.
struct SiteStates: Sendable {
  /// The newest files of ledgers that are told; those before them are not.
  static let mostLedgers = 1_000

  /// What one look gives.
  struct Told: Sendable {
    /// All that is to be retained.
    var retained: [BrokerMessage] = []
    /// What is news to whoever listens now.
    var news: [BrokerMessage] = []
  }

  let site: SiteName
  private let started: Int
  private(set) var names = ScreenNames([])
  private(set) var alerts: AlertBook
  /// The ids of the playlists.
  private(set) var playlists: [String] = []
  private var reports: [ScreenNames.Screen: ScreenReport] = [:]
  private var screens: [ScreenNames.Screen: ScreenState] = [:]
  private var health: SiteHealth?
  private var changes: [String: NextChange] = [:]

  /// When a program changes next, as long as that is known.
  private struct NextChange: Sendable {
    var plan: PlaylistPlan
    var at: Int?
    /// Unix time until which it holds.
    var until: Int
  }

  init(site: SiteName, started: Double) {
    self.site = site
    self.started = ScreenReport.whole(started)
    alerts = AlertBook(site: site)
  }

  /// Takes a look.
  /// - Parameters:
  ///   - editions: Of the documents that the fleet gave, by id.
  ///   - refusals: Messages that were not obeyed.
  mutating func look(_ view: SiteView, editions: [String: Int], refusals: Refusals, ledgers: [LedgerMark]) -> Told {
    var told = Told()
    names = ScreenNames(view)
    playlists = view.playlists.map(\.program.plan.id)
    alerts.look(view)
    told.news = alerts.takeEnded()
    tellScreens(view, &told)
    told.retained += alerts.open
    told.retained += ledgers.suffix(Self.mostLedgers).map { mark in
      let topic = FleetTopic.ledger(
        site, playlist: TopicLevel.of(mark.playlist), file: TopicLevel.of(mark.file))
      let report = LedgerReport(
        site: site.text, playlist: mark.playlist, file: mark.file, lines: mark.lines, hash: mark.hash)
      return BrokerMessage(topic.text, report.payload, isRetained: true)
    }
    let health = newHealth(view, editions: editions, refusals: refusals)
    told.retained.append(BrokerMessage(FleetTopic.health(site).text, health.payload, isRetained: true))
    told.retained.append(SiteAgent.availability(of: site, isOnline: true))
    return told
  }

  private mutating func tellScreens(_ view: SiteView, _ told: inout Told) {
    var (reports, screens): ([ScreenNames.Screen: ScreenReport], [ScreenNames.Screen: ScreenState]) = ([:], [:])
    for playlist in view.playlists {
      let plan = playlist.program.plan
      let isExpected = playlist.isExpected(at: view.time)
      for screen in playlist.screens {
        let place = ScreenNames.Screen(playlist: plan.id, screen: screen.name)
        guard let level = names.level(of: place) else { continue }
        let report = ScreenReport(
          of: screen, playlist.sights[screen.name], in: plan, site: site, at: view.time, after: self.reports[place])
        (reports[place], screens[place]) = (report, screen)
        told.retained.append(
          BrokerMessage(FleetTopic.screenState(site, screen: level).text, report.payload, isRetained: true))
        guard let former = self.screens[place] else { continue }
        let news = ScreenNews.between(former, and: screen, isExpected: isExpected, at: view.time)
        let topic = FleetTopic.screenEvent(site, screen: level).text
        told.news += news.map { BrokerMessage(topic, $0.payload) }
      }
    }
    (self.reports, self.screens) = (reports, screens)
  }

  private mutating func newHealth(_ view: SiteView, editions: [String: Int], refusals: Refusals) -> SiteHealth {
    let time = ScreenReport.whole(view.time)
    let judged = view.health.json
    var health = SiteHealth(
      site: site.text, status: judged["status"]?.string.flatMap(SiteHealth.Status.init) ?? .unknown,
      version: view.version, started: started, time: time, screens: view.playlists.reduce(0) { $0 + $1.screens.count },
      dark: judged["dark"]?.array?.count ?? 0, alerts: alerts.open.count, playlists: [], refused: refusals.count)
    health.refusal = refusals.last
    var known: [String: NextChange] = [:]
    for playlist in view.playlists {
      let plan = playlist.program.plan
      let change = nextChange(of: playlist.program, at: time)
      known[plan.id] = change
      health.playlists.append(
        .init(id: plan.id, title: plan.title, edition: editions[plan.id], nextChange: change.at))
    }
    changes = known
    // That time went on is no news.
    if let former = self.health {
      health.time = former.time
      if health != former { health.time = time }
    }
    self.health = health
    return health
  }

  /// Looking ahead costs more than all else here, and mostly gives what it gave before.
  private func nextChange(of program: Program, at time: Int) -> NextChange {
    if let known = changes[program.plan.id], known.plan == program.plan, time < known.until { return known }
    let at = program.nextChange(after: time)?.at
    return NextChange(plan: program.plan, at: at, until: min(at ?? .max, time + 86_400))
  }

  /// The Unix time from which on a look may give something else although nothing happened; `nil`: none.
  var nextDue: Double? {
    ([alerts.nextDue] + changes.values.map { Double($0.until) }).compactMap(\.self).min()
  }
}
