import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner

/// How a one-line command ended: the exit code, and what went wrong in words of the command line.
struct OneLineEnding {
  private(set) var exit: Int32
  /// `class`, `message`, `help`, `wire`; `nil` where all went well.
  private(set) var error: JSONObject?

  /// - Parameters:
  ///   - exit: What the run came to.
  ///   - error: What it told of its last failure.
  ///   - app: The id of the app that it was about; `nil`: of any.
  init(exit: Int32, error: JSONObject?, state: DeviceState, app: String?) {
    self.exit = exit
    guard exit != 0 else { return }
    switch exit {
    case 130: self.error = ["class": "interrupted", "message": "interrupted by Ctrl-C"]
    case 143: self.error = ["class": "interrupted", "message": "terminated"]
    // The only expectation of one-line commands: that what plays ends by itself.
    case 1: judgeEnd(state, of: app)
    default: self.error = error ?? ["message": "the command failed"]
    }
    if self.error?["message"] == "the time of the group it stands in was over" {
      self.error?["message"] = "the command's time was over"
    }
    if let message = self.error?["message"]?.string, message.hasPrefix("the scenario's ") {
      self.error?["message"] = .string("the command's " + message.dropFirst("the scenario's ".count))
    }
    if self.error?["help"] == nil, let name = self.error?["class"]?.string.flatMap(ErrorClass.init(rawValue:)) {
      self.error?["help"] = UsualCure.text(for: name).map(JSONValue.string)
    }
    if let help = self.error?["help"]?.string { self.error?["help"] = .string(Self.onCommandLine(help)) }
  }

  /// Why what was watched to its end did not end by itself.
  private mutating func judgeEnd(_ state: DeviceState, of wanted: String?) {
    let app = state.view.snapshot.receiver?.application
    switch state.view.media?.idleReason {
    case .error:
      exit = 5
      let code = state.view.snapshot.detailedErrorCode
      let detail = code.map { " \($0) \(DetailedErrorCode.name(of: $0) ?? "")" } ?? ""
      error = ["class": "media_error", "message": .string("the player stopped with ERROR\(detail)")]
    case .cancelled:
      error = ["class": "expectation", "message": "it did not play to its end: it was stopped (cancelled)"]
    case .interrupted:
      error = ["class": "expectation", "message": "it did not play to its end: it was interrupted"]
    case nil where app == nil || app?.isIdleScreen == true:
      exit = 5
      error = ["class": "app_gone", "message": "it did not play to its end: the app was stopped"]
    case nil where wanted != nil && app?.appID != wanted:
      exit = 5
      let name = app.map { "\($0.displayName) (\($0.appID))" } ?? "another app"
      error = ["class": "taken_over", "message": .string("taken over by \(name)")]
    case .finished, .unknown, nil:
      let reason = state.view.value(of: FieldPath(["idle_reason"]))?.string ?? "idle"
      error = ["class": "expectation", "message": .string("it did not play to its end: \(reason)")]
    }
  }

  /// A cure that is written for documents, for the command line.
  private static func onCommandLine(_ help: String) -> String {
    let words = [
      ("`skip_ad: { force: true }`", "`--force`"), ("'join: only'", "`--join only`"),
      ("`queue_update: { repeat: all }`", "`showcaller queue repeat all`"),
    ]
    return words.reduce(help) { $0.replacing($1.0, with: $1.1) }
  }
}

/// What to do where nobody closer to the failure could say.
enum UsualCure {
  static func text(for errorClass: ErrorClass) -> String? {
    switch errorClass {
    case .unreachable: "see whether it is on and in this network: `showcaller discover` lists what answers"
    case .appGone, .invalidState:
      "`showcaller status` shows what the device does; `showcaller load URL` plays something"
    case .timeout: "give it more time with `--timeout`; `showcaller status` shows what the device does"
    case .connectionLost: "see whether it is powered and on the same network"
    case .takenOver, .expectation: "`showcaller status` shows what the device does now"
    case .mediaError: "check that the device can reach the address, its certificate, type and CORS headers"
    default: nil
    }
  }
}

extension CommandFailure {
  /// A signal ended the command before anything was done.
  static func interrupted(_ interruption: Runner.Interruption) -> CommandFailure {
    CommandFailure(
      .init(interruption.rawValue), interruption == .interrupt ? "interrupted by Ctrl-C" : "terminated",
      class: .interrupted)
  }

  /// What a device that is connected did not do.
  init(failed error: ClientError) {
    self.init(
      error.class == .timeout ? .deadlinePassed : .failed, error.message,
      help: error.help ?? UsualCure.text(for: ErrorClass(error.class)), class: ErrorClass(error.class))
  }
}
