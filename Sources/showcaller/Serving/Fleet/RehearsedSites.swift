import ArgumentParser
import FleetMessages

/// Several virtual sites in one process (`serve --sites`), so that whoever looks after many can try a roll-out before it
/// counts (docs/fleet.md "A rehearsal").
struct RehearsedSites {
  let options: ServeCommand
  let count: Int

  /// Serves all until a signal; one that cannot begin ends all.
  func perform() async throws -> ExitCode {
    let name = try options.siteName()
    let hangUp = HangUp()
    let interruptions = await Interruptions.begin(hangUp: hangUp.ring)
    return try await withThrowingTaskGroup(of: ExitCode.self) { group in
      for number in 1...count {
        var own = options
        guard let site = SiteName("\(name)-\(number)") else {
          throw CommandFailure(
            .commandLineWrong, "the site `\(name)-\(number)` has too long a name", help: "give a shorter `--site`")
        }
        (own.site, own.sites) = (site, nil)
        var run = ServeRun(options: own)
        run.siteMark = "\(site)/"
        group.addTask { [run] in try await run.perform(hangUp) { interruptions } }
      }
      var worst = ExitCode.success
      for try await code in group where code != .success { worst = code }
      return worst
    }
  }
}
