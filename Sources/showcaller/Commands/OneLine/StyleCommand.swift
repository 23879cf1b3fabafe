import ArgumentParser
import DeviceControl
import ScenarioLanguage

/// `showcaller style`: how captions look.
struct StyleCommand: OneLineCommand {
  static let configuration = CommandConfiguration(
    commandName: "style", _superCommandName: ShowcallerCommand.name, abstract: "Change how captions look.",
    discussion: """
      Such as size=150% color=yellow edge=outline. The keys are those of a text style: `showcaller explain text_style`.
      """)

  @Argument(help: ArgumentHelp("What to change.", valueName: "key=value"))
  var changes: [Word]

  @OptionGroup var options: OneLineOptions

  /// The keys of a text style.
  static var keys: [String] { LanguageSchema.textStyle.keys.map(\.name) }

  func validate() throws {
    for change in changes where !change.text.contains("=") || change.text.hasPrefix("=") {
      throw ValidationError("`\(change.text)` is no key=value, such as size=150%")
    }
  }

  func command(_ reader: inout CommandReader) -> DeviceCommand? {
    let entries = changes.map { change -> (key: String, value: String) in
      let parts = change.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    return reader.textStyle(entries).map { DeviceCommand(.textStyle($0)) }
  }
}
