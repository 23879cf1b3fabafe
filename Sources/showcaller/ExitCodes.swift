import ArgumentParser
import CastProtocol
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Simulation
import Workspace

/// The exit codes of docs/reference.md "Exit codes" that the executable itself decides; a run's own come from its
/// outcome.
extension ExitCode {
  /// What was looked at is not as it should be.
  static let expectationFailed = ExitCode(.expectationFailed)
  static let commandLineWrong = ExitCode(.commandLineWrong)
  static let documentInvalid = ExitCode(.documentInvalid)
  static let noDevice = ExitCode(.noDevice)
  /// A command to a device failed.
  static let failed = ExitCode(.stepFailed)
  static let reportNotWritten = ExitCode(.reportNotWritten)
  static let bug = ExitCode(.bug)
  static let busy = ExitCode(.busy)

  init(_ exit: RunExit) { self.init(exit.rawValue) }

  /// Of an error of which nothing is left to say; `nil` for any other.
  init?(told error: any Error) {
    switch error {
    case let code as ExitCode: self = code
    case let error as WorkspaceError where error.code == .told: self.init(error.exit)
    default: return nil
    }
  }

  /// Of any error.
  init(any error: any Error) { self = CommandFailure(any: error)?.code ?? ExitCode(told: error) ?? .bug }

  /// As what one of ours is; a code of nobody else's comes here.
  var exit: RunExit { RunExit(rawValue: rawValue) ?? .bug }
}

/// A failure to be told in one sentence and a cure.
struct CommandFailure: Error {
  var code: ExitCode
  /// A lowercase fragment: it is printed after "error: ".
  var message: String
  var help: String?
  /// A class of docs/runs.md "Error classes", where it is about a device.
  var errorClass: ErrorClass?
  /// The command line is well formed, but the document does not give what it asks, or wants what it does not allow.
  var isAboutDocument = false

  init(_ code: ExitCode, _ message: String, help: String? = nil, class errorClass: ErrorClass? = nil) {
    self.code = code
    self.message = message
    self.help = help
    self.errorClass = errorClass
  }
}

extension CommandFailure {
  /// What this computer does not give.
  init(_ error: WorkspaceError) {
    var exit = error.exit
    if error.code == .interrupted { exit = SignalWatch.first?.exit ?? .stepFailed }
    self.init(ExitCode(exit), error.message, help: error.help)
    isAboutDocument = error.code == .documentUnfit
  }

  /// An error that is to be told in a sentence; `nil` for any other.
  init?(any error: any Error) {
    switch error {
    case let error as WorkspaceError where error.code == .told: return nil
    case let failure as CommandFailure: self = failure
    case let error as WorkspaceError: self.init(error)
    case let error as ReceiverServerError: self.init(ExitCode(error.exit), error.message, help: error.help)
    default: return nil
    }
  }

  /// `error` of `--json`: class, message and help.
  var errorJSON: JSONObject {
    let usual: [ExitCode: ErrorClass] = [.noDevice: .notFound, .failed: .invalidState]
    var error: JSONObject = ["message": .string(message)]
    error["class"] = (errorClass ?? usual[code]).map { .string($0.rawValue) }
    error["help"] = help.map(JSONValue.string)
    return error
  }

  /// All that `--json` prints where nothing could be done.
  var json: JSONValue {
    .object(["v": 1, "ok": false, "exit": .int(Int(code.rawValue)), "error": .object(errorJSON)])
  }
}
