import ArgumentParser
import ScenarioLanguage
import Workspace

/// `showcaller fmt`: lays documents out anew without changing what they mean.
struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fmt", _superCommandName: ShowcallerCommand.name,
    abstract: "Lay documents out anew: indentation, spacing, empty lines.",
    discussion: """
      Rewrites files in place and names those that changed. Comments, line breaks, quotes and the order of keys stay. \
      A file that is no YAML of ours stays as it is, with its problem told; tabs in indentation become spaces.
      Exits 3 when a file cannot be read as YAML, or with --check when one would change.
      """)

  @Argument(
    help: ArgumentHelp(
      "YAML documents and folders of them; - formats standard input to standard output.",
      discussion: "In folders, only files that begin like a document are touched."),
    completion: .file(extensions: ["yaml", "yml"]))
  var files: [String]

  @Flag(help: "Write nothing; name the files that would change and exit 3 if there are any.")
  var check = false

  @Flag(help: "Write nothing; show what would change.")
  var diff = false

  func run() throws {
    var finder = DocumentFinder()
    for file in files { try finder.add(file) }
    if finder.found.isEmpty, finder.unreadable.isEmpty {
      throw CommandFailure(
        .commandLineWrong, "no documents in \(files.map(TerminalText.escaped).joined(separator: ", "))",
        help: "documents are YAML files that begin with `scenario:`, `playlist:` or `library:`")
    }
    var exit = ExitCode.success
    for file in finder.unreadable {
      Terminal.tell(file.message, help: file.help)
      exit = .commandLineWrong
    }
    for file in finder.found {
      do {
        if file.isNamed { try RunArchive.refuse(file.path) }
        let source = try SourceFile(readingFrom: file.path)
        if !file.isNamed, !DocumentSniffer.isDocument(source.bytes) { continue }
        if let code = try format(source, at: file.path), exit == .success { exit = code }
      } catch {
        guard let failure = CommandFailure(any: error) else { throw error }
        Terminal.tell(failure.message, help: failure.help)
        if exit == .success || exit == .documentInvalid { exit = failure.code }
      }
    }
    if exit != .success { throw exit }
  }

  /// Formats one document; answers the exit code that it asks for.
  private func format(_ source: SourceFile, at path: String) throws -> ExitCode? {
    switch DocumentFormatter.format(source) {
    case .refused(let problems):
      DiagnosticPrinter.standardError.print(problems, of: [source])
      return .documentInvalid
    case .unsafe:
      throw CommandFailure(
        .bug, "\(source.name) stays as it is: laid out anew, it would mean something else",
        help: "this is a mistake in showcaller; please report it with the file")
    case .formatted(let bytes):
      let isChanged = bytes != source.bytes
      if diff {
        StandardStream.output.write(FormatDiff.unified(from: source.bytes, to: bytes, name: source.name))
      } else if check {
        if isChanged { Terminal.print(TerminalText.escaped(source.name)) }
      } else if path == "-" {
        StandardStream.output.write(String(decoding: bytes, as: UTF8.self))
      } else if isChanged {
        do throws(FileError) { try Files.rewrite(bytes, at: path) } catch { throw WorkspaceError(writing: path, error) }
        Terminal.print("formatted \(TerminalText.escaped(source.name))")
      }
      return check && isChanged ? .documentInvalid : nil
    }
  }
}
