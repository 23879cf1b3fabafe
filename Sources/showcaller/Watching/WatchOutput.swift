import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// What a watch tells where nothing is drawn: a line for each change, or an object.
struct WatchOutput {
  let isJSON: Bool

  /// - Returns: Whether anybody still reads.
  func connected(_ state: DeviceState, _ facts: AuthenticationFacts) -> Bool {
    isJSON
      ? say(
        "connected",
        [
          "device": .object(DeviceState.json(state.device)), "auth": .string(facts.verdict),
          "status": .object(Self.status(state)),
        ])
      : line(state.line)
  }

  func changed(_ change: WatchChange) -> Bool {
    if !isJSON { return change.phrases.isEmpty ? true : line(change.phrases.joined(separator: ", ")) }
    if change.set.members.isEmpty, change.unset.isEmpty, change.others.isEmpty { return true }
    var fields: JSONObject = ["set": .object(change.set), "unset": .array(change.unset.map(JSONValue.string))]
    if !change.others.isEmpty { fields["others"] = .array(change.others.map { .string($0.text) }) }
    return say("status", fields)
  }

  func lost(_ reason: String) -> Bool {
    isJSON ? say("lost", ["message": .string(reason)]) : line("lost: \(reason); trying to reach it again")
  }

  func failed(_ number: Int, _ message: String, nextIn: Duration) -> Bool {
    isJSON
      ? say("retry", ["number": .int(number), "message": .string(message), "next": .seconds(nextIn)])
      : line("try \(number) failed: \(message); the next in \(nextIn.seconds.decimals(1))s")
  }

  func back(_ state: DeviceState, after away: Duration) -> Bool {
    isJSON
      ? say(
        "back",
        [
          "after": .seconds(away), "device": .object(DeviceState.json(state.device)),
          "status": .object(Self.status(state)),
        ])
      : line("back after \(away.seconds.decimals(1))s: \(state.line)")
  }

  /// What ends the watch: as the one-line commands have it.
  func ended(_ failure: CommandFailure) {
    guard isJSON else { return }
    var error: JSONObject = [
      "class": .string((failure.errorClass ?? .notFound).rawValue), "message": .string(failure.message),
    ]
    error["help"] = failure.help.map(JSONValue.string)
    _ = say("error", ["exit": .int(Int(failure.code.rawValue)), "error": .object(error)])
  }

  private static func status(_ state: DeviceState) -> JSONObject { WatchChange.document(state.view) }

  private func say(_ event: String, _ fields: JSONObject) -> Bool {
    var object: JSONObject = [
      "v": 1, "t": .string(UTCTime(unixSeconds: Surroundings.process.unixTime()).text), "event": .string(event),
    ]
    object.members += fields.members
    return write(JSONValue.object(object).serialized())
  }

  private func line(_ text: String) -> Bool { write("\(Terminal.timeOfDay)  \(TerminalText.escaped(text))") }

  private func write(_ text: String) -> Bool { StandardStream.output.write(text + "\n") == nil }
}
