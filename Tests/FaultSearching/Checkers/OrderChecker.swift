import RunReporting

/// Events out of order: numbers with holes, times that go backwards, what ends without a begin or in another order than
/// it began.
package struct OrderChecker: Checker {
  package let name = "order"

  package init() {}

  package func problems(in trace: Trace) -> [String] {
    if trace.error != nil || trace.events.isEmpty { return [] }
    var reading = Reading()
    for event in trace.events { reading.read(event) }
    let events = trace.events
    if events.first?.type != .runStarted { reading.problems.append("the first event is \(events[0].type.rawValue)") }
    if case .runFinished(let finished)? = events.last?.kind, finished.events != events.count {
      reading.problems.append("run.finished counts \(finished.events) events of \(events.count)")
    }
    if !reading.open.isEmpty { reading.problems.append("\(reading.open.count) steps began and did not end") }
    return reading.problems
  }

  private struct Step: Hashable {
    var document: String?
    var device: String?
    var id: String?
    var pass: Int?
  }

  private struct Reading {
    var problems: [String] = []
    var last = 0
    var elapsed = 0.0
    var wallTime = 0.0
    var open: [Step] = []
    var parents: [Step: String] = [:]
    var lost: Set<String> = []
    var isOver = false

    mutating func read(_ event: Event) {
      let type = event.type.rawValue
      if event.number != last + 1 { problems.append("event \(event.number) follows event \(last)") }
      if event.elapsed < elapsed || event.wallTime < wallTime {
        problems.append("time goes backwards at event \(event.number), \(type): \(elapsed) s, then \(event.elapsed) s")
      }
      if isOver { problems.append("\(type) comes after run.finished") }
      (last, elapsed, wallTime) = (event.number, event.elapsed, event.wallTime)
      switch event.kind {
      case .runFinished: isOver = true
      case .stepStarted(let started): start(started, event)
      case .stepFinished(let finished): finish(finished, event)
      case .attemptFailed, .expectPassed, .expectFailed:
        // What stands before the steps fails without one.
        if let id = event.step, !open.contains(where: { $0.id == id && $0.document == event.document }) {
          problems.append("\(type) of \(id), which is not running (event \(event.number))")
        }
      case .scenarioFinished:
        let left = open.filter { $0.document == event.document && (event.device == nil || $0.device == event.device) }
        if let step = left.first { problems.append("the scenario ended while \(step.id ?? "") runs") }
      case .deviceLost: if let device = event.device { lost.insert(device) }
      case .deviceBack:
        if let device = event.device, lost.remove(device) == nil {
          problems.append("\(device) is back, and was not lost (event \(event.number))")
        }
      case .runStarted, .diagnostic, .plan, .deviceFound, .deviceConnected, .deviceSoftware, .scenarioStarted, .request,
        .reply,
        .requestFinished, .messages, .status, .monitorFailed, .mark, .log, .finallyStarted, .finallyFinished, .page,
        .screenshot,
        .fault:
        return
      }
    }

    private mutating func start(_ started: EventKind.StepStarted, _ event: Event) {
      let step = Step(document: event.document, device: event.device, id: event.step, pass: started.pass)
      if open.contains(step) { problems.append("\(step.id ?? "") begins while it runs (event \(event.number))") }
      if let parent = started.parent, !open.contains(where: { $0.id == parent && $0.document == event.document }) {
        problems.append("\(step.id ?? "") begins, and \(parent), which holds it, does not run (event \(event.number))")
      }
      open.append(step)
      parents[step] = started.parent
    }

    private mutating func finish(_ finished: EventKind.StepFinished, _ event: Event) {
      // One that never began says only here that it is there.
      guard finished.attempts != nil else { return }
      let step = Step(document: event.document, device: event.device, id: event.step, pass: finished.pass)
      guard let index = open.lastIndex(of: step) else {
        problems.append("\(step.id ?? "") ends, and did not begin (event \(event.number))")
        return
      }
      open.remove(at: index)
      let isHeld = open.contains { $0.id == step.id && $0.document == step.document }
      if !isHeld, let child = open.first(where: { parents[$0] == step.id && $0.document == step.document }) {
        problems.append("\(step.id ?? "") ends while \(child.id ?? "") in it runs (event \(event.number))")
      }
    }
  }
}
