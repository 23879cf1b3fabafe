import ReceiverPages
import ScenarioLanguage
import Workspace

extension PageHost {
  /// The browser of this computer, for pages of this process.
  static func ofProcess() throws(CommandFailure) -> PageHost {
    let environment = Surroundings.process.environment
    let program: BrowserProgram
    do {
      program = try BrowserProgram.find(in: environment["PATH"] ?? "")
    } catch {
      throw CommandFailure(.commandLineWrong, error.message, help: error.help)
    }
    let kept = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"]
    return PageHost(
      Configuration(
        program: program, environment: kept.compactMap { name in environment[name].map { "\(name)=\($0)" } },
        temporaryFolder: environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp",
        cacheFolder: Surroundings.process.cacheFolder.map { "\($0)/receiver-sdk" }))
  }
}
