package import CastProtocol

extension ScenarioTrend {
  /// For scripts: `showcaller history --json`.
  package var json: JSONValue {
    var json: JSONObject = ["doc": .string(key.document), "device": .string(key.device)]
    if !key.row.isEmpty { json["row"] = .string(key.row) }
    json["file"] = .string(file)
    let counts = counts
    json["counts"] = [
      "passed": .int(counts.passed), "flaky": .int(counts.flaky), "failed": .int(counts.failed),
      "error": .int(counts.error),
    ]
    json["usual"] = usualDuration.map(JSONValue.milliseconds)
    json["runs"] = .array(
      points.map { point in
        var run: JSONObject = ["run": .string(point.run), "started": .milliseconds(point.startedAt)]
        run["firmware"] = point.firmware.json
        run["result"] = point.result.map { .string($0.rawValue) }
        run["duration"] = .milliseconds(point.duration)
        return .object(run)
      })
    let changes = firmwareChanges
    if !changes.isEmpty { json["firmware"] = .array(changes.map(\.json)) }
    json["steps"] = .array(steps.map(\.json))
    return .object(json)
  }
}

extension StepTrend {
  fileprivate var json: JSONValue {
    var json: JSONObject = ["section": .string(key.section), "name": .string(title)]
    json["usual"] = usualDuration.map(JSONValue.milliseconds)
    json["slow"] = slowDuration.map(JSONValue.milliseconds)
    json["limit"] = limit.map(JSONValue.milliseconds)
    json["margin"] = margin.map(JSONValue.milliseconds)
    let matchers = matchers
    if !matchers.isEmpty { json["margins"] = .array(matchers.map(\.json)) }
    if !waitedFor.isEmpty { json["waitedFor"] = waitedFor.json }
    json["notAtOnce"] = .int(flakyCount)
    json["runsLeft"] = runsLeft.map(JSONValue.int)
    json["runs"] = .array(
      points.map { point in
        [
          "run": .string(point.run), "result": .string(point.step.result.rawValue),
          "duration": .milliseconds(point.step.duration), "attempts": .int(point.step.attempts),
        ]
      })
    return .object(json)
  }
}
