import CastProtocol
import ScenarioLanguage

extension ReportKind {
  /// Trace events as Chrome and Perfetto open them (docs/runs.md "Trace").
  package static let trace = document("trace", "trace events for Perfetto", of: RunSpans.self) {
    TraceDocument($0).text
  }
}

/// Runs as a list of trace events: a process for each device, with threads for its steps, its player and its app.
struct TraceDocument {
  /// The threads of a process that show a status; steps begin after them.
  private enum Lane: Int, CaseIterable {
    case player = 1
    case app, firstOfSteps

    var name: String {
      switch self {
      case .player: "player"
      case .app: "app"
      case .firstOfSteps: "steps"
      }
    }
  }

  private var events: [JSONValue] = []
  private var processes = 0
  /// Where the next run begins, in microseconds: runs follow each other on one time axis.
  private var offset = 0
  private var leftOut = 0
  private var runs: [JSONValue] = []

  init(_ parts: [ReportPart<RunSpans>]) {
    for part in parts {
      switch part {
      case .run(let spans): add(spans)
      case .notice(let notice): add(notice)
      }
    }
  }

  var text: String {
    var other: JSONObject = ["runs": .array(runs)]
    if leftOut > 0 { other["leftOut"] = .int(leftOut) }
    // A line for each event: a tool that shows differences can be used on it.
    let lines = events.map { $0.serialized() }.joined(separator: ",\n")
    return "{\"displayTimeUnit\":\"ms\",\"otherData\":\(other.serialized()),\"traceEvents\":[\n\(lines)\n]}\n"
  }

  private mutating func add(_ notice: RunNotice) {
    processes += 1
    name(process: processes, notice.file)
    instant(notice.message, process: processes, thread: Lane.firstOfSteps.rawValue, at: offset, [:])
  }

  private mutating func add(_ run: RunSpans) {
    runs.append(.string(run.run.run))
    leftOut += run.leftOut
    guard let last = run.lastMoment else {
      processes += 1
      name(process: processes, "run")
      return instant(Self.noEnd, process: processes, thread: Lane.firstOfSteps.rawValue, at: offset, [:])
    }
    var process: [String: Int] = [:]
    for span in run.spans where process[span.device ?? ""] == nil {
      processes += 1
      process[span.device ?? ""] = processes
      let found = run.devices.last { $0.id == span.device }?.found.name
      name(process: processes, span.device == nil ? "run \(run.run.run)" : found ?? span.device ?? "")
    }
    let threads = Self.threads(of: run.spans)
    for (index, span) in run.spans.enumerated() {
      add(span, process[span.device ?? ""] ?? processes, threads[index], until: last)
    }
    for (device, id) in process.sorted(by: { $0.value < $1.value }) {
      let seen = run.statuses.filter { ($0.device ?? "") == device }
      slices(seen, .player, process: id, until: last) { $0.player }
      slices(seen, .app, process: id, until: last) { $0.app }
      for status in seen {
        guard let position = status.position else { continue }
        event("C", "position", id, 0, at: at(status.moment), ["args": ["seconds": JSONValue(position)]])
      }
    }
    if run.finished == nil {
      instant(Self.noEnd, process: process[""] ?? processes, thread: Lane.firstOfSteps.rawValue, at: at(last), [:])
    }
    offset = min(offset + max(0, Self.microseconds(last.elapsed)), Self.latest)
  }

  private static let noEnd = RunNotice.notFinished("", at: 0).message

  /// The thread that each span is drawn on: that of the span it stands in while nothing else of that is drawn there at the
  /// time, else one of its own, as spans of a thread must not overlap.
  private static func threads(of spans: [RunSpans.Span]) -> [Int] {
    var threads: [Int] = []
    /// The spans drawn last on a thread of a device, the outermost first.
    var drawn: [String: [Int: [Int]]] = [:]
    for (index, span) in spans.enumerated() {
      let device = span.device ?? ""
      var lanes = drawn[device] ?? [:]
      var thread =
        span.parent.flatMap { spans[$0].device == span.device ? threads[$0] : nil } ?? Lane.firstOfSteps.rawValue
      while true {
        let running = (lanes[thread] ?? []).filter { spans[$0].end.map { $0.elapsed > span.start.elapsed } ?? true }
        let isFree = running.last.map { isWithin(index, $0, spans) } ?? true
        guard !isFree else {
          lanes[thread] = running + [index]
          break
        }
        thread += 1
      }
      drawn[device] = lanes
      threads.append(thread)
    }
    return threads
  }

