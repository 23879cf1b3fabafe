package import FleetMessages

/// What is known of one site.
package struct SiteFacts: Sendable {
  /// What its availability says.
  package enum Presence: String, Hashable, Sendable {
    case online, offline
    /// It says neither.
    case unreadable
  }

  /// A name of a playlist, and of what it is a part of there, as topics have them.
  package struct Place: Hashable, Sendable, Comparable {
    package var playlist: String
    package var name: String

    package static func < (left: Place, right: Place) -> Bool {
      (left.playlist, left.name) < (right.playlist, right.name)
    }
  }

  enum Outcome: Hashable {
    case changed, same
    /// It is no report, or more than is kept.
    case dropped
  }

  private struct Kept<Report: FleetReport>: Sendable {
    var report: Report
    var size: Int
  }

  package private(set) var presence: Presence?
  private var keptHealth: Kept<SiteHealth>?
  private var keptScreens: [String: Kept<ScreenReport>] = [:]
  private var keptAlerts: [Place: Kept<AlertReport>] = [:]
  private var keptDocuments: [String: Kept<DocumentReport>] = [:]
  private var keptLedgers: [Place: Kept<LedgerReport>] = [:]
  /// What its reports take.
  private(set) var bytes = 0

  package init() {}

  package var health: SiteHealth? { keptHealth?.report }
  package var screens: [String: ScreenReport] { keptScreens.mapValues(\.report) }
  /// Those that last.
  package var alerts: [Place: AlertReport] { keptAlerts.mapValues(\.report) }
  package var documents: [String: DocumentReport] { keptDocuments.mapValues(\.report) }
  package var ledgers: [Place: LedgerReport] { keptLedgers.mapValues(\.report) }
  /// Screens that say that they are dark.
  package var darkScreens: Int { keptScreens.values.count { $0.report.isDark } }
  var screenCount: Int { keptScreens.count }
  var alertPlaces: Set<Place> { Set(keptAlerts.keys) }

  var isEmpty: Bool {
    presence == nil && keptHealth == nil && keptScreens.isEmpty && keptAlerts.isEmpty && keptDocuments.isEmpty
      && keptLedgers.isEmpty
  }

  /// - Parameter room: How many bytes more may be kept.
  mutating func receive(_ payload: [UInt8], on topic: FleetTopic, room: Int) -> Outcome {
    switch topic {
    case .availability:
      let old = presence
      presence = payload.isEmpty ? nil : Presence(payload)
      return presence == old ? .same : .changed
    case .health:
      let limits = Limits(most: 1, room: room)
      var all: [Int: Kept<SiteHealth>] = keptHealth.map { [0: $0] } ?? [:]
      defer { keptHealth = all[0] }
      return take(Self.put(payload, at: 0, of: &all, limits) { _ in true })
    case .screenState(_, let screen):
      let limits = Limits(most: FleetView.Limit.screens, room: room)
      return take(Self.put(payload, at: screen, of: &keptScreens, limits) { _ in true })
    case .alert(_, let playlist, let key):
      // The last one says that it is over.
      let limits = Limits(most: FleetView.Limit.alerts, room: room)
      let place = Place(playlist: playlist, name: key)
      return take(Self.put(payload, at: place, of: &keptAlerts, limits) { $0.state == .open })
    case .documentReport(_, let id):
      let limits = Limits(most: FleetView.Limit.documents, room: room)
      return take(Self.put(payload, at: id, of: &keptDocuments, limits) { _ in true })
    case .ledger(_, let playlist, let file):
      let limits = Limits(most: FleetView.Limit.ledgers, room: room)
      return take(Self.put(payload, at: Place(playlist: playlist, name: file), of: &keptLedgers, limits) { _ in true })
    case .screenEvent, .screenSet, .documentPut, .documentPrevious, .orderPut, .orderReport:
      return .same
    }
  }

  private mutating func take(_ put: (outcome: Outcome, bytes: Int)) -> Outcome {
    bytes += put.bytes
    return put.outcome
  }

  private struct Limits {
    var most: Int
    var room: Int
  }

  /// - Returns: How many bytes more are kept, too.
  private static func put<Key: Hashable, Report>(
    _ payload: [UInt8], at key: Key, of kept: inout [Key: Kept<Report>], _ limits: Limits, lasts: (Report) -> Bool
  ) -> (outcome: Outcome, bytes: Int) {
    let old = kept[key]
    let report = payload.isEmpty ? nil : Report(payload: payload)
    // What cannot be read does not take the place of what could be.
    if !payload.isEmpty, report == nil { return (.dropped, 0) }
    guard let report, lasts(report) else {
      kept[key] = nil
      return (old == nil ? .same : .changed, -(old?.size ?? 0))
    }
    let more = payload.count - (old?.size ?? 0)
    guard old != nil || kept.count < limits.most, more <= max(0, limits.room) else { return (.dropped, 0) }
    kept[key] = Kept(report: report, size: payload.count)
    return (old?.report == report ? .same : .changed, more)
  }
}

extension SiteFacts.Presence {
  fileprivate init(_ payload: [UInt8]) {
    self = (payload.count <= 16 ? Self(rawValue: String(decoding: payload, as: UTF8.self)) : nil) ?? .unreadable
  }
}
