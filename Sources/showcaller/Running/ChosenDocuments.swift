import CastProtocol
import ArgumentParser
import RunReporting
import ScenarioLanguage
import Workspace

/// The documents that a command line of `run` means, each read but not yet checked.
struct ChosenDocuments {
  struct Document {
    var loader: DocumentLoader
    /// The rows of its matrix that passed the last time and are left out, each the values by name.
    var passedRows: [JSONObject] = []
  }

  var documents: [Document]
  /// Whether they are told of as several: a folder, several files, or some of them.
  var areSeveral = true
  /// Lines about what was chosen and what was passed over.
  var notes: [String] = []

  /// Finds the documents and chooses among them.
  /// - Parameter runs: The folder of runs, for `--last-failed`.
  /// - Throws: A failure with exit code 2 where a file cannot be read, or nothing is chosen.
  /// - Returns: No documents where the last run has nothing that failed.
  static func choose(_ options: SelectionOptions, inputs: InputOptions, runs: String) throws -> ChosenDocuments {
    if let file = options.files.first, options.files.count == 1, options.selection.isEmpty, !options.lastFailed,
      Files.kind(of: file) != .folder
    {
      return ChosenDocuments(
        documents: [Document(loader: DocumentLoader(file, inputs: inputs))], areSeveral: false)
    }
    let last = options.lastFailed ? try LastRun(in: runs) : nil
    if let last, last.unpassed.isEmpty, options.files.isEmpty {
      let count = last.documents.count
      let whole = count == 1 ? "\(last.documents[0].file) passed" : "all \(count) documents passed"
      return ChosenDocuments(documents: [], notes: ["nothing to run again: in the last run \(whole)"])
    }
    var chosen = try find(options.files.isEmpty ? again(last) : options.files, inputs: inputs)
    try chosen.choose(options.selection)
    if let last { try chosen.choose(from: last) }
    return chosen
  }

  /// The files that did not pass the last time.
  private static func again(_ last: LastRun?) throws -> [String] {
    let files = last?.unpassed.map(\.file) ?? []
    guard !files.contains(where: { $0.isEmpty || $0 == "<stdin>" }) else {
      throw CommandFailure(
        .commandLineWrong, "the last run read a document from standard input, which cannot be read again",
        help: "name what is to be run: `showcaller run FILE --last-failed`")
    }
    return files
  }

  /// Finds what the names of files and folders mean.
  private static func find(_ files: [String], inputs: InputOptions) throws -> ChosenDocuments {
    var finder = DocumentFinder()
    for file in files { try finder.add(file) }
    var failures = finder.unreadable.map { CommandFailure(.commandLineWrong, $0.message, help: $0.help) }
    var chosen = ChosenDocuments(documents: [])
    for file in finder.found {
      do throws(WorkspaceError) {
        let source = try SourceFile(readingFrom: file.path)
        if !file.isNamed, !DocumentSniffer.isDocument(source.bytes) { continue }
        var loader = DocumentLoader(file.path, inputs: inputs)
        loader.source = source
        let kind = file.isNamed ? nil : DocumentHeader(source).kind
        switch kind {
        case .playlist: chosen.notes.append("\(file.path) \(DocumentLoader.playlistFact("run"))")
        case .library: chosen.notes.append("\(file.path) \(DocumentLoader.libraryFact)")
        case .scenario, nil: chosen.documents.append(Document(loader: loader))
        }
      } catch {
        failures.append(CommandFailure(error))
      }
    }
    try CommandFailure.throwWorst(of: failures)
    if chosen.documents.isEmpty {
      let names = files.map(TerminalText.escaped).joined(separator: ", ")
      throw CommandFailure(
        .commandLineWrong, "no scenarios in \(names)", help: "documents that can be run begin with `scenario:`")
    }
    return chosen
  }

  // MARK: choosing

  private var headers: [DocumentHeader] { documents.compactMap { $0.loader.source.map { DocumentHeader($0) } } }

  /// Leaves out what `--tag` and `--only` do not choose.
  private mutating func choose(_ selection: DocumentSelection) throws {
    if selection.isEmpty { return }
    let headers = headers
    if let (name, nearest) = selection.strangeName(among: headers) {
      throw CommandFailure(
        .commandLineWrong, "no document is called `\(name)`",
        help: nearest.map { "did you mean `\($0)`?" } ?? "`--only` takes ids and file names, with * for any characters")
    }
    let all = documents.count
    documents = zip(documents, headers).filter { selection.chooses($0.1) }.map(\.0)
    let strange = selection.strangeTags(among: headers)
    if documents.isEmpty {
      let tags = DocumentSelection.tags(of: headers)
      let known = tags.isEmpty ? "no document has a tag" : "there are \(tags.map { "`\($0)`" }.joined(separator: ", "))"
      throw CommandFailure(
        .commandLineWrong, "none of \(all) documents is chosen by its tags and names",
        help: strange.first?.nearest.map { "did you mean `\($0)`?" } ?? known)
    }
    notes += strange.map { tag, nearest in
      "no document has the tag `\(tag)`" + (nearest.map { "; did you mean `\($0)`?" } ?? "")
    }
    tellChoice(of: all)
  }

  /// Leaves out what passed the last time.
  private mutating func choose(from last: LastRun) throws {
    let names = documents.map { $0.loader.source?.name ?? $0.loader.file }
    guard let again = last.again(among: names, where: { $0 == $1 || FileIdentity.areSame($0, $1) }) else {
      throw CommandFailure(
        .commandLineWrong, "none of these documents was part of the last run",
        help: "it was of \(SeriesVerdict.list(last.documents.map(\.file)))")
    }
    let all = documents.count
    documents = again.map { index, past in
      var document = documents[index]
      document.passedRows = past.outcome?.passedRows ?? []
      return document
    }
    if documents.isEmpty {
      notes = ["nothing to run again: of these documents all passed in the last run"]
    } else {
      tellChoice(of: max(all, last.documents.count), "did not pass in the last run")
    }
  }

  private mutating func tellChoice(of all: Int, _ which: String = "") {
    let files = SeriesVerdict.list(documents.map { $0.loader.source?.name ?? $0.loader.file })
    notes.append("\(documents.count) of \(all) documents\(which.isEmpty ? "" : " \(which)"): \(files)")
  }
}

extension CommandFailure {
  /// Tells all of `failures` but the worst, which is thrown.
  static func throwWorst(of failures: [CommandFailure]) throws {
    guard let worst = failures.indices.min(by: { ExitCode.rank(failures[$0].code) < ExitCode.rank(failures[$1].code) })
    else { return }
    for (index, failure) in failures.enumerated() where index != worst {
      Terminal.tell(failure.message, help: failure.help)
    }
    throw failures[worst]
  }
}
