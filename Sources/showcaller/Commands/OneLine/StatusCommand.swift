import ArgumentParser

/// `showcaller status`: what a device shows now.
struct StatusCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Tell what a device plays, where, and how loud.")

  @OptionGroup var options: OneLineOptions

  /// Connecting has asked for all there is to tell.
  func steps(timeout: Written?) -> [WrittenStep] { [WrittenStep("mark", .fixed("status"), timeout: timeout)] }
}
