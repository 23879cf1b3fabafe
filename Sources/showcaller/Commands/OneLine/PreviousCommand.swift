import ArgumentParser

/// `showcaller previous`: the item of the queue before this one.
struct PreviousCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous", abstract: "Go to the previous item of the queue.")

  @OptionGroup var options: OneLineOptions

  func steps(timeout: Written?) -> [WrittenStep] { [WrittenStep("queue_jump", .fixed("previous"), timeout: timeout)] }
}
