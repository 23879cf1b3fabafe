import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller toggle`: one key for play and pause.
struct ToggleCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: "Pause what plays, or play what is paused.")

  @OptionGroup var options: OneLineOptions

  var limitIsForAll: Bool { true }

  func read(_ reader: inout CommandReader) { reader.add("pause") }

  func settle(_ steps: inout [Plan.Step], on view: StatusView) {
    guard view.player == "paused", !steps.isEmpty else { return }
    steps[0].action = .play
  }
}
