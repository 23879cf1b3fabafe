package import CastProtocol
package import RunReporting
package import ScenarioLanguage

/// What a person, or a script, reads of the faults of virtual screens.
extension EventKind.FaultNote {
  /// One line: when by the playlist's clock, which receiver, what.
  package func line(at time: Double, in zone: TimeZoneRules) -> String {
    let wall = zone.wallTime(at: Int(time.rounded(.down)))
    let clock = CivilDate.clock(at: wall)
    let full = clock.utf8.count == 5 ? clock + ":00" : clock
    return TerminalText.escaped("\(CivilDate(at: wall).iso) \(full)  \(receiver)  fault \(oneLine)")
  }

  /// One object, with the members that the event of a run has.
  package func json(at time: Double, in zone: TimeZoneRules) -> JSONValue {
    var object: JSONObject = [
      "t": .string(ClockText(zone: zone).stamp(Int(time.rounded(.down)))), "event": "fault",
    ]
    object.members += fields.members
    return .object(object)
  }
}
