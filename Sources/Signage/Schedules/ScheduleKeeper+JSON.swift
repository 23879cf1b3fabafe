package import CastProtocol

/// What a schedule goes on with after a restart: up to when its times were dealt with.
extension ScheduleKeeper {
  private static let version = 1
  /// The end of the year 9999: no clock is later.
  private static let latest = 253_402_300_799

  package var json: JSONValue {
    let marks = stored.map { mark -> JSONValue in
      var object: JSONObject = ["schedule": .string(mark.key), "until": .int(mark.until)]
      object["before"] = mark.before.map { .int($0) }
      return .object(object)
    }
    return ["v": .int(Self.version), "schedules": .array(marks)]
  }

  /// Goes on with what was stored, for the schedules that are as they were; damaged parts count as missing.
  package mutating func restore(_ json: JSONValue) {
    guard json["v"]?.int == Self.version else { return }
    for stored in json["schedules"]?.array ?? [] {
      guard let key = stored["schedule"]?.string, let until = stored["until"]?.int, (0...Self.latest).contains(until)
      else { continue }
      let before = stored["before"]?.int.flatMap { (0...Self.latest).contains($0) ? $0 : nil }
      recall(until, before: before, of: key)
    }
  }
}
