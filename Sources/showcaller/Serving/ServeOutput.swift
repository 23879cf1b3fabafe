import CastProtocol
import FleetAgent
import FleetMessages
import RunReporting
import ScenarioLanguage
import Signage
import Workspace

/// What `serve` prints, line by line; a reader that does not read holds up no screen.
struct ServeOutput: Sendable {
  private let isJSON: Bool
  private let isQuiet: Bool
  private let queue = TextQueue(byteLimit: 1 << 20) { text throws(FileError) in
    if let failure = StandardStream.output.writeNow(text) { throw failure }
  }

  init(isJSON: Bool, isQuiet: Bool) {
    self.isJSON = isJSON
    self.isQuiet = isQuiet
  }

  func tell(_ event: ScreenEvent, _ screen: String, at time: Double, in zone: TimeZoneRules) {
    write(isJSON ? event.json(screen, at: time, in: zone).serialized() : event.line(screen, at: time, in: zone))
  }

  func tell(_ event: ScheduleEvent, _ scenario: String, at time: Double, in zone: TimeZoneRules) {
    write(isJSON ? event.json(scenario, at: time, in: zone).serialized() : event.line(scenario, at: time, in: zone))
  }

  /// A fault that comes again and again is told in full to programs only.
  func tell(_ fault: EventKind.FaultNote, at time: Double, in zone: TimeZoneRules) {
    if isJSON || fault.isNews {
      write(isJSON ? fault.json(at: time, in: zone).serialized() : fault.line(at: time, in: zone))
    }
  }

  /// What became of a document that the fleet gave. That one is refused is a problem of a document: it is told in any case.
  func tell(_ outcome: DocumentOutcome, of document: FleetDocument, at time: Double, in zone: TimeZoneRules) {
    let stamp = ClockText(zone: zone).stamp(Int(time.rounded(.down)))
    var object: JSONObject = [
      "t": .string(stamp), "event": "document", "id": .string(document.id), "edition": .int(document.edition),
    ]
    let name = "the document `\(document.id)` of the fleet, edition \(document.edition),"
    let line: String
    switch outcome {
    case .on: (object["state"], line) = ("on", "\(name) is on")
    case .restored(let shown):
      (object["state"], object["shown"]) = ("on", .int(shown.edition))
      line = "\(name) takes one back: edition \(shown.edition) is on"
    case .removed: (object["state"], line) = ("removed", "\(name) is taken off: the screens are left as they are")
    case .refused(let why, let diagnostics):
      (object["state"], object["why"], object["diagnostics"]) = ("refused", .string(why), .array(diagnostics))
      line = "\(name) is refused: \(why)"
      if !isJSON { return Terminal.say("warning: \(TerminalText.escaped(line))") }
    }
    write(
      isJSON
        ? JSONValue.object(object).serialized()
        : "\(stamp.prefix(10)) \(stamp.dropFirst(11).prefix(8))  \(TerminalText.escaped(line))")
  }

  private func write(_ line: String) {
    if !isQuiet { queue.tell(line + "\n", noting: SlowReader.note(lines:)) }
  }

  /// Waits for what was told, before the process ends.
  func settle() { _ = queue.drain(until: LastWait.deadline) }
}
