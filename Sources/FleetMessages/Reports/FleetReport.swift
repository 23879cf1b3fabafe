package import CastProtocol

/// What a site, or an agent of a lab, tells: JSON with a version, of which readers pass over what they do not know.
package protocol FleetReport: Codable, Hashable, Sendable {}

extension FleetReport {
  /// The bytes of a message.
  package var payload: [UInt8] {
    guard var object = (try? JSONValue(encoding: self))?.object else { return [] }
    object.members.insert(.init("v", 1), at: 0)
    return Array(JSONValue.object(object).serialized().utf8)
  }

  /// Reads a message; it comes from whoever may publish at the broker.
  /// - Returns: `nil`: it is something else.
  package init?(payload: [UInt8]) {
    guard let json = try? JSONValue(parsing: payload, limits: .init(depth: 16, length: 1 << 20)),
      let report = try? json.decoded(as: Self.self)
    else { return nil }
    self = report
  }
}

/// How a site is as a whole.
package struct SiteHealth: FleetReport {
  package enum Status: String, Codable, Hashable, Sendable, CaseIterable {
    case ok, starting
    /// A screen shows nothing although it should.
    case dark
    /// A document is not served.
    case invalid
    case unknown

    package init(from decoder: any Decoder) throws {
      self = Status(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
  }

  package var site: String
  package var status: Status
  /// Of Showcaller.
  package var version: String
  /// Unix times: at which the site began, and of this report.
  package var started: Int
  package var time: Int
  package var screens: Int
  package var dark: Int
  package var alerts: Int
  /// The playlists that are served.
  package var playlists: [Playlist]
  /// Messages that were not obeyed since it began: unsigned, wrong or too many.
  package var refused: Int
  /// The newest of them, and why.
  package var refusal: String?

  package struct Playlist: Codable, Hashable, Sendable {
    package var id: String
    package var title: String
    /// Of the document that the fleet gave; `nil`: it is the site's own.
    package var edition: Int?
    /// Unix time of the next change of the program.
    package var nextChange: Int?

    package init(id: String, title: String, edition: Int?, nextChange: Int?) {
      (self.id, self.title, self.edition, self.nextChange) = (id, title, edition, nextChange)
    }

    private enum CodingKeys: String, CodingKey {
      case id, title, edition
      case nextChange = "next_change"
    }
  }

  package init(
    site: String, status: Status, version: String, started: Int, time: Int, screens: Int, dark: Int, alerts: Int,
    playlists: [Playlist], refused: Int
  ) {
    (self.site, self.status, self.version, self.started, self.time) = (site, status, version, started, time)
    (self.screens, self.dark, self.alerts, self.playlists, self.refused) = (screens, dark, alerts, playlists, refused)
  }
}

/// What one screen shows, how it is and what follows.
package struct ScreenReport: FleetReport {
  package var site: String
  package var playlist: String
  package var screen: String
  /// A state of Home Assistant's media players: `playing`, `paused`, `buffering`, `idle`, `standby`, `off`.
  package var state: String
  /// `starting`, `showing`, `resting`, `nothing`, `yielded` or `dark`.
  package var phase: String
  /// Unix time since which it is in its phase, or shows its item.
  package var since: Int
  package var isDark: Bool
  package var isUp: Bool
  package var isPaused: Bool
  /// What it is called on the network; `nil`: not found yet.
  package var device: String?
  /// Why it does not show its program.
  package var why: String?
  /// What is on: its title, its id or address, and a picture that anybody may fetch.
  package var title: String?
  package var item: String?
  package var picture: String?
  package var decidedBy: String?
  /// What follows, and at which Unix time.
  package var next: String?
  package var nextAt: Int?
  /// 0 to 1.
  package var volume: Double?
  /// The newest problem.
  package var problem: String?
  package var reconnects: Int
  package var loadFailures: Int

  private enum CodingKeys: String, CodingKey {
    case site, playlist, screen, state, phase, since, device, why, title, item, picture, next, volume, problem,
      reconnects
    case isDark = "dark"
    case isUp = "up"
    case isPaused = "paused"
    case decidedBy = "decided_by"
    case nextAt = "next_at"
    case loadFailures = "load_failures"
  }

  package init(site: String, playlist: String, screen: String, state: String, phase: String, since: Int) {
    (self.site, self.playlist, self.screen, self.state, self.phase, self.since) =
      (site, playlist, screen, state, phase, since)
    (isDark, isUp, isPaused, reconnects, loadFailures) = (false, false, false, 0, 0)
  }
}

/// Something that happened on a screen, for whoever listens at that moment.
package struct ScreenNews: FleetReport {
  package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    case takeover, returned, dark, recovered, stuck
  }

  package var kind: Kind
  /// Unix time.
  package var time: Int
  /// Who, what or why.
  package var detail: String

  private enum CodingKeys: String, CodingKey {
    // The name that Home Assistant's events have for it.
    case kind = "event_type"
    case time, detail
  }

  package init(_ kind: Kind, _ detail: String, at time: Int) {
    (self.kind, self.detail, self.time) = (kind, detail, time)
  }
}

/// Something that is wrong at a site.
package struct AlertReport: FleetReport {
  package enum State: String, Codable, Hashable, Sendable { case open, over }

  package var site: String
  package var playlist: String
  /// `dark`, `invalid`, ... as `notify` names them (docs/language/playlist.md "Whom to tell").
  package var occasion: String
  /// A screen, a file, a host.
  package var subject: String
  package var detail: String
  package var state: State
  /// Unix times: since when it is so, and of this report.
  package var since: Int
  package var time: Int

  package init(
    site: String, playlist: String, occasion: String, subject: String, detail: String, state: State, since: Int,
    time: Int
  ) {
    (self.site, self.playlist, self.occasion, self.subject) = (site, playlist, occasion, subject)
    (self.detail, self.state, self.since, self.time) = (detail, state, since, time)
  }
}

/// What became of a document that was given to a site.
package struct DocumentReport: FleetReport {
  package enum State: String, Codable, Hashable, Sendable {
    /// Its screens show it.
    case on
    /// It is wrong, and the one before it stays on.
    case refused
    /// It was taken off.
    case removed
  }

  package var site: String
  package var id: String
  /// Of the document that was given.
  package var edition: Int
  package var state: State
  /// Of the files that are on: ``FleetDocument/digest``; `nil`: none.
  package var digest: String?
  /// The edition that is on; `nil`: none.
  package var shown: Int?
  /// Why it is refused, in one line.
  package var why: String?
  /// What `check --json` says of it, at most 50.
  package var diagnostics: [JSONValue]
  /// Unix time.
  package var time: Int

  package init(site: String, id: String, edition: Int, state: State, time: Int) {
    (self.site, self.id, self.edition, self.state, self.time) = (site, id, edition, state, time)
    diagnostics = []
  }
}

/// A finished file of a ledger, as it was when nothing more came to it.
package struct LedgerReport: FleetReport {
  package var site: String
  package var playlist: String
  /// The file's name, without its folder.
  package var file: String
  /// The number and the hash of its last line, which stands for all before it.
  package var lines: Int
  package var hash: String

  package init(site: String, playlist: String, file: String, lines: Int, hash: String) {
    (self.site, self.playlist, self.file, self.lines, self.hash) = (site, playlist, file, lines, hash)
  }
}

/// What became of an order.
package struct OrderReport: FleetReport {
  package var site: String
  /// The order's id.
  package var id: String
  package var isObeyed: Bool
  /// Why not, or what was done.
  package var detail: String
  package var time: Int

  private enum CodingKeys: String, CodingKey {
    case site, id, detail, time
    case isObeyed = "ok"
  }

  package init(site: String, id: String, isObeyed: Bool, detail: String, time: Int) {
    (self.site, self.id, self.isObeyed, self.detail, self.time) = (site, id, isObeyed, detail, time)
  }
}