  /// Whether one span stands in another.
  private static func isWithin(_ index: Int, _ outer: Int, _ spans: [RunSpans.Span]) -> Bool {
    var parent = spans[index].parent
    while let current = parent {
      if current == outer { return true }
      parent = spans[current].parent
    }
    return false
  }

  private mutating func add(_ span: RunSpans.Span, _ process: Int, _ thread: Int, until last: RunSpans.Moment) {
    var values: JSONObject = [:]
    let category: String
    switch span.kind {
    case .run: category = "run"
    case .scenario(let result):
      category = "scenario"
      values["result"] = .string(result?.rawValue ?? "unfinished")
    case .step(let verb, let result):
      category = "step"
      values["verb"] = .string(verb)
      values["result"] = .string(result?.rawValue ?? "unfinished")
    }
    if let place = span.place { values["place"] = .string(place.text) }
    if let reason = span.reason { values["reason"] = .string(reason) }
    if let attempts = span.attempts, attempts > 1 { values["attempts"] = .int(attempts) }
    for member in span.row.members { values["row.\(member.name)"] = member.value }
    values["skew"] = span.skew.map(JSONValue.milliseconds)
    values["repeat"] = span.repeatNumber.map(JSONValue.int)
    let start = at(span.start)
    var more: JSONObject = [
      "dur": .int(max(0, at(span.end ?? last) - start)), "cat": .string(category), "args": .object(values),
    ]
    if span.isBad { more["cname"] = "terrible" }
    event("X", [span.step, span.name].compactMap { $0 }.joined(separator: " "), process, thread, at: start, more)
    for note in span.notes {
      instant(note.name, process: process, thread: thread, at: at(note.moment), note.values)
    }
  }

  /// The values that `shown` reads of the status, each as long as it lasted.
  private mutating func slices(
    _ seen: [RunSpans.StatusSample], _ lane: Lane, process: Int, until last: RunSpans.Moment,
    _ shown: (RunSpans.StatusSample) -> String?
  ) {
    var current: (value: String, start: Int)?
    var isNamed = false
    func end(_ slice: (value: String, start: Int), at time: Int, _ document: inout TraceDocument) {
      document.event(
        "X", slice.value, process, lane.rawValue, at: slice.start,
        ["dur": .int(max(0, time - slice.start)), "cat": .string(lane.name)])
    }
    for status in seen {
      let value = shown(status)
      guard value != current?.value else { continue }
      if let current { end(current, at: at(status.moment), &self) }
      current = value.map { ($0, at(status.moment)) }
      if !isNamed {
        name(thread: lane.rawValue, of: process, lane.name)
        isNamed = true
      }
    }
    if let current { end(current, at: at(last), &self) }
  }

  private mutating func instant(_ name: String, process: Int, thread: Int, at time: Int, _ values: JSONObject) {
    event("i", name, process, thread, at: time, ["s": "t", "args": .object(values)])
  }

  private mutating func name(process: Int, _ name: String) {
    event("M", "process_name", process, 0, at: 0, ["args": ["name": .string(name)]])
    self.name(thread: Lane.firstOfSteps.rawValue, of: process, Lane.firstOfSteps.name)
  }

  private mutating func name(thread: Int, of process: Int, _ name: String) {
    event("M", "thread_name", process, thread, at: 0, ["args": ["name": .string(name)]])
  }

  private mutating func event(
    _ phase: String, _ name: String, _ process: Int, _ thread: Int, at time: Int, _ more: JSONObject
  ) {
    let common: JSONObject = [
      "ph": .string(phase), "name": .string(name), "pid": .int(process), "tid": .int(thread), "ts": .int(time),
    ]
    events.append(.object(JSONObject(common.members + more.members)))
  }

  private func at(_ moment: RunSpans.Moment) -> Int { offset + Self.microseconds(moment.elapsed) }

  /// Thirty years: sums of a few of them are integers still.
  private static let latest = 1_000_000_000_000_000

  private static func microseconds(_ seconds: Double) -> Int {
    Int(exactly: max(-Double(latest), min(Double(latest), (seconds * 1_000_000).rounded()))) ?? 0
  }
}
