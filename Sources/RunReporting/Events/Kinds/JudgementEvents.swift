package import CastProtocol
package import ScenarioLanguage

extension EventKind {
  /// `expect.passed` and `expect.failed`: what was expected and what came.
  package struct Expectation: EventPayload {
    /// The field that did not fit, else the step.
    package var place: SourcePlace?
    /// Conditions, as ``WantText`` reads them.
    package var want = JSONValue.null
    /// The fields they name, as they were at the end.
    package var got = JSONObject()
    /// The status that came nearest.
    package var nearest: Nearest?
    /// The fields that did not fit.
    package var mismatches: [String] = []
    /// How many statuses came in the window.
    package var statuses: Int?
    /// How many messages came in the window.
    package var messages: Int?
    /// Seconds between the first and the last of several devices.
    package var skew: Double?
    /// Whether the position was reckoned and not told.
    package var isEstimated = false
    /// Whether the status had to be asked for.
    package var isPolled = false
    /// Whether nothing came that could decide it.
    package var isInconclusive = false
    /// How near what held was to its limits.
    package var margins: [Margin] = []
    /// The fields that fitted last, where it did not hold at once.
    package var waitedFor: [String] = []
    package var remark: String?
    /// What the document says of it.
    package var because: String?

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.place(&place)
      members.always("want", &want)
      members.always("got", &got)
      members.optional("nearest", &nearest)
      members.always("mismatches", &mismatches)
      members.optional("statuses", &statuses)
      members.optional("messages", &messages)
      members.optional("skew", &skew)
      members.always("estimated", &isEstimated)
      members.unless(false, "polled", &isPolled)
      members.unless(false, "inconclusive", &isInconclusive)
      members.unless([], "margins", &margins)
      members.unless([], "waitedFor", &waitedFor)
      members.optional("remark", &remark)
      members.nullable("because", &because)
    }
  }

  /// What came nearest to an expectation, and when.
  package struct Nearest: EventValue {
    /// Document seconds since the run began.
    package var elapsed: Double
    package var values: JSONObject

    package init(elapsed: Double, values: JSONObject) { (self.elapsed, self.values) = (elapsed, values) }

    package init?(json: JSONValue) {
      guard var values = json.object, let elapsed = values["e"].flatMap(Double.init(json:)) else { return nil }
      values["e"] = nil
      self.init(elapsed: elapsed, values: values)
    }

    /// `e`, then the fields.
    package var json: JSONValue { .object(JSONObject([.init("e", .milliseconds(elapsed))] + values.members)) }

    package func emitted(hiding secrets: Secrets) -> Nearest {
      Nearest(elapsed: elapsed.emitted(hiding: secrets), values: secrets.hidden(values))
    }
  }

  /// `monitor.failed`: a rule of `watch` was broken.
  package struct MonitorFailed: EventPayload {
    package var name = ""
    package var want = JSONValue.null
    package var got = JSONObject()
    /// Document seconds since the run began.
    package var since = 0.0
    package var place: SourcePlace?
    package var remark: String?
    /// It does not count (`if_fails: ignore`).
    package var isIgnored = false

    package init() {}

    package mutating func code(_ members: inout EventMembers) {
      members.always("name", &name)
      members.always("want", &want)
      members.always("got", &got)
      members.always("since", &since)
      members.place(&place)
      members.optional("remark", &remark)
      members.unless(false, "ignored", &isIgnored)
    }
  }

  /// `diagnostic`: what somebody should know apart from the steps.
  package struct Problem: EventPayload {
    package var severity = Diagnostic.Severity.note
    package var code = ""
    package var message = ""
    package var place: SourcePlace?
    /// What stands behind the carets.
    package var label: String?
    package var related: [Related]?
    package var notes: [String]?
    package var help: [String]?
    /// The verdict on a proof that came late.
    package var authentication: OpenWord<AuthenticationVerdict>?
    /// Where `true`, `auth: pin` could not keep or compare the device's key.
    package var isUnpinned: Bool?

    /// Another place that belongs to it.
    package struct Related: EventPayload {
      package var place: SourcePlace?
      package var label = ""

      package init() {}

      package mutating func code(_ members: inout EventMembers) {
        members.place(&place)
        members.always("label", &label)
      }
    }

    package init() {}

    package init(_ severity: Diagnostic.Severity, _ code: Code, _ message: String, at place: SourcePlace? = nil) {
      (self.severity, self.code, self.message, self.place) = (severity, code.rawValue, message, place)
    }

    package init(_ diagnostic: Diagnostic) {
      self.init(diagnostic.severity, diagnostic.code, diagnostic.message, at: SourcePlace(diagnostic.primary.span))
      label = diagnostic.primary.text.isEmpty ? nil : diagnostic.primary.text
      let related = diagnostic.related.map { label in
        var related = Related()
        (related.place, related.label) = (SourcePlace(label.span), label.text)
        return related
      }
      self.related = related.isEmpty ? nil : related
      let notes = diagnostic.footers.compactMap { if case .note(let text) = $0 { text } else { nil } }
      self.notes = notes.isEmpty ? nil : notes
      let help = diagnostic.footers.compactMap { if case .help(let text) = $0 { text } else { nil } }
      self.help = help.isEmpty ? nil : help
    }

    package mutating func code(_ members: inout EventMembers) {
      members.always("severity", &severity)
      members.always("code", &code)
      members.always("message", &message)
      members.place(&place)
      members.optional("label", &label)
      members.optional("related", &related)
      members.optional("notes", &notes)
      members.optional("help", &help)
      members.optional("auth", &authentication)
      members.optional("unpinned", &isUnpinned)
    }
  }
}
