/// The zones of the zone database, as far as whoever compiles can read it.
package struct TimeZoneDatabase: Sendable {
  private let data: @Sendable (String) -> [UInt8]?
  private var known: [String: TimeZoneRules?] = [:]
  private var names: [String]?
  private var isComplete: Bool?

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
  private static func isFileName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard name.utf8.count <= 64, parts.count <= 3 else { return false }
    return parts.allSatisfy { part in
      !part.isEmpty
        && part.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
          default: false
          }
        }
    }
  }

  /// What is wrong with a name; without data only its spelling counts.
  mutating func problem(with text: String, wantsSuggestion: Bool) -> ScalarProblem? {
    do throws(ScalarProblem) {
      _ = try NameScalar.timeZone(text)
      // Behind so many errors nobody reads one more, and each would be another file to look for.
      guard wantsSuggestion, isAvailable, rules(text) == nil else { return nil }
      return ScalarProblem(
        .t218, "unknown time zone \(ScalarText.quoted(text))", label: suggestion(text, wantsSuggestion))
    } catch {
      var problem = error
      problem.label = suggestion(text, wantsSuggestion)
      return problem
    }
  }

  /// Whether there is a database to ask at all.
  private var isAvailable: Bool {
    mutating get {
      let answer = isComplete ?? (data("Etc/UTC").flatMap { TimeZoneRules(tzif: $0) } != nil)
      isComplete = answer
      return answer
    }
  }

  private mutating func suggestion(_ text: String, _ isWanted: Bool) -> String {
    guard isWanted, text.utf8.count <= 64 else { return "" }
    let all = names ?? Self.names(inTable: data("zone.tab") ?? [])
    names = all
    let wanted = text.lowercased().replacing(" ", with: "_")
    // A city alone, or the whole in other letters.
    let city = all.first { name in
      let small = name.lowercased()
      return small == wanted || small.hasSuffix("/" + wanted)
    }
    return (city ?? Suggestions.nearest(to: text, among: all)).map { "did you mean `\($0)`?" } ?? ""
  }

  /// The third column of the database's own list, `zone.tab`.
  static func names(inTable bytes: [UInt8]) -> [String] {
    guard bytes.count <= TimeZoneRules.byteLimit else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard line.first != UInt8(ascii: "#") else { return nil }
      let columns = line.split(separator: UInt8(ascii: "\t"), maxSplits: 3)
      guard columns.count >= 3 else { return nil }
      let name = String(decoding: columns[2], as: UTF8.self)
      return (try? NameScalar.timeZone(name)) == nil ? nil : name
    }.sorted()
  }
}
