package import ScenarioLanguage

/// What the files of a ledger are called: `plays.jsonl`, or, where a new one is begun now and then,
/// `plays-2026-11-23.jsonl`, `plays-2026-W48.jsonl` and `plays-2026-11.jsonl`.
package struct LedgerName: Hashable, Sendable {
  private let stem: String
  /// With its dot; empty where there is none.
  private let ending: String
  private let rotation: PlaylistPlan.Ledger.Rotation
  private let zone: TimeZoneRules

  /// The names of a ledger.
  /// - Parameters:
  ///   - file: What it is called in the playlist, without folders.
  ///   - zone: Whose days, weeks and months count.
  package init(_ file: String, rotation: PlaylistPlan.Ledger.Rotation, in zone: TimeZoneRules) {
    let dot = file.lastIndex(of: ".").flatMap { $0 == file.startIndex ? nil : $0 } ?? file.endIndex
    stem = String(file[..<dot])
    ending = String(file[dot...])
    self.rotation = rotation
    self.zone = zone
  }

  /// The file of what is written at a Unix time.
  package func file(at time: Double) -> String {
    let date = ClockText(zone: zone).date(at: LedgerTime.milliseconds(time) / 1_000)
    return name(Self.mark(of: date, rotation))
  }

  /// The file for a record that is written at `time`. It is never one that was left: each holds one stretch of the chain,
  /// whatever happens to the clock or to `rotate:`.
  /// - Parameters:
  ///   - current: That of the record before; `nil` where there is none.
  ///   - existing: The names that are there.
  package func file(at time: Double, after current: String?, existing: Set<String>) -> String {
    let wanted = file(at: time)
    guard let current, wanted != current else { return wanted }
    let isBehind = rotation(of: current) == rotation && wanted < current
    return isBehind || existing.contains(wanted) ? current : wanted
  }

  /// The names of this ledger among others, also those of another `rotate:`: for each kind the newest first.
  package func files(among names: [String]) -> [[String]] {
    var groups: [PlaylistPlan.Ledger.Rotation: [String]] = [:]
    for name in names { if let kind = rotation(of: name) { groups[kind, default: []].append(name) } }
    return groups.values.map { $0.sorted(by: >) }
  }

  /// The names of all its files in a word, as a shell takes it.
  package var pattern: String { name(rotation == .never ? "" : "*") }

  private func name(_ mark: String) -> String { stem + (mark.isEmpty ? "" : "-" + mark) + ending }

  private static func mark(of date: CivilDate, _ rotation: PlaylistPlan.Ledger.Rotation) -> String {
    switch rotation {
    case .never: return ""
    case .daily: return date.iso
    case .monthly: return String(date.iso.prefix(7))
    case .weekly:
      // A week is of the year that its Thursday is in (ISO 8601).
      let thursday = CivilDate(dayNumber: date.dayNumber - date.weekday + 3)
      let first = CivilDate(year: thursday.year, month: 1, day: 1)
      let week = (thursday.dayNumber - first.dayNumber) / 7 + 1
      return "\(thursday.iso.prefix(4))-W\(week < 10 ? "0" : "")\(week)"
    }
  }

  /// How often a new file was begun when this one was named; `nil` where it is none of this ledger.
  private func rotation(of name: String) -> PlaylistPlan.Ledger.Rotation? {
    guard name.hasPrefix(stem), name.hasSuffix(ending), name.utf8.count >= stem.utf8.count + ending.utf8.count else {
      return nil
    }
    let mark = name.dropFirst(stem.count).dropLast(ending.count)
    if mark.isEmpty { return .never }
    if mark.wholeMatch(of: /-[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil { return .daily }
    if mark.wholeMatch(of: /-[0-9]{4}-W[0-9]{2}/) != nil { return .weekly }
    return mark.wholeMatch(of: /-[0-9]{4}-[0-9]{2}/) != nil ? .monthly : nil
  }
}
