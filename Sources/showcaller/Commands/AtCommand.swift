import ArgumentParser
import CastProtocol
import RunReporting
import ScenarioLanguage
import Signage
import Workspace

/// `showcaller at`: explains what a playlist has on screen at one moment.
struct AtCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "at", _superCommandName: ShowcallerCommand.name,
    abstract: "Explain what a playlist has on screen at a moment, by which line, and what comes next.",
    discussion: "By the clock alone, which is that of the playlist's time zone.")

  @Argument(
    help: ArgumentHelp(
      "A date and a time such as \"2026-12-24 18:30\", with an offset such as 2026-12-24T18:30:00+01:00, a time of today, or now.",
      valueName: "moment"))
  var moment: String

  @OptionGroup var document: DocumentOptions

  @Flag(help: "Print the answer as one JSON object.")
  var json = false

  func run() async throws {
    guard let written = MomentText(written: moment) else {
      throw Self.problem(in: [moment, document.file])
        ?? CommandFailure(.commandLineWrong, "`\(moment)` is not a date and a time", help: MomentText.usage)
    }
    let view = MomentView(try document.program(), at: written, now: DocumentOptions.now)
    if json { Terminal.print(SafeJSON.text(view.json)) } else { StandardStream.output.write(view.text) }
  }

  /// What is wrong with words that are no moment and one file; `nil` where they do not tell.
  static func problem(in words: [String]) -> CommandFailure? {
    func line(_ moment: String, _ file: String?) -> String {
      let moment = moment.contains(" ") ? "\"\(moment)\"" : ShellWord.quoted(moment)
      return "`showcaller at \(moment) \(file.map(ShellWord.quoted) ?? "FILE")`"
    }
    // Two words that are a date and a time.
    let pair = words.indices.dropLast().first { index in
      CivilDate(written: words[index]) != nil && MomentText(written: "\(words[index]) \(words[index + 1])") != nil
    }
    if let pair {
      let moment = "\(words[pair]) \(words[pair + 1])"
      let others = words.indices.filter { $0 != pair && $0 != pair + 1 }.map { words[$0] }
      return CommandFailure(
        .commandLineWrong, "`\(moment)` has to be one argument",
        help: "put the moment in quotes: \(line(moment, others.first))")
    }
    let moments = words.filter { MomentText(written: $0) != nil }
    switch (words.count, moments.count) {
    case (1, 0):
      return CommandFailure(
        .commandLineWrong, "the moment is missing", help: "for this moment: \(line("now", words[0]))")
    case (1, 1):
      return CommandFailure(.commandLineWrong, "the playlist is missing", help: "name it: \(line(words[0], nil))")
    case (2, 1) where words[1] == moments[0]:
      return CommandFailure(
        .commandLineWrong, "`\(words[0])` is not a date and a time",
        help: "the moment comes first: \(line(moments[0], words[0]))")
    default: return nil
    }
  }
}
