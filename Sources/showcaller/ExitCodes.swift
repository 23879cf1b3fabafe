import ScenarioRunner
import ArgumentParser
import CastProtocol
import ScenarioLanguage
import Workspace

/// The exit codes of docs/reference.md "Exit codes" that the executable itself decides; a run's own come from its
/// outcome.
extension ExitCode {
  static let commandLineWrong = ExitCode(2)
  static let documentInvalid = ExitCode(3)
  static let noDevice = ExitCode(4)
  /// A command to a device failed.
  static let failed = ExitCode(5)
  static let deadlinePassed = ExitCode(6)
  static let reportNotWritten = ExitCode(8)
  static let bug = ExitCode(70)
  static let busy = ExitCode(75)

  /// The place of a code among several at once: the lowest is chosen.
  static func rank(_ code: ExitCode) -> Int { ExitCodes.rank(of: code.rawValue) }
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
    let code: ExitCode =
      switch error.code {
      case .commandLineWrong, .notReadable: .commandLineWrong
      case .documentInvalid: .documentInvalid
      case .notWritten: .reportNotWritten
      case .interrupted: SignalWatch.first.map { ExitCode($0.rawValue) } ?? .failed
      }
    self.init(code, error.message, help: error.help)
  }

  /// An error that is to be told in a sentence; `nil` for any other.
  init?(any error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as WorkspaceError: self.init(error)
    default: return nil
    }
  }

  /// The same, see ``isAboutDocument``.
  var aboutDocument: CommandFailure {
    var failure = self
    failure.isAboutDocument = true
    return failure
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
