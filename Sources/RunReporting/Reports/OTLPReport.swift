import CastProtocol
import ScenarioLanguage

extension ReportKind {
  /// OpenTelemetry spans as OTLP JSON (docs/runs.md "OpenTelemetry").
  package static let otlp = document("otlp", "OpenTelemetry spans as OTLP JSON", of: RunSpans.self) {
    OTLPDocument($0).text
  }
}

/// Runs as one request of OTLP's trace service: a trace for each run, its names those of OpenTelemetry's semantic
/// conventions for tests.
struct OTLPDocument {
  private var spans: [JSONValue] = []
  private var run = EventKind.RunStarted()
  private var trace = TraceIdentity(of: "")

  init(_ parts: [ReportPart<RunSpans>]) {
    for (index, part) in parts.enumerated() {
      switch part {
      case .run(let run): add(run)
      case .notice(let notice): add(notice, index)
      }
    }
  }

  var text: String {
    let tool = run.tool.split(separator: " ", maxSplits: 1).map(String.init)
    var resource = [Self.attribute("service.name", .string("showcaller"))]
    if let host = run.host { resource.append(Self.attribute("host.name", .string(host))) }
    var scope: JSONObject = ["name": "showcaller"]
    if tool.count > 1 {
      scope["version"] = .string(tool[1])
      resource.append(Self.attribute("service.version", .string(tool[1])))
    }
    let root: JSONObject = [
      "resourceSpans": [
        [
          "resource": ["attributes": .array(resource)],
          "scopeSpans": [["scope": .object(scope), "spans": .array(spans)]],
        ]
      ]
    ]
    return root.serialized() + "\n"
  }

  private mutating func add(_ run: RunSpans) {
    self.run = run.run
    trace = TraceIdentity(of: run.run.run)
    let ending: String? =
      if let finished = run.finished { finished.exit == 0 ? nil : "exit code \(finished.exit)" } else {
        RunNotice.notFinished("", at: 0).message
      }
    guard let last = run.lastMoment else {
      return append("run", 0, parent: nil, from: 0, to: 0, [], [], problem: ending)
    }
    for (index, span) in run.spans.enumerated() {
      var attributes = attributes(of: span, run)
      if index == 0 {
        if let seed = run.run.seed { attributes.append(Self.attribute("showcaller.seed", .int(seed))) }
        if run.leftOut > 0 { attributes.append(Self.attribute("showcaller.left_out", .int(run.leftOut))) }
      }
      let events = span.notes.map { note -> JSONValue in
        [
          "timeUnixNano": Self.nanoseconds(note.moment.time), "name": .string(note.name),
          "attributes": .array(Self.attributes(below: "showcaller", note.values)),
        ]
      }
      append(
        [span.step, span.name].compactMap { $0 }.joined(separator: " "), index, parent: span.parent,
        from: span.start.time, to: (span.end ?? last).time, attributes, events,
        problem: span.isBad ? span.reason ?? Self.word(of: span) : index == 0 ? ending : nil)
    }
  }

  /// A document that was not run is a trace of one span without length.
  private mutating func add(_ notice: RunNotice, _ index: Int) {
    trace = TraceIdentity(of: "\(notice.file) \(index) \(notice.time)")
    let time = UTCTime(unixSeconds: notice.time).milliseconds
    let isSkipped = notice.reason == .notBegun
    append(
      notice.file, 0, parent: nil, from: time, to: time,
      [
        Self.attribute("test.suite.name", .string(notice.file)),
        Self.attribute("test.suite.run.status", .string(isSkipped ? "skipped" : "aborted")),
        Self.attribute("showcaller.reason", .string(notice.message)),
      ], [], problem: isSkipped ? nil : notice.message)
  }

