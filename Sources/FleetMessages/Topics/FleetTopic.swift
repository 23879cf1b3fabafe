/// The topics of sites, all below `showcaller/SITE/` (docs/fleet.md "Topics").
///
/// Those of a screen have four levels, those of the site itself three, all others five: no name of a screen can be taken
/// for anything else.
package enum FleetTopic: Hashable, Sendable {
  /// `online` or `offline`; retained, and the site's last will.
  case availability(SiteName)
  /// ``SiteHealth``; retained.
  case health(SiteName)
  /// ``ScreenReport``; retained. The screen is named by ``TopicLevel``.
  case screenState(SiteName, screen: String)
  /// ``ScreenNews``; not retained.
  case screenEvent(SiteName, screen: String)
  /// A plain order, which a site takes only where it was told to: from Home Assistant.
  case screenSet(SiteName, screen: String)
  /// ``AlertReport``; retained as long as it lasts.
  case alert(SiteName, playlist: String, key: String)
  /// A signed ``FleetDocument``; retained.
  case documentPut(SiteName, id: String)
  /// The one before it, signed too; retained, for `fleet rollback`.
  case documentPrevious(SiteName, id: String)
  /// ``DocumentReport``; retained.
  case documentReport(SiteName, id: String)
  /// ``LedgerReport``; retained.
  case ledger(SiteName, playlist: String, file: String)
  /// A signed ``FleetOrder``; not retained.
  case orderPut(SiteName, id: String)
  /// ``OrderReport``; not retained.
  case orderReport(SiteName, id: String)

  /// The first level of all of them.
  package static let root = "showcaller"

  package var site: SiteName {
    switch self {
    case .availability(let site), .health(let site), .screenState(let site, _), .screenEvent(let site, _),
      .screenSet(let site, _), .alert(let site, _, _), .documentPut(let site, _), .documentPrevious(let site, _),
      .documentReport(let site, _), .ledger(let site, _, _), .orderPut(let site, _), .orderReport(let site, _):
      site
    }
  }

  package var text: String {
    "\(Self.root)/\(site)/"
      + {
        switch self {
        case .availability: "availability"
        case .health: "health"
        case .screenState(_, let screen): "\(screen)/state"
        case .screenEvent(_, let screen): "\(screen)/event"
        case .screenSet(_, let screen): "\(screen)/set"
        case .alert(_, let playlist, let key): "alert/\(playlist)/\(key)"
        case .documentPut(_, let id): "document/\(id)/put"
        case .documentPrevious(_, let id): "document/\(id)/previous"
        case .documentReport(_, let id): "document/\(id)/report"
        case .ledger(_, let playlist, let file): "ledger/\(playlist)/\(file)"
        case .orderPut(_, let id): "order/\(id)/put"
        case .orderReport(_, let id): "order/\(id)/report"
        }
      }()
  }

  /// `nil` for any other topic.
  package init?(_ text: String) {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard levels.count >= 3, levels[0] == Self.root, let site = SiteName(levels[1]),
      levels.allSatisfy({ !$0.isEmpty && $0 != "+" && $0 != "#" })
    else { return nil }
    switch (levels.count, levels[2], levels[levels.count - 1]) {
    case (3, "availability", _): self = .availability(site)
    case (3, "health", _): self = .health(site)
    case (4, let screen, "state"): self = .screenState(site, screen: screen)
    case (4, let screen, "event"): self = .screenEvent(site, screen: screen)
    case (4, let screen, "set"): self = .screenSet(site, screen: screen)
    case (5, "alert", let key): self = .alert(site, playlist: levels[3], key: key)
    case (5, "ledger", let file): self = .ledger(site, playlist: levels[3], file: file)
    case (5, "document", "put"): self = .documentPut(site, id: levels[3])
    case (5, "document", "previous"): self = .documentPrevious(site, id: levels[3])
    case (5, "document", "report"): self = .documentReport(site, id: levels[3])
    case (5, "order", "put"): self = .orderPut(site, id: levels[3])
    case (5, "order", "report"): self = .orderReport(site, id: levels[3])
    default: return nil
    }
  }
}

/// What somebody subscribes to (MQTT 5.0, 4.7.1 and 4.8.2).
package enum FleetFilter: Hashable, Sendable {
  /// What a site reads: documents and orders, and with `plainOrders` those that nobody signed.
  case documents(SiteName)
  case orders(SiteName)
  case plainOrders(SiteName)
  /// What a site has published itself: so that it finds what is no more.
  case own(SiteName)
  /// All that one site, or every site (`nil`), tells.
  case site(SiteName?)
  /// How one site, or every site (`nil`), is: what an operator looks at.
  case condition(SiteName?)
  /// The documents that one site, or every site (`nil`), was given.
  case given(SiteName?)
  /// What became of orders there, and the finished files of ledgers.
  case orderReports(SiteName?)
  case ledgers(SiteName?)

  package var text: [String] {
    func below(_ site: SiteName?, _ rest: String) -> String { "\(FleetTopic.root)/\(site?.text ?? "+")/\(rest)" }
    switch self {
    case .documents(let site): return [below(site, "document/+/put")]
    case .orders(let site): return [below(site, "order/+/put")]
    case .plainOrders(let site): return [below(site, "+/set")]
    case .own(let site):
      return [
        below(site, "+/state"), below(site, "alert/+/+"), below(site, "document/+/report"), below(site, "ledger/+/+"),
      ]
    case .site(let site): return [below(site, "#")]
    case .condition(let site):
      return ["availability", "health", "+/state", "alert/+/+", "document/+/report"].map { below(site, $0) }
    case .given(let site): return [below(site, "document/+/put"), below(site, "document/+/previous")]
    case .orderReports(let site): return [below(site, "order/+/report")]
    case .ledgers(let site): return [below(site, "ledger/+/+")]
    }
  }
}
