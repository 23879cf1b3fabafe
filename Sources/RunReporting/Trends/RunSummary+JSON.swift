package import CastProtocol
import ScenarioLanguage

extension RunSummary {
  /// Of another form nothing is read.
  private static let version = 1

  /// What is stored of it (docs/runs.md "The history"): a step is an array of section, name, result, seconds, limit,
  /// tries and, where there are any, margins and the fields that it waited for: there are thousands of them.
  package var json: JSONValue {
    var json: JSONObject = ["v": .int(Self.version), "run": .string(run), "started": .milliseconds(startedAt)]
    json["exit"] = exitCode.map(JSONValue.int)
    json["scenarios"] = .array(scenarios.map(\.json))
    return .object(json)
  }

  /// Reads what ``json`` writes; `nil` for anything else.
  package init?(_ json: JSONValue) {
    guard json["v"]?.int == Self.version, let run = json["run"]?.string, let startedAt = json["started"]?.seconds,
      let scenarios = json["scenarios"]?.array?.map(Scenario.init)
    else { return nil }
    let read = scenarios.compactMap(\.self)
    guard read.count == scenarios.count else { return nil }
    self.init(run: run, startedAt: startedAt, exitCode: json["exit"]?.int, scenarios: read)
  }
}

extension RunSummary.Scenario {
  fileprivate var json: JSONValue {
    var json: JSONObject = ["doc": .string(key.document), "device": .string(key.device)]
    if !key.row.isEmpty { json["row"] = .string(key.row) }
    json["file"] = .string(file)
    json["firmware"] = firmware.json
    json["result"] = result.map { .string($0.rawValue) }
    json["started"] = .milliseconds(startedAt)
    json["duration"] = .milliseconds(duration)
    json["steps"] = .array(steps.map(\.json))
    return .object(json)
  }

  fileprivate init?(_ json: JSONValue) {
    guard let document = json["doc"]?.string, let device = json["device"]?.string, let file = json["file"]?.string,
      let startedAt = json["started"]?.seconds, let duration = json["duration"]?.seconds,
      let steps = json["steps"]?.array?.map(RunSummary.Step.init)
    else { return nil }
    let read = steps.compactMap(\.self)
    guard read.count == steps.count else { return nil }
    self.init(
      key: RunSummary.Key(document: document, device: device, row: json["row"]?.string ?? ""), file: file,
      firmware: ScenarioFirmware(json["firmware"]), result: json["result"]?.string.flatMap(RunVerdict.init),
      startedAt: startedAt, duration: duration, steps: read)
  }
}

extension RunSummary.Step {
  fileprivate var json: JSONValue {
    var values: [JSONValue] = [
      .string(section), .string(name), .string(result.rawValue), .milliseconds(duration),
      limit.map(JSONValue.milliseconds) ?? .null, .int(attempts),
    ]
    if !margins.isEmpty || !waitedFor.isEmpty { values += [margins.json, waitedFor.json] }
    return .array(values)
  }

  fileprivate init?(_ json: JSONValue) {
    guard let values = json.array, [6, 8].contains(values.count), let section = values[0].string,
      let name = values[1].string,
      let result = values[2].string.flatMap(ReportCase.Outcome.Word.init), let duration = values[3].seconds,
      let attempts = values[5].int
    else { return nil }
    self.init(
      section: section, name: name, result: result, duration: duration, limit: values[4].seconds, attempts: attempts,
      margins: values.count > 6 ? [EventKind.Margin](json: values[6]) ?? [] : [],
      waitedFor: values.count > 6 ? [String](json: values[7]) ?? [] : [])
  }
}

extension JSONValue {
  /// A finite number of seconds.
  fileprivate var seconds: Double? { number.flatMap { $0.isFinite ? $0 : nil } }
}
