import ArgumentParser
import CastProtocol
import RunReporting
import ScenarioLanguage

/// `showcaller explain`: a page for every code of a message and every word of the language.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", _superCommandName: ShowcallerCommand.name,
    abstract: "Explain the code of a message, or a word of the language.",
    discussion: """
      explain K101       what the code means, with a wrong and a right example
      explain scenario   the keys of a scenario; also any verb, key, status field, matcher or type
      explain            the list of both
      """)

  @Argument(help: "A code such as T208, or a word such as load.")
  var word: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let page = try Self.page(of: word)
    Terminal.print(json ? page.json.serialized() : page.text)
  }

  /// The page of a code or a word, or the list of both.
  /// - Throws: Where nothing is known of it.
  static func page(of word: String?) throws(CommandFailure) -> (text: String, json: JSONValue) {
    guard let word else { return (PageText.index(), PageJSON.index) }
    if let page = CodePages.page(word) {
      let exit = Int(page.code.exit.rawValue)
      return (PageText.text(page, exitCode: exit), page.json(exitCode: exit))
    }
    if let page = Topics.page(word) ?? Topics.page(word.lowercased()) { return (PageText.text(page), page.json) }
    throw CommandFailure(
      .commandLineWrong, "nothing is known about `\(TerminalText.escaped(word))`",
      help: suggestion(for: word).map { "did you mean `showcaller explain \($0)`?" }
        ?? "`showcaller explain` lists all codes and words")
  }

  /// The nearest code or word.
  static func suggestion(for word: String) -> String? {
    Suggestions.nearest(to: word, among: Topics.words + CodePages.all.map(\.code.rawValue))
      ?? Suggestions.nearest(to: word.uppercased(), among: CodePages.all.map(\.code.rawValue))
  }
}
