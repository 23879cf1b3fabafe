@testable import ScenarioLanguage

/// The zone database of the computer that tests run on (Debian's `tzdata`).
enum ZoneFiles {
  @Sendable static func read(_ name: String) -> [UInt8]? { TestFiles.bytes("/usr/share/zoneinfo/\(name)") }

  static func rules(_ name: String) -> TimeZoneRules? { read(name).flatMap { TimeZoneRules(tzif: $0) } }
}
