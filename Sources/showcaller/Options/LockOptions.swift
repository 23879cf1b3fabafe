import ArgumentParser
import ScenarioLanguage

/// What is done about a device that another run has.
struct LockOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How long to wait for a device that another run has, such as 1m; without it, exit with 75 at once.",
      valueName: "duration"))
  var waitLock: TimeLimit?

  func validate() throws {
    if let waitLock, waitLock.duration < .zero || waitLock.duration > .seconds(30 * 86_400) {
      throw ValidationError("--wait-lock is at most 30 days")
    }
  }

  /// As the command line says it, for another run.
  var rerunArguments: [String] { waitLock.map { ["--wait-lock", $0.duration.spelled] } ?? [] }

  /// How long it is waited for; 0 unless somebody said so.
  var patience: Duration { waitLock?.duration ?? .zero }
}
