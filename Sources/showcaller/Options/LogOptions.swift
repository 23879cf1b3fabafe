import ArgumentParser

/// `--log`, of every command that talks to devices.
struct LogOptions: ParsableArguments {
  @Option(
    name: .customLong("log"),
    help: ArgumentHelp(
      "Write a log to standard error: components, with * for any, and from which level on; trace, debug, info, notice.",
      valueName: "component=level,..."),
    transform: { text in
      do throws(LogRules.Problem) {
        return try LogRules(parsing: text)
      } catch {
        throw ValidationError(error.message)
      }
    })
  var rules: LogRules?

  func validate() {
    // Nothing that goes on with a device waits for whoever reads what is said of it.
    StandardError.queue()
    if let rules { LogOutput.use(rules) }
  }
}
