import ArgumentParser

/// `showcaller next`: the next item of the queue.
struct NextCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Go to the next item of the queue.")

  @OptionGroup var options: OneLineOptions

  func steps(timeout: Written?) -> [WrittenStep] { [WrittenStep("queue_jump", .fixed("next"), timeout: timeout)] }
}
