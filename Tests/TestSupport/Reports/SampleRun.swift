import CastProtocol
package import RunReporting

/// A run in the form of docs/runs.md "Events", event by event.
package enum SampleRun {
  /// The document, as far as a report shows it.
  package static let source =
    String(repeating: "\n", count: 64) + "  - expect: { break: none, position: { about: 10s, tolerance: 1s } }\n"

  /// The events, in order.
  package static var events: [Event] {
    var number = 0
    func event(
      _ elapsed: Double, _ type: EventType, step: String? = nil, scenario: Bool = true, device: Bool = true,
      _ fields: JSONObject
    ) -> Event {
      number += 1
      return Event(
        number: number, wallTime: 1_795_251_600 + elapsed, elapsed: elapsed, type: type,
        document: scenario ? "ads" : nil, device: device ? "qa-chromecast" : nil, step: step, fields: fields)
    }
    func started(_ elapsed: Double, _ step: String, _ name: String, line: Int, deadline: Double) -> Event {
      event(
        elapsed, .stepStarted, step: step,
        [
          "verb": "expect", "name": .string(name), "file": "qa/ads.yaml", "line": .int(line), "column": 5,
          "deadline": JSONValue(deadline),
        ])
    }
    return [
      event(
        0, .runStarted, scenario: false, device: false,
        [
          "run": "01JD6Y3ZT8Q4W9N2K5R7M1XGBC", "tool": "showcaller 0.4.0", "language": 1, "seed": 7, "host": "ci-12",
          "argv": ["run", "qa/ads.yaml"],
          "docs": [["doc": "ads", "kind": "scenario", "file": "qa/ads.yaml", "sha256": "9f2c41", "tags": []]],
        ]),
      event(0.006, .plan, device: false, ["steps": 4, "deadline": 120, "finallyDeadline": 30]),
      event(
        0.412, .deviceFound, scenario: false,
        [
          "name": "QA Chromecast", "id": "8e2d1c0a", "model": "Chromecast", "ip": "192.0.2.14", "port": 8009,
          "via": "mdns",
        ]),
      event(
        0.498, .deviceConnected, scenario: false,
        ["tls": "TLSv1.2", "auth": "verified", "firmware": "1.68.412", "latencyMs": 11]),
      event(0.5, .scenarioStarted, ["row": [:], "attempt": 1]),
      started(0.501, "s1", "launch A1B2C3D4", line: 40, deadline: 15.501),
      event(
        0.911, .attemptFailed, step: "s1",
        [
          "attempt": 1, "error": ["class": "launch_cancelled", "message": "LAUNCH_ERROR CANCELLED"], "nextTryIn": 1.0,
        ]),
      event(2.4, .stepFinished, step: "s1", ["result": "flaky", "attempts": 2, "duration": 1.899]),
      started(25.2, "s9", "expect break, position", line: 65, deadline: 37.2),
      event(
        31.31, .status,
        [
          "source": "push", "scope": "media", "session": 1,
          "set": ["player": "playing", "position": 12.1, "rate": 1, "duration": 600], "unset": ["break"],
        ]),
      event(
        36.1, .status,
        ["source": "push", "scope": "media", "session": 1, "set": ["position": 16.9], "unset": []]),
      event(
        37.2, .expectFailed, step: "s9",
        [
          "file": "qa/ads.yaml", "line": 65, "column": 28, "endLine": 65, "endColumn": 67,
          "want": ["position": ["about": 10.0, "tolerance": 1.0], "break": .null],
          "got": ["position": 18.0, "break": .null],
          "nearest": ["e": 31.31, "position": 12.1], "mismatches": ["position"], "statuses": 9, "estimated": false,
          "because": .null,
        ]),
      event(37.201, .stepFinished, step: "s9", ["result": "failed", "attempts": 1, "duration": 12.0]),
      event(
        37.202, .stepFinished, step: "s10",
        [
          "result": "not_run", "reason": "s9 failed", "verb": "tracks", "name": "Change language",
          "file": "qa/ads.yaml",
          "line": 68, "column": 5,
        ]),
      event(
        37.202, .stepFinished, step: "s11",
        [
          "result": "not_run", "reason": "s9 failed", "verb": "rate", "name": "rate 1.5", "file": "qa/ads.yaml",
          "line": 71, "column": 5,
        ]),
      event(37.203, .finallyStarted, ["steps": 2]),
      event(37.9, .finallyFinished, ["result": "passed", "steps": 2]),
      event(
        37.95, .scenarioFinished,
        [
          "result": "failed", "passed": 0, "flaky": 1, "failed": 1, "errors": 0, "skipped": 0, "notRun": 2,
          "duration": 37.45, "firstFailure": "s9",
        ]),
      event(
        38, .runFinished, scenario: false, device: false,
        [
          "run": "01JD6Y3ZT8Q4W9N2K5R7M1XGBC", "result": "failed", "exit": 1, "events": 19,
          "scenarios": ["passed": 0, "flaky": 0, "failed": 1, "error": 0, "skipped": 0],
        ]),
    ]
  }

  /// The same events after a trip through their lines.
  /// The same, read back from the lines that are stored.
  package static func stored() throws -> [Event] {
    try events.compactMap { EventRecord(json: try JSONValue(parsing: EventRecord($0).jsonLine))?.event }
  }
}
