package import CastProtocol

/// One thing that happened in a run (docs/runs.md "Events"): the only thing a run emits.
package struct Event: Hashable, Sendable {
  /// 1, 2, 3 ... without holes.
  package var number: Int
  /// Unix seconds.
  package var wallTime: Double
  /// Document seconds since the run began.
  package var elapsed: Double
  package var document: String?
  package var device: String?
  package var step: String?
  /// What happened.
  package var kind: EventKind
  /// Members of a stored event that this tool does not know, as they were.
  package var others: JSONObject

  package init(
    number: Int, wallTime: Double, elapsed: Double, document: String? = nil, device: String? = nil,
    step: String? = nil, kind: EventKind, others: JSONObject = [:]
  ) {
    self.number = number
    self.wallTime = wallTime
    self.elapsed = elapsed
    self.document = document
    self.device = device
    self.step = step
    self.kind = kind
    self.others = others
  }

  /// Reads what the type adds from `fields`.
  package init(
    number: Int, wallTime: Double, elapsed: Double, type: EventType, document: String? = nil, device: String? = nil,
    step: String? = nil, fields: JSONObject = [:]
  ) {
    let (kind, others) = EventKind.reading(type, fields)
    self.init(
      number: number, wallTime: wallTime, elapsed: elapsed, document: document, device: device, step: step, kind: kind,
      others: others)
  }

  /// `step.started` and so on.
  package var type: EventType { kind.type }

  /// What its type adds, in the order it is written; setting reads it again.
  package var fields: JSONObject {
    get { JSONObject(kind.fields.members + others.members) }
    set { (kind, others) = EventKind.reading(type, newValue) }
  }
}

/// The closed list of event types; readers ignore what they do not know.
package enum EventType: String, Hashable, Sendable, CaseIterable {
  case runStarted = "run.started"
  case runFinished = "run.finished"
  case diagnostic
  case plan
  case deviceFound = "device.found"
  case deviceConnected = "device.connected"
  case deviceSoftware = "device.software"
  case deviceLost = "device.lost"
  case deviceBack = "device.back"
  case scenarioStarted = "scenario.started"
  case scenarioFinished = "scenario.finished"
  case stepStarted = "step.started"
  case stepFinished = "step.finished"
  case attemptFailed = "attempt.failed"
  case request, reply
  case requestFinished = "request.finished"
  case messages
  case status
  case expectPassed = "expect.passed"
  case expectFailed = "expect.failed"
  case monitorFailed = "monitor.failed"
  case mark, log
  case finallyStarted = "finally.started"
  case finallyFinished = "finally.finished"
  case page, screenshot
  case fault
}

/// Takes events in order, one at a time.
package protocol EventSink: Sendable {
  /// Never throws: a sink that cannot write remembers its error for the end of the run.
  func record(_ event: Event)
}
