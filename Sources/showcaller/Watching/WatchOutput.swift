import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// What a watch tells where nothing is drawn: a line for each change, or an object.
struct WatchOutput: WatchReader {
  let isJSON: Bool

  func tell(_ event: WatchEvent) -> Bool {
    // A program finds everything on standard output, as an object.
    if !isJSON, case .warning(let text) = event {
      Terminal.say("warning: \(TerminalText.escaped(text))")
      return true
    }
    return isJSON ? event.json.map(say) ?? true : Self.text(event).map(line) ?? true
  }

  private static func text(_ event: WatchEvent) -> String? {
    switch event {
    case .connected(let device, let view, _): DeviceState(device: device, view: view).line
    case .changed(let change): change.phrases.isEmpty ? nil : change.phrases.joined(separator: ", ")
    case .lost(let reason, let nextIn):
      "lost: \(reason); trying to reach it again\(nextIn > .zero ? " in \(nextIn.seconds.decimals(1))s" : "")"
    case .failed(let number, let message, let nextIn):
      "try \(number) failed: \(message); the next in \(nextIn.seconds.decimals(1))s"
    case .back(let device, let view, let away):
      "back after \(away.seconds.decimals(1))s: \(DeviceState(device: device, view: view).line)"
    case .warning: nil
    }
  }

  /// What ends the watch: as the one-line commands have it.
  func ended(_ failure: CommandFailure) {
    guard isJSON else { return }
    var error: JSONObject = [
      "class": .string((failure.errorClass ?? .notFound).rawValue), "message": .string(failure.message),
    ]
    error["help"] = failure.help.map(JSONValue.string)
    _ = say(["event": "error", "exit": .int(Int(failure.code.rawValue)), "error": .object(error)])
  }

  private func say(_ fields: JSONObject) -> Bool {
    var object: JSONObject = [
      "v": 1, "t": .string(UTCTime(unixSeconds: Surroundings.process.unixTime()).text),
    ]
    object.members += fields.members
    return write(JSONValue.object(object).serialized())
  }

  private func line(_ text: String) -> Bool { write("\(Terminal.timeOfDay)  \(TerminalText.escaped(text))") }

  private func write(_ text: String) -> Bool { StandardStream.output.write(text + "\n") == nil }
}
