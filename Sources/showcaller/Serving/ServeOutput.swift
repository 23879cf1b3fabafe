import CastProtocol
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

  private func write(_ line: String) {
    if !isQuiet { queue.tell(line + "\n", noting: SlowReader.note(lines:)) }
  }

  /// Waits for what was told, before the process ends.
  func settle() { _ = queue.drain(until: LastWait.deadline) }
}
