package import CastProtocol

extension LedgerSum {
  /// All of it; times are seconds.
  package var json: JSONValue {
    func seconds(_ milliseconds: Int) -> JSONValue { JSONValue(LedgerTime.seconds(milliseconds)) }
    func start(_ key: Key, _ name: String) -> JSONObject {
      var object = JSONObject()
      object["period"] = text(ofPeriod: key.period).map { .string($0) }
      object[name] = .string(key.name)
      return object
    }
    let rows = self.rows.sorted { $0.key < $1.key }.map { key, row -> JSONValue in
      var object = start(key, grouping.rawValue)
      object["plays"] = .int(row.plays)
      object["skips"] = .int(row.skips)
      object["shown"] = seconds(row.shown)
      object["planned"] = seconds(row.planned)
      return .object(object)
    }
    let clocks = self.clocks.sorted { $0.key < $1.key }.map { key, clock -> JSONValue in
      var object = start(key, "screen")
      object["clock"] = seconds(clock.total)
      object["shown"] = seconds(clock.shown)
      object["unproven"] = seconds(clock.unproven)
      var gaps = JSONObject()
      for reason in LedgerRecord.GapReason.allCases { gaps[reason.rawValue] = clock.gaps[reason].map(seconds) }
      object["gaps"] = .object(gaps)
      object["unrecorded"] = seconds(clock.unrecorded)
      object["twice"] = seconds(clock.twice)
      return .object(object)
    }
    var object: JSONObject = ["v": 1, "by": .string(grouping.rawValue)]
    object["per"] = period.map { .string($0.rawValue) }
    object["plays"] = .array(rows)
    object["screens"] = .array(clocks)
    return .object(object)
  }
}
