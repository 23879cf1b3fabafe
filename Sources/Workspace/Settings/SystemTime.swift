import Glibc
package import ScenarioLanguage

/// What this computer knows about dates and zones, for documents to be checked against.
package struct SystemTime: Sendable {
  private let surroundings: Surroundings

  /// What is known in these surroundings.
  package init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  /// Today, by the clock of the surroundings and the zone of the process.
  package var today: CivilDate? {
    var now = time_t(surroundings.unixTime())
    var parts = tm()
    guard localtime_r(&now, &parts) != nil else { return nil }
    return CivilDate(year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
  }

  /// A file of the zone database; the name comes checked from the compiler.
  package func zoneData(_ name: String) -> [UInt8]? {
    try? Files.read(surroundings.zoneFolder + name, limit: TimeZoneRules.byteLimit)
  }

  /// The clocks of a zone by its name, without a name those of this computer; `nil` where they are not known.
  package func rules(ofZone name: String?) -> TimeZoneRules? {
    let isLocal = name == nil
    if let name = name ?? localZone {
      var directory = TimeZoneDatabase(zoneData)
      return directory.rules(name) ?? (isLocal ? TimeZoneRules(posix: name) : nil)
    }
    // A copy in place of a link has no name.
    guard let data = try? Files.read(surroundings.localTimeLink, limit: TimeZoneRules.byteLimit) else { return .utc }
    return TimeZoneRules(tzif: data)
  }

  /// The clocks of a zone as ``rules(ofZone:)`` has them, for what cannot go on without.
  /// - Throws: Where they are not known: what of this computer is not as it has to be.
  package func clocks(ofZone name: String?) throws(WorkspaceError) -> TimeZoneRules {
    if let rules = rules(ofZone: name) { return rules }
    let whose = name.map { "of \($0)" } ?? "of this computer's zone\(localZone.map { ", \($0)," } ?? "")"
    // Where the database is there, the name of the computer's zone is wrong.
    let hasDatabase = zoneData("Etc/UTC").map { TimeZoneRules(tzif: $0) != nil } ?? false
    throw WorkspaceError(
      .documentInvalid, "the clocks \(whose) are not known here",
      help: name == nil && hasDatabase
        ? "write `timezone: Europe/Paris`, or another, into the playlist"
        : "`apt-get install --reinstall tzdata` brings the zones of the world")
  }

  /// The same as a value.
  func knownClocks(ofZone name: String?) -> Result<TimeZoneRules, WorkspaceError> {
    do throws(WorkspaceError) { return .success(try clocks(ofZone: name)) } catch { return .failure(error) }
  }

  /// The name of the computer's own zone, or its rule: what TZ says, else where /etc/localtime points.
  package var localZone: String? {
    if let name = surroundings.environment["TZ"], !name.isEmpty {
      return name.hasPrefix(":") ? String(name.dropFirst()) : name
    }
    let folder = surroundings.zoneFolder
    guard let path = try? Files.realPath(of: surroundings.localTimeLink), path.hasPrefix(folder) else { return nil }
    return String(path.dropFirst(folder.count))
  }
}
