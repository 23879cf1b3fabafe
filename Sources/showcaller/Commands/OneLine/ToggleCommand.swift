import ArgumentParser

/// `showcaller toggle`: one key for play and pause.
struct ToggleCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: "Pause what plays, or play what is paused.")

  @OptionGroup var options: OneLineOptions

  func steps(timeout: Written?) -> [WrittenStep] {
    let paused = Written.map([
      ("if", .map([("player", .fixed("paused"))])), ("steps", .list([.fixed("play")])),
    ])
    let otherwise = Written.map([("otherwise", .list([.fixed("pause")]))])
    return [WrittenStep("choose", .list([paused, otherwise]))]
  }
}
