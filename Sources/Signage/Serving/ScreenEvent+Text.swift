package import CastProtocol
import DeviceControl
import RunReporting
package import ScenarioLanguage

/// What a person, or a script, reads of the screens.
extension ScreenEvent {
  /// One line: when by the playlist's clock, which screen, what.
  package func line(_ screen: String, at time: Double, in zone: TimeZoneRules) -> String {
    let moment = Int(time.rounded(.down))
    let wall = zone.wallTime(at: moment)
    let clock = CivilDate.clock(at: wall)
    let full = clock.utf8.count == 5 ? clock + ":00" : clock
    return TerminalText.escaped("\(CivilDate(at: wall).iso) \(full)  \(screen)  \(text)")
  }

  /// What happened, in words.
  var text: String {
    switch self {
    case .found(let device): "found \(device.name) at \(device.address.text)"
    case .connected: "connected"
    case .unreachable(let failure): "cannot be reached: \(failure.message)\(Self.cure(failure)); trying on"
    case .lost(let reason): "lost: \(reason)"
    case .back(let time): "back after \(Duration.seconds(time.seconds.rounded()).spelled)"
    case .showing(let showing): "shows \(showing.text)"
    case .adopted(let showing): "goes on with \(showing.text)"
    case .notShown(let showing, let failure, _):
      "cannot show \(showing.name): \(failure.message)\(Self.cure(failure))"
    case .stuck(let showing, .reload?): "\(showing.name) is stuck: loading it again"
    case .stuck(let showing, .relaunch?): "\(showing.name) is stuck: launching the app again"
    case .stuck(let showing, .reconnect?): "\(showing.name) is stuck: connecting again"
    case .stuck(let showing, nil): "\(showing.name) is stuck, and nothing helps: going on with the next item"
    case .yielded(let taker): "\(taker.name) (\(taker.app)) has the screen"
    case .lent(let taker): "is lent to the scenario \(taker.name) (\(taker.app))"
    case .returned: "the program goes on"
    case .endedByTakeover(let taker):
      "ends here: \(taker.name) (\(taker.app)) has the screen, and `takeover` says stop"
    case .resting(.stop): "rests: the screen stops"
    case .resting(.blank): "rests: the screen is black"
    case .resting(.keep): "rests"
    case .nothing: "shows nothing: no rule is on, and there is no fallback"
    case .reloaded: "goes by the edited playlist"
    case .ordered(let order): "\(order.text), as asked"
    case .refused(let order, let reason): "not done: \(order.text): \(reason)"
    case .note(let text): text
    }
  }

  private static func cure(_ failure: StepFailure) -> String { failure.help.map { " (\($0))" } ?? "" }

  /// One object.
  package func json(_ screen: String, at time: Double, in zone: TimeZoneRules) -> JSONValue {
    let whole = Int(time.rounded(.down))
    var object: JSONObject = [
      "t": .string(ClockText(zone: zone).stamp(whole)), "screen": .string(screen), "event": .string(word),
    ]
    switch self {
    case .found(let device):
      object["name"] = .string(device.name)
      object["address"] = .string(device.address.text)
    case .unreachable(let failure): Self.add(failure, to: &object)
    case .lost(let reason): object["reason"] = .string(reason)
    case .back(let time): object["after"] = JSONValue(time.seconds)
    case .showing(let showing), .adopted(let showing): Self.add(showing, to: &object)
    case .notShown(let showing, let failure, _):
      Self.add(showing, to: &object)
      Self.add(failure, to: &object)
    case .stuck(let showing, let remedy):
      Self.add(showing, to: &object)
      object["remedy"] = remedy.map { .string($0.rawValue) } ?? .null
    case .yielded(let taker), .lent(let taker), .endedByTakeover(let taker):
      object["by"] = ["app": .string(taker.app), "name": .string(taker.name)]
    case .resting(let how): object["how"] = .string(how.rawValue)
    case .ordered(let order): object["order"] = .string(order.text)
    case .refused(let order, let reason):
      object["order"] = .string(order.text)
      object["reason"] = .string(reason)
    case .note(let text): object["text"] = .string(text)
    case .connected, .returned, .nothing, .reloaded: break
    }
    return .object(object)
  }

  private static func add(_ showing: Showing, to object: inout JSONObject) {
    object["item"] = .string(showing.name)
    object["content"] = .string(showing.content)
    object["rule"] = .string(showing.decidedBy)
    object["line"] = .int(showing.item.span.line)
    object["for"] = showing.length.map { JSONValue($0.seconds) }
  }

  private static func add(_ failure: StepFailure, to object: inout JSONObject) {
    object["error"] = ["class": .string(failure.errorClass.rawValue), "message": .string(failure.message)]
  }

  /// Its name in JSON.
  private var word: String {
    switch self {
    case .found: "found"
    case .connected: "connected"
    case .unreachable: "unreachable"
    case .lost: "lost"
    case .back: "back"
    case .showing: "showing"
    case .adopted: "adopted"
    case .notShown: "not_shown"
    case .stuck: "stuck"
    case .yielded: "yielded"
    case .lent: "lent"
    case .returned: "returned"
    case .endedByTakeover: "ended_by_takeover"
    case .resting: "resting"
    case .nothing: "nothing"
    case .reloaded: "reloaded"
    case .ordered: "ordered"
    case .refused: "refused"
    case .note: "note"
    }
  }
}

extension Showing {
  /// `espresso, program[1] breakfast, line 25, for 10s`.
  var text: String {
    "\(name), \(decidedBy), line \(item.span.line), \(length.map { "for \($0.spelled)" } ?? "to its end")"
  }
}