  private func attributes(of span: RunSpans.Span, _ run: RunSpans) -> [JSONValue] {
    var values: [(String, JSONValue)] = []
    switch span.kind {
    case .run:
      values.append(("showcaller.run", .string(run.run.run)))
      if let finished = run.finished { values.append(("process.exit.code", .int(finished.exit))) }
    case .scenario(let result):
      values.append(("test.suite.name", .string(span.name)))
      values.append(("test.suite.run.status", .string(Self.status(of: result))))
    case .step(let verb, let result):
      values.append(("test.case.name", .string("\(span.step ?? "") \(span.name)")))
      values.append(("test.case.result.status", .string(span.isBad ? "fail" : "pass")))
      values.append(("showcaller.verb", .string(verb)))
      values.append(("showcaller.result", .string(result?.rawValue ?? "unfinished")))
    }
    if let place = span.place {
      values += [("code.file.path", .string(place.file)), ("code.line.number", .int(place.line))]
    }
    if let attempts = span.attempts, attempts > 1 { values.append(("showcaller.attempts", .int(attempts))) }
    if let device = span.device {
      values.append(("device.id", .string(run.devices.last { $0.id == device }?.found.id ?? device)))
      values.append(("showcaller.device", .string(device)))
      if let model = run.devices.last(where: { $0.id == device })?.found.model {
        values.append(("device.model.name", .string(model)))
      }
    }
    values += span.row.members.map { ("showcaller.row.\($0.name)", $0.value) }
    if let skew = span.skew { values.append(("showcaller.skew", .milliseconds(skew))) }
    if let number = span.repeatNumber { values.append(("showcaller.repeat", .int(number))) }
    return values.map { Self.attribute($0.0, $0.1) }
  }

  private static func status(of result: RunVerdict?) -> String {
    switch result {
    case .passed, .flaky: "success"
    case .failed: "failure"
    case .error, nil: "aborted"
    }
  }

  private static func word(of span: RunSpans.Span) -> String {
    switch span.kind {
    case .run: ""
    case .scenario(let result): result?.rawValue ?? "unfinished"
    case .step(_, let result): result?.rawValue ?? "unfinished"
    }
  }

  private mutating func append(
    _ name: String, _ index: Int, parent: Int?, from start: Int, to end: Int, _ attributes: [JSONValue],
    _ events: [JSONValue], problem: String?
  ) {
    var span: JSONObject = ["traceId": .string(trace.text), "spanId": .string(trace.span(index))]
    if let parent { span["parentSpanId"] = .string(trace.span(parent)) }
    span["name"] = .string(name)
    // An internal operation.
    span["kind"] = 1
    span["startTimeUnixNano"] = Self.nanoseconds(start)
    span["endTimeUnixNano"] = Self.nanoseconds(max(start, end))
    span["attributes"] = .array(attributes)
    if !events.isEmpty { span["events"] = .array(events) }
    // 1 is ok, 2 is an error.
    span["status"] = problem.map { ["code": 2, "message": .string($0)] } ?? ["code": 1]
    spans.append(.object(span))
  }

  /// OTLP's JSON writes integers of 64 bits as texts.
  private static func nanoseconds(_ milliseconds: Int) -> JSONValue {
    .string(milliseconds == 0 ? "0" : "\(milliseconds)000000")
  }

  /// The members of an object, those of objects within it by their path; what has no value is left out.
  private static func attributes(below prefix: String, _ object: JSONObject, depth: Int = 0) -> [JSONValue] {
    object.members.flatMap { member -> [JSONValue] in
      let name = "\(prefix).\(member.name)"
      if member.value == .null { return [] }
      if let inner = member.value.object, depth < 4 { return attributes(below: name, inner, depth: depth + 1) }
      return [attribute(name, member.value)]
    }
  }

  private static func attribute(_ name: String, _ value: JSONValue) -> JSONValue {
    let typed: JSONValue
    if let integer = Int(json: value) {
      typed = ["intValue": .string(String(integer))]
    } else if let number = value.number {
      typed = ["doubleValue": JSONValue(number)]
    } else if let text = value.string {
      typed = ["stringValue": .string(text)]
    } else if let isTrue = value.bool {
      typed = ["boolValue": .bool(isTrue)]
    } else {
      typed = ["stringValue": .string(value.serialized())]
    }
    return ["key": .string(name), "value": typed]
  }
}

/// The ids of a trace and its spans, made from a run's id alone: the same run has the same ids in every report.
struct TraceIdentity {
  private let high: UInt64
  private let low: UInt64

  init(of name: String) {
    (high, low) = (Self.hash("a" + name), Self.hash("b" + name))
  }

  /// 32 hexadecimal digits.
  var text: String { Self.hexadecimal(high) + Self.hexadecimal(low) }

  /// 16 hexadecimal digits, never all zero, apart for each span of the trace.
  func span(_ index: Int) -> String {
    let value = low &+ UInt64(truncatingIfNeeded: index)
    // All zero is no id; `high` is no span's for as many spans as a report has.
    return Self.hexadecimal(value == 0 ? high : value)
  }

  /// FNV-1a, which spreads short texts well enough for ids that only have to differ.
  private static func hash(_ text: String) -> UInt64 {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return hash == 0 ? 1 : hash
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
