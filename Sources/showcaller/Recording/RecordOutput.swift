import ArgumentParser
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Workspace

/// What `record` tells while it records: a line for each step on standard error, or an object on standard output.
struct RecordOutput: Sendable {
  let isJSON: Bool

  /// - Returns: Whether anybody still reads.
  func tell(_ event: RecordingEvent) -> Bool {
    switch event {
    case .connected(let device, let view):
      if isJSON { return say("connected", ["device": .object(device.json)]) }
      line("recording \(Self.state(of: device, view)); Ctrl-C ends it")
    case .step(let at, let verb, let text):
      if isJSON { return say("step", ["at": .seconds(at), "verb": .string(verb.rawValue), "text": .string(text)]) }
      line("\(DeviceState.clock(at.seconds))  \(text)")
    case .lost(let reason):
      if isJSON { return say("lost", ["message": .string(reason)]) }
      line("lost: \(reason); trying to reach it again")
    case .back(let away):
      if isJSON { return say("back", ["after": .seconds(away)]) }
      line("back after \(away.seconds.decimals(1))s")
    case .warning(let text):
      if isJSON { return say("warning", ["message": .string(text)]) }
      line("warning: \(text)")
    case .full:
      let text = "there was more than a recording has room for; it ends here"
      if isJSON { return say("full", ["message": .string(text)]) }
      line("warning: \(text)")
    }
    return true
  }

  /// As `status` tells it, without the address of what plays: a token may be in it.
  private static func state(of device: FoundDevice, _ view: StatusView) -> String {
    let line = DeviceState(device: device, view: view).line
    guard let media = view.media?.media ?? view.media?.extendedMedia, media.metadata?["title"]?.string == nil,
      !media.contentID.isEmpty
    else { return line }
    return line.replacing(TerminalText.escaped(media.contentID), with: ScenarioRecorder.name(of: media))
  }

  /// The scenario is written.
  /// - Parameter problem: Why it does not pass on a virtual receiver; `nil` where it does.
  func wrote(_ outcome: ScenarioWriter.Outcome, to file: String?, problem: String?) {
    if isJSON {
      // A program finds everything on standard output, as an object.
      _ = say(
        "written",
        [
          "file": .string(file ?? "-"), "steps": .int(outcome.steps), "passes": .bool(problem == nil),
          "secrets": .array(outcome.secrets.map(JSONValue.string)),
          "notes": .array((outcome.remarks + [problem].compactMap(\.self)).map(JSONValue.string)),
        ])
      return
    }
    for remark in outcome.remarks { line("note: \(remark)") }
    if !outcome.secrets.isEmpty {
      line("note: taken out of addresses, and needed by a run: \(outcome.secrets.joined(separator: ", "))")
      for name in outcome.secrets { line("note: export \(name.uppercased())=…") }
    }
    if let problem { line("note: \(problem)") }
    if let file {
      let condition = outcome.secrets.isEmpty ? "" : " once its secrets are given"
      let verdict = problem == nil ? ", which pass on a virtual receiver\(condition)" : ""
      line("\(file): \(outcome.steps) steps\(verdict)")
      if problem == nil { line("try it: showcaller run --virtual \(ShellWord.quoted(file))") }
    }
  }

  /// What ended it, for programs.
  func ended(_ failure: CommandFailure) {
    guard isJSON else { return }
    _ = say("error", ["exit": .int(Int(failure.code.rawValue)), "error": .object(failure.errorJSON)])
  }

  private func say(_ event: String, _ fields: JSONObject) -> Bool {
    var object: JSONObject = [
      "v": 1, "t": .string(UTCTime(unixSeconds: Surroundings.process.unixTime()).text), "event": .string(event),
    ]
    object.members += fields.members
    return StandardStream.output.write(JSONValue.object(object).serialized() + "\n") == nil
  }

  private func line(_ text: String) { Terminal.say(TerminalText.escaped(text)) }
}
