package import CastProtocol
import ScenarioLanguage

/// A run as spans of time within each other: the run, its scenarios, their steps. For reports that other programs draw.
package struct RunSpans: ReportContent {
  package enum Kind: Sendable {
    case run
    case scenario(RunVerdict?)
    case step(verb: String, StepResult?)
  }

  package struct Span: Sendable {
    package var kind: Kind
    package var name: String
    /// The span that it stands in.
    package var parent: Int?
    package var document: String?
    package var device: String?
    /// The id of a step.
    package var step: String?
    package var place: SourcePlace?
    package var start: Moment
    /// `nil` where it has no end.
    package var end: Moment?
    package var attempts: Int?
    package var reason: String?
    /// Its failure does not count, or a broken rule of `watch`, which is told by itself, ended it.
    package var isExcused = false
    package var row = JSONObject()
    /// Which repeat of its row a scenario is, from 1, where rows are run several times.
    package var repeatNumber: Int?
    /// Seconds between the first and the last of several devices that came to what a step expects of all of them.
    package var skew: Double?
    package var notes: [Note] = []

    /// Whether it came to what it should.
    package var isBad: Bool {
      if isExcused { return false }
      return switch kind {
      case .run: false
      case .scenario(let result): result.map { !$0.isGood } ?? true
      case .step(_, let result): result.map(\.isBad) ?? true
      }
    }
  }

  /// A time by both clocks of a run.
  package struct Moment: Hashable, Sendable {
    /// Unix milliseconds.
    package var time: Int
    /// Document seconds since the run began.
    package var elapsed: Double
  }

  /// Something that happened in a span.
  package struct Note: Sendable {
    package enum Kind: Sendable { case failedAttempt, failedExpectation, brokenMonitor, fault, mark, message }
    package var kind: Kind
    package var moment: Moment
    package var name: String
    package var values: JSONObject
  }

  /// What a device showed from one moment on: of its merged status only what is drawn.
  package struct StatusSample: Sendable {
    package var moment: Moment
    package var device: String?
    package var player: String?
    package var app: String?
    /// Seconds of the content.
    package var position: Double?
  }

  /// Limits, so that a long run does not fill the memory; what is over them is counted.
  static let spanLimit = 200_000
  static let noteLimit = 200_000
  static let statusLimit = 200_000

  package private(set) var run = EventKind.RunStarted()
  package private(set) var finished: EventKind.RunFinished?
  package private(set) var spans: [Span] = []
  package private(set) var statuses: [StatusSample] = []
  package private(set) var devices: [(id: String, found: EventKind.DeviceFound)] = []
  /// How many spans, notes and statuses were left out.
  package private(set) var leftOut = 0
  private var noteCount = 0
  private var merged = MergedStatuses()
  /// The spans that run, the newest last.
  private var open: [Int] = []

  package init(_ sources: ReportSources) {}
  package var kept: RunSpans { self }

  package mutating func record(_ event: Event) {
    let moment = Moment(time: UTCTime(unixSeconds: event.wallTime).milliseconds, elapsed: event.elapsed)
    if spans.isEmpty { begin(Span(kind: .run, name: "run", start: moment)) }
    switch event.kind {
    case .runStarted(let started):
      run = started
      if let file = started.documents.first?.file { spans[0].name = "run \(file)" }
    case .runFinished(let finished):
      self.finished = finished
      for index in open { spans[index].end = moment }
      open = []
    case .deviceFound(let found): devices.append((event.device ?? "", found))
    case .scenarioStarted(let started):
      begin(
        Span(
          kind: .scenario(nil), name: event.document ?? "", parent: 0, document: event.document, device: event.device,
          start: moment, attempts: started.attempt, row: started.row, repeatNumber: started.repeatNumber))
    case .scenarioFinished(let finished):
      guard let index = scenario(of: event) else { return }
      spans[index].kind = .scenario(finished.result)
      spans[index].reason = finished.error?.message
      end(index, at: moment)
    case .stepStarted(let started):
      begin(
        Span(
          kind: .step(verb: started.verb, nil), name: started.name, parent: holder(of: event, started.parent),
          document: event.document, device: event.device, step: event.step, place: started.place, start: moment))
    case .stepFinished(let finished):
      // A step that never began took no time.
      guard let index = step(of: event) else { return }
      if case .step(let verb, _) = spans[index].kind { spans[index].kind = .step(verb: verb, finished.result) }
      (spans[index].attempts, spans[index].reason) = (finished.attempts, finished.reason)
      spans[index].isExcused = finished.isIgnored || finished.stoppedBy == .monitor
      end(index, at: moment)
    case .attemptFailed(let failed):
      note(.failedAttempt, failed.error.message, event, moment, failed.fields)
    case .expectPassed(let passed): tell(passed.skew, event)
    case .expectFailed(let failed):
      tell(failed.skew, event)
      note(.failedExpectation, VerdictText(failed).oneLine, event, moment, failed.fields)
    case .monitorFailed(let broken): note(.brokenMonitor, broken.name, event, moment, broken.fields)
    case .fault(let fault):
      var event = event
      event.device = event.device ?? devices.last { $0.found.name == fault.receiver }?.id
      note(.fault, "fault \(fault.oneLine)", event, moment, fault.fields)
    case .mark(let mark): note(.mark, mark.text, event, moment, [:])
    case .request, .reply, .messages:
      for message in event.messages {
        let ago = (event.elapsed - message.elapsed) / (run.speed ?? 1)
        let time = UTCTime(unixSeconds: event.wallTime - ago).milliseconds
        note(message.message, isSent: message.isSent, event, Moment(time: time, elapsed: message.elapsed))
      }
    case .status(let change): see(change, event, moment)
    case .diagnostic, .plan, .deviceConnected, .deviceSoftware, .deviceLost, .deviceBack, .requestFinished, .log,
      .finallyStarted, .finallyFinished, .page, .screenshot:
      break
    }
  }

  private mutating func tell(_ skew: Double?, _ event: Event) {
    if let skew, let index = step(of: event) { spans[index].skew = skew }
  }

  /// Where the last event was.
  package var lastMoment: Moment? {
    spans.flatMap { [$0.start, $0.end].compactMap { $0 } }.max { $0.elapsed < $1.elapsed }
  }

  private mutating func begin(_ span: Span) {
    guard spans.count < Self.spanLimit else {
      leftOut += 1
      return
    }
    open.append(spans.count)
    spans.append(span)
  }

  private mutating func end(_ index: Int, at moment: Moment) {
    spans[index].end = moment
    open.removeAll { $0 == index }
  }

  /// The scenario that an event is of: of the same document and device, else the newest that runs.
  private func scenario(of event: Event) -> Int? {
    let scenarios = open.filter { if case .scenario = spans[$0].kind { true } else { false } }
    let own = scenarios.filter { spans[$0].document == event.document }
    return own.last { spans[$0].device == event.device }
      // One of several devices has its events in the scenario of all; what is of no device, in the newest.
      ?? own.last { event.device == nil || spans[$0].device == nil }
  }

  /// The step that runs under the id of an event, on its device.
  private func step(of event: Event) -> Int? {
    let steps = open.filter { spans[$0].step == event.step && spans[$0].document == event.document }
    return steps.last { spans[$0].device == event.device } ?? steps.last { spans[$0].device == nil }
  }

  /// The span that a step begins in.
  private func holder(of event: Event, _ parent: String?) -> Int? {
    parent.flatMap { parent in open.last { spans[$0].step == parent && spans[$0].document == event.document } }
      ?? scenario(of: event) ?? 0
  }

  /// A message may be as long as a frame: who wants all of it has the events.
  private mutating func note(
    _ message: EventKind.WireMessage, isSent: Bool, _ event: Event, _ moment: Moment
  ) {
    let type = message.message["type"]?.string ?? message.namespace
    var told: JSONObject = ["ns": .string(message.namespace)]
    told["id"] = message.id
    note(.message, "\(isSent ? "→" : "←") \(type)", event, moment, told)
  }

  private mutating func note(
    _ kind: Note.Kind, _ name: String, _ event: Event, _ moment: Moment, _ values: JSONObject
  ) {
    guard noteCount < Self.noteLimit else {
      leftOut += 1
      return
    }
    noteCount += 1
    let index = (event.step == nil ? nil : step(of: event)) ?? running(on: event.device) ?? scenario(of: event) ?? 0
    spans[index].notes.append(Note(kind: kind, moment: moment, name: name, values: values))
  }

  /// The scenario that runs on a device, for what is of no document.
  private func running(on device: String?) -> Int? {
    open.last { index in if case .scenario = spans[index].kind { spans[index].device == device } else { false } }
  }

  private mutating func see(_ change: EventKind.StatusChange, _ event: Event, _ moment: Moment) {
    let values = merged.apply(change, of: event.device)
    guard statuses.count < Self.statusLimit else {
      leftOut += 1
      return
    }
    statuses.append(
      StatusSample(
        moment: moment, device: event.device, player: values["player"]?.string,
        app: values["app"]?["name"]?.string ?? values["app"]?["id"]?.string,
        position: values["position"]?.number.flatMap { $0.isFinite ? $0 : nil }))
  }
}
