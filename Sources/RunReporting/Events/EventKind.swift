package import CastProtocol

/// What happened, with its members: the closed list of what a run emits.
package enum EventKind: Hashable, Sendable {
  case runStarted(RunStarted)
  case runFinished(RunFinished)
  case diagnostic(Problem)
  case plan(PlanSummary)
  case deviceFound(DeviceFound)
  case deviceConnected(DeviceConnected)
  case deviceSoftware(DeviceSoftware)
  case deviceLost(DeviceLost)
  case deviceBack(DeviceBack)
  case scenarioStarted(ScenarioStarted)
  case scenarioFinished(ScenarioFinished)
  case stepStarted(StepStarted)
  case stepFinished(StepFinished)
  case attemptFailed(AttemptFailed)
  case request(WireMessage)
  case reply(WireMessage)
  case requestFinished(RequestFinished)
  case messages(LastMessages)
  case status(StatusChange)
  case expectPassed(Expectation)
  case expectFailed(Expectation)
  case monitorFailed(MonitorFailed)
  case mark(Note)
  case log(Note)
  case finallyStarted(FinallyStarted)
  case finallyFinished(FinallyFinished)
  case page(PageNote)
  case screenshot(Screenshot)
  case fault(FaultNote)

  /// Its type, and the payload that its type adds.
  private var parts: (type: EventType, payload: any EventPayload) {
    switch self {
    case .runStarted(let payload): (.runStarted, payload)
    case .runFinished(let payload): (.runFinished, payload)
    case .diagnostic(let payload): (.diagnostic, payload)
    case .plan(let payload): (.plan, payload)
    case .deviceFound(let payload): (.deviceFound, payload)
    case .deviceConnected(let payload): (.deviceConnected, payload)
    case .deviceSoftware(let payload): (.deviceSoftware, payload)
    case .deviceLost(let payload): (.deviceLost, payload)
    case .deviceBack(let payload): (.deviceBack, payload)
    case .scenarioStarted(let payload): (.scenarioStarted, payload)
    case .scenarioFinished(let payload): (.scenarioFinished, payload)
    case .stepStarted(let payload): (.stepStarted, payload)
    case .stepFinished(let payload): (.stepFinished, payload)
    case .attemptFailed(let payload): (.attemptFailed, payload)
    case .request(let payload): (.request, payload)
    case .reply(let payload): (.reply, payload)
    case .requestFinished(let payload): (.requestFinished, payload)
    case .messages(let payload): (.messages, payload)
    case .status(let payload): (.status, payload)
    case .expectPassed(let payload): (.expectPassed, payload)
    case .expectFailed(let payload): (.expectFailed, payload)
    case .monitorFailed(let payload): (.monitorFailed, payload)
    case .mark(let payload): (.mark, payload)
    case .log(let payload): (.log, payload)
    case .finallyStarted(let payload): (.finallyStarted, payload)
    case .finallyFinished(let payload): (.finallyFinished, payload)
    case .page(let payload): (.page, payload)
    case .screenshot(let payload): (.screenshot, payload)
    case .fault(let payload): (.fault, payload)
    }
  }

  /// `step.started` and so on.
  package var type: EventType { parts.type }

  /// What its type adds, in the order it is written.
  package var fields: JSONObject { parts.payload.fields }

  /// An event of a type with the payload that `read` makes.
  private init(_ type: EventType, _ read: Reader) {
    switch type {
    case .runStarted: self = .runStarted(read())
    case .runFinished: self = .runFinished(read())
    case .diagnostic: self = .diagnostic(read())
    case .plan: self = .plan(read())
    case .deviceFound: self = .deviceFound(read())
    case .deviceConnected: self = .deviceConnected(read())
    case .deviceSoftware: self = .deviceSoftware(read())
    case .deviceLost: self = .deviceLost(read())
    case .deviceBack: self = .deviceBack(read())
    case .scenarioStarted: self = .scenarioStarted(read())
    case .scenarioFinished: self = .scenarioFinished(read())
    case .stepStarted: self = .stepStarted(read())
    case .stepFinished: self = .stepFinished(read())
    case .attemptFailed: self = .attemptFailed(read())
    case .request: self = .request(read())
    case .reply: self = .reply(read())
    case .requestFinished: self = .requestFinished(read())
    case .messages: self = .messages(read())
    case .status: self = .status(read())
    case .expectPassed: self = .expectPassed(read())
    case .expectFailed: self = .expectFailed(read())
    case .monitorFailed: self = .monitorFailed(read())
    case .mark: self = .mark(read())
    case .log: self = .log(read())
    case .finallyStarted: self = .finallyStarted(read())
    case .finallyFinished: self = .finallyFinished(read())
    case .page: self = .page(read())
    case .screenshot: self = .screenshot(read())
    case .fault: self = .fault(read())
    }
  }

  /// Reads an event of a type; never fails, for what is missing or of another type has a value that says so.
  package init(_ type: EventType, fields: JSONObject) { self.init(type, Reader(fields)) }

  /// Reads an event of a type, and what it has besides that this tool does not know.
  static func reading(_ type: EventType, _ fields: JSONObject) -> (kind: EventKind, others: JSONObject) {
    let reader = Reader(fields)
    let kind = EventKind(type, reader)
    let names = reader.names
    return (kind, JSONObject(fields.members.filter { !names.contains($0.name) }))
  }

  /// The event as it is emitted: without the values of secrets, and no finer than it is stored.
  package func emitted(hiding secrets: Secrets) -> EventKind {
    EventKind(type, Reader(parts.payload.emitted(hiding: secrets)))
  }

  /// Makes the payload that the place where it is called takes.
  private final class Reader {
    private let fields: JSONObject
    private let ready: (any EventPayload)?
    /// The names of members that the payload knows.
    private(set) var names: [String] = []

    init(_ fields: JSONObject) { (self.fields, ready) = (fields, nil) }
    init(_ payload: any EventPayload) { (fields, ready) = ([:], payload) }

    func callAsFunction<Payload: EventPayload>() -> Payload {
      if let ready {
        // The type came from this very payload's case, so another one is a mistake in the two lists of cases above.
        guard let payload = ready as? Payload else { preconditionFailure("\(ready) is no \(Payload.self)") }
        return payload
      }
      var payload = Payload()
      var members = EventMembers(reading: fields)
      payload.code(&members)
      names = members.names
      return payload
    }
  }
}
