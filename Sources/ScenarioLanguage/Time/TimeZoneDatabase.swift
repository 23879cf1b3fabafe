/// The zones of the zone database, as far as whoever compiles can read it.
package struct TimeZoneDatabase: Sendable {
  private let data: @Sendable (String) -> [UInt8]?
  private var known: [String: TimeZoneRules?] = [:]

  /// A directory that asks `data` for files of the zone database, by their names in there.
  package init(_ data: @escaping @Sendable (String) -> [UInt8]? = { _ in nil }) { self.data = data }

  /// The zone called `name`; `nil` where the name is not spelled like one or no data of that name can be read.
  package mutating func rules(_ name: String) -> TimeZoneRules? {
    if let rules = known[name] { return rules }
    var rules: TimeZoneRules?
    if Self.isFileName(name) {
      rules = data(name).flatMap { TimeZoneRules(tzif: $0) } ?? (name == "UTC" ? .utc : nil)
    }
    if known.count < 1_000 { known[name] = .some(rules) }
    return rules
  }

  /// Whether it may be a file of the database. A name that passes has no dots and no slash in front: it cannot lead out
  /// of its folder. Documents name zones by continent and place; calendars and computers also by `Japan` or `EST5EDT`.
  static func isFileName(_ name: some StringProtocol) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name.utf8.count <= 64 && parts.count <= 3
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { ScalarText.isLetterOrDigit($0) || "_+-".utf8.contains($0) }
      }
  }

  /// Whether there is a database to ask at all.
  private(set) lazy var isAvailable = data("Etc/UTC").flatMap { TimeZoneRules(tzif: $0) } != nil

  /// The names that the database lists, ascending.
  private(set) lazy var names = Self.names(inTable: data("zone.tab") ?? [])

  /// The third column of the database's own list, `zone.tab`.
  static func names(inTable bytes: [UInt8]) -> [String] {
    guard bytes.count <= TimeZoneRules.byteLimit else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard line.first != UInt8(ascii: "#") else { return nil }
      let columns = line.split(separator: UInt8(ascii: "\t"), maxSplits: 3)
      guard columns.count >= 3 else { return nil }
      let name = String(decoding: columns[2], as: UTF8.self)
      return isFileName(name) && name.contains("/") ? name : nil
    }.sorted()
  }
}
