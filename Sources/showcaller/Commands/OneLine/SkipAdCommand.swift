import ArgumentParser

/// `showcaller skip-ad`.
struct SkipAdCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip-ad", abstract: "Skip the ad that plays, once it may be skipped.")

  @Flag(help: "Ask even when the ad may not be skipped yet.")
  var force = false

  @OptionGroup var options: OneLineOptions

  func steps(timeout: Written?) -> [WrittenStep] {
    [WrittenStep("skip_ad", force ? .map([("force", .fixed("true"))]) : nil, timeout: timeout)]
  }
}
