import ArgumentParser

/// `showcaller pause`.
struct PauseCommand: OneLineCommand {
  static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause what plays.")

  @OptionGroup var options: OneLineOptions

  func steps(timeout: Written?) -> [WrittenStep] { [WrittenStep("pause", timeout: timeout)] }
}
