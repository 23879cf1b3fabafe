import ArgumentParser
import Glibc
import ScenarioLanguage
import Workspace

/// `showcaller docs`: rewrites the tables of the project's own reference pages; `make docs` calls it.
struct DocsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "docs", _superCommandName: ShowcallerCommand.name,
    abstract: "Rewrite the tables of reference pages from the language's tables.",
    shouldDisplay: false)

  @Argument(help: "Markdown pages with `<!-- table: NAME -->` and `<!-- end -->`.")
  var pages: [String]

  func run() async throws {
    for page in pages {
      let old = String(decoding: try SourceFile(readingFrom: page).bytes, as: UTF8.self)
      let (text, unknown) = ReferenceTables.updated(old)
      if let name = unknown.first {
        throw CommandFailure(.commandLineWrong, "\(page) names a table that does not exist: \(name)")
      }
      guard text != old else { continue }
      do throws(FileError) {
        try Files.rewrite(Array(text.utf8), at: page)
      } catch {
        throw WorkspaceError(writing: page, error)
      }
      Terminal.say("\(page): tables rewritten")
    }
  }
}
