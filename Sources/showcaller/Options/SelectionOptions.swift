import ArgumentParser
import ScenarioLanguage
import Workspace

/// The documents that `run` is given, and which of them are meant.
struct SelectionOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The YAML documents and folders of them; - is standard input.",
      discussion: """
        Several are run one after the other, those of a folder in the order of their paths. All are checked before the \
        first is run. Playlists and libraries of a folder are passed over.
        """),
    completion: .file(extensions: ["yaml", "yml"]))
  var files: [String] = []

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp(
      "Run the documents with this tag, or one of several; '!tag' leaves those with it out.", valueName: "tag"))
  var tags: [String] = []

  @Option(
    name: .customLong("only"),
    help: ArgumentHelp(
      "Run the documents with this id, file name or title, in which * and ? stand for any characters; as often as it takes.",
      valueName: "name"))
  var only: [String] = []

  @Flag(
    help: """
      Run what did not pass in the last run, of these documents or of all: documents, and of a matrix the rows; or in the \
      runs of the archives named, which `run export` made.
      """)
  var lastFailed = false

  @Flag(
    help: """
      Go on with a run that died: its id or folder in place of documents, or `latest`; without one, the last run. What it \
      had done is not done again.
      """)
  var resume = false

  var wish: ChosenDocuments.Wish {
    ChosenDocuments.Wish(files: files, selection: selection, isLastFailed: lastFailed)
  }

  private var selection: DocumentSelection { DocumentSelection(tags: tags, only: only) }

  /// The documents in a word, for reports of what was not run.
  var name: String { files.isEmpty ? "last run" : files.map { $0 == "-" ? "<stdin>" : $0 }.joined(separator: ", ") }

  func validate() throws {
    if resume {
      if files.count > 1 {
        throw ValidationError("--resume goes on with one run: name it, or leave it out for the last one")
      }
      if lastFailed { throw ValidationError("use --resume or --last-failed, not both") }
      if !tags.isEmpty || !only.isEmpty {
        throw ValidationError("--tag and --only are not for --resume: it goes on with all")
      }
    }
    if files.isEmpty, !lastFailed, !resume { throw ValidationError("missing expected argument '<files> ...'") }
    if let problem = selection.problem { throw ValidationError(problem) }
  }
}
