import CastProtocol

/// Adds up the time that must pass before each step, and finds limits that cannot be reached (P603): those that the
/// document writes itself, whose end lies behind the deadline around them.
struct DeadlineClock {
  /// What passes in any case before the next step.
  var passed: Duration
  /// The latest end of a limit since somebody last looked.
  var latest: (end: Duration, span: SourceSpan)?
  private let limit: Duration
  private let outer: Diagnostic.Label?
  private let cure: String
  /// Limits behind the deadline, each with the latest of its ends, in the document's order.
  private var overruns: [SourceSpan: Duration] = [:]
  private var order: [SourceSpan] = []

  /// Sums stop here: longer than any deadline, and short enough to be added up.
  static let ceiling: Duration = .seconds(100 * 366 * 86_400)

  /// - Parameters:
  ///   - limit: The deadline around all steps.
  ///   - start: What has passed before the first one.
  ///   - outer: Where the deadline is written.
  ///   - cure: What raises it.
  init(limit: Duration = ceiling, start: Duration = .zero, outer: Diagnostic.Label? = nil, cure: String = "") {
    self.limit = limit
    self.outer = outer
    self.cure = cure
    passed = start
  }

  /// Looks at one step's own limits, and lets pass what must.
  mutating func step(_ parts: DeadlineParts) {
    note(end: passed + parts.own, at: parts.span)
    passed = min(passed + parts.mustPass, Self.ceiling)
  }

  /// Looks at one limit.
  mutating func note(end: Duration, at span: SourceSpan?) {
    guard let span else { return }
    if end > (latest?.end ?? .zero) { latest = (end, span) }
    guard end > limit else { return }
    if let known = overruns[span] {
      overruns[span] = max(known, end)
    } else {
      overruns[span] = end
      order.append(span)
    }
  }

  /// After the first of several passes of a loop that began at `start`: all of them must pass, the last one too.
  ///
  /// - Parameter before: What ``latest`` was when the loop began.
  mutating func repeatPass(times: Int, since start: Duration, before: (end: Duration, span: SourceSpan)?) {
    let once = passed - start
    let others = min(once * (times - 1), Self.ceiling)
    let inLoop = latest
    latest = before
    if let inLoop { note(end: inLoop.end + others, at: inLoop.span) }
    passed = min(passed + others, Self.ceiling)
  }

  /// What cannot be reached.
  var problems: [Diagnostic] {
    order.compactMap { span in
      guard let end = overruns[span] else { return nil }
      return Diagnostic(
        .error, .p603, "inner timeout is longer than the time left outside", at: .init(span, "cannot be reached"),
        related: outer.map { [$0] } ?? [], footers: [.help("\(cure) to at least \(end.spelled)")])
    }
  }
}

/// What one step's written limits add up to.
struct DeadlineParts {
  /// The longest that the document lets it take.
  var own: Duration = .zero
  /// What passes before the next step in any case.
  var mustPass: Duration = .zero
  /// Where the limit is written.
  var span: SourceSpan?

  init(_ step: StepFields) {
    let modifiers = step.modifiers
    if step.verb.verb == .wait {
      own = step.body.duration("for") ?? .zero
      mustPass = own
      span = step.body.node("for")?.place
      return
    }
    // What takes its time by itself: listening, and a ramp of the volume.
    let length: String? =
      switch step.verb.verb {
      case .discover: "for"
      case .volume: "over"
      default: nil
      }
    if let length, step.body.spec.contains(length), let time = step.body.duration(length) {
      own = time
      mustPass = time
      span = step.body.node(length)?.place
    }
    if modifiers.isEmpty { return }
    for key in ["timeout", "within", "during"] {
      guard let limit = modifiers.duration(key), let node = modifiers.node(key) else { continue }
      own += limit
      span = span ?? node.place
      if key == "during" { mustPass += limit }
    }
    if step.verb.verb == .expect, let hold = modifiers.duration("for") {
      own += hold
      span = span ?? modifiers.span("for")
    }
  }
}
