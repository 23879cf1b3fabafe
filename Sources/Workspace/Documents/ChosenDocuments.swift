import RunReporting
package import ScenarioLanguage

/// The documents that a command line of `run` means, each read but not yet checked.
package struct ChosenDocuments: Sendable {
  package struct Document: Sendable {
    package var loader: DocumentLoader
    /// The rows of its matrix that are run again; `nil`: all.
    package var rowsAgain: RunnableDocument.RowsAgain?

    /// What is run of it, whatever its rows are.
    func rows(of whole: RunnableDocument) -> RunnableDocument { rowsAgain.map(whole.withRows) ?? whole }
  }

  package var documents: [Document]
  /// The files that were found, chosen or not.
  package var found: [String] = []
  /// Whether they are told of as several: a folder, several files, or some of them.
  package var areSeveral = true
  /// What did not pass the last time and was not chosen now.
  package private(set) var left: [RunSeries.Left] = []
  /// Lines about what was chosen and what was passed over.
  package var notes: [String] = []

  /// What a command line says of the documents that it means.
  package struct Wish: Sendable {
    /// Files and folders.
    package var files: [String]
    package var selection: DocumentSelection
    /// Only what did not pass in the last run.
    package var isLastFailed: Bool

    package init(files: [String], selection: DocumentSelection, isLastFailed: Bool) {
      self.files = files
      self.selection = selection
      self.isLastFailed = isLastFailed
    }
  }

  /// Finds the documents and chooses among them.
  /// - Parameter runs: The folder of runs, for `--last-failed`.
  /// - Throws: Where a file cannot be read, or nothing is chosen.
  /// - Returns: No documents where the last run has nothing that failed.
  package static func choose(
    _ wish: Wish, inputs: GivenInputs, runs: String, in surroundings: Surroundings
  ) throws(WorkspaceError) -> ChosenDocuments {
    var wish = wish
    let archives = wish.files.filter(ZipArchive.isOne)
    if let archive = archives.first, !wish.isLastFailed { try RunArchive.refuse(archive) }
    if let file = wish.files.first, wish.files.count == 1, wish.selection.isEmpty, !wish.isLastFailed,
      Files.kind(of: file) != .folder
    {
      let loader = DocumentLoader(file, inputs: inputs, in: surroundings)
      return ChosenDocuments(documents: [Document(loader: loader)], areSeveral: false)
    }
    wish.files.removeAll(where: archives.contains)
    var past: PastLine?
    if wish.isLastFailed {
      past =
        archives.isEmpty
        ? try PastLine(in: runs, surroundings: surroundings)
        : .ran(try LastRun(archives: archives, surroundings: surroundings))
    }
    var (files, selection, last) = (wish.files, wish.selection, LastRun?.none)
    var notes: [String] = []
    switch past {
    case nil: break
    case .nothingRan(let line)?:
      notes.append("the last command line ended with exit \(line.exitCode) before anything was run")
      if files.isEmpty {
        files = try readable(line.files)
        if selection.isEmpty { selection = line.selection }
      }
    case .ran(let run)?:
      if run.unpassed.isEmpty, files.isEmpty {
        let count = run.documents.count
        let whole = count == 1 ? "\(run.documents[0].file) passed" : "all \(count) documents passed"
        return ChosenDocuments(documents: [], notes: ["nothing to run again: in the last run \(whole)"])
      }
      if let exit = run.doubt { notes.append("the last run passed, and its command line ended with exit \(exit)") }
      last = run
      if files.isEmpty { files = try again(run, selection) }
    }
    var chosen = try find(files, inputs: inputs, in: surroundings)
    chosen.notes += notes
    if let last { try chosen.refuseGone(from: last, wish) }
    try chosen.choose(selection, tellingTo: surroundings.messages, isLast: last == nil)
    if let last { try chosen.choose(from: last) }
    return chosen
  }

  /// The files that did not pass the last time; with a choice among them those that passed, too: somebody may ask for one
  /// by its name.
  private static func again(_ last: LastRun, _ selection: DocumentSelection) throws(WorkspaceError) -> [String] {
    let gone = last.gone
    try refuse(gone.filter { $0.isMeant(by: selection) })
    let meant = last.documents.filter { document in
      guard document.hasPassed else { return !gone.contains { $0.file == document.file } }
      return !selection.isEmpty && Files.kind(of: document.file) == .regular
    }
    if meant.isEmpty { try refuse(gone) }
    return try readable(meant.map(\.file))
  }

  /// Files of another command line.
  private static func readable(_ files: [String]) throws(WorkspaceError) -> [String] {
    guard !files.contains(where: { $0 == "-" || $0 == "<stdin>" }) else {
      throw WorkspaceError(
        .commandLineWrong, "the last run read a document from standard input, which cannot be read again",
        help: "name what is to be run: `showcaller run FILE --last-failed`")
    }
    return files
  }

  /// Finds what the names of files and folders mean.
  private static func find(
    _ files: [String], inputs: GivenInputs, in surroundings: Surroundings
  ) throws(WorkspaceError) -> ChosenDocuments {
    let found = try FoundDocuments(files, inputs: inputs, in: surroundings)
    var chosen = ChosenDocuments(documents: [])
    chosen.found = found.paths
    for document in found.documents {
      let file = document.loader.file
      switch document.kindInFolder {
      case .playlist: chosen.notes.append("\(file) \(DocumentLoader.playlistFact("run"))")
      case .library: chosen.notes.append("\(file) \(DocumentLoader.libraryFact)")
      case .scenario, nil: chosen.documents.append(Document(loader: document.loader))
      }
    }
    if chosen.documents.isEmpty {
      let names = files.map(TerminalText.escaped).joined(separator: ", ")
      throw WorkspaceError(
        .commandLineWrong, "no scenarios in \(names)", help: "documents that can be run begin with `scenario:`")
    }
    return chosen
  }

  // MARK: choosing

  private var headers: [DocumentHeader] { documents.compactMap { $0.loader.source.map { DocumentHeader($0) } } }

  /// Leaves out what `--tag` and `--only` do not choose.
  /// - Parameter isLast: Whether nothing else chooses among them afterwards.
  private mutating func choose(
    _ selection: DocumentSelection, tellingTo messages: MessageOutput, isLast: Bool
  ) throws(WorkspaceError) {
    if selection.isEmpty { return }
    let headers = headers
    let selection = selection.takingTitles(of: headers)
    if let (name, nearest) = selection.strangeName(among: headers) {
      throw WorkspaceError(
        .commandLineWrong, "no document is called `\(name)`",
        help: Self.cure(for: name, nearest: nearest, among: headers))
    }
    let all = documents.count
    documents = zip(documents, headers).filter { selection.chooses($0.1) }.map(\.0)
    for header in headers where selection.mayMean(header) {
      messages.say(
        TerminalText.escaped("warning: the tags of \(header.file) cannot be read: it is taken for one of those meant"))
    }
    let strange = selection.strangeTags(among: headers)
    if documents.isEmpty {
      let tags = DocumentSelection.tags(of: headers)
      let known = tags.isEmpty ? "no document has a tag" : "there are \(tags.map { "`\($0)`" }.joined(separator: ", "))"
      throw WorkspaceError(
        .commandLineWrong, "none of \(Self.count(all)) is chosen by its tags and names",
        help: strange.first?.nearest.map { "did you mean `\($0)`?" } ?? known)
    }
    notes += strange.map { tag, nearest in
      "no document has the tag `\(tag)`" + (nearest.map { "; did you mean `\($0)`?" } ?? "")
    }
    if isLast { notes.append("\(documents.count) of \(Self.count(all)): \(SeriesVerdict.list(names))") }
  }

  /// What `--only` could be given in place of `name`.
  private static func cure(for name: String, nearest: String?, among headers: [DocumentHeader]) -> String {
    let titled = headers.filter { $0.title == name }
    if titled.count > 1 {
      let files = SeriesVerdict.list(titled.map { "`\($0.file)`" })
      return "several documents have this title: name one by its file, \(files)"
    }
    if let nearest { return "did you mean `\(nearest)`?" }
    return "`--only` takes ids, titles and file names, with * for any characters; there are "
      + SeriesVerdict.list(headers.map { "`\($0.id)`" })
  }

  private var names: [String] { documents.map { $0.loader.source?.name ?? $0.loader.file } }

  private static func isSame(_ first: String, _ second: String) -> Bool {
    first == second || FileIdentity.areSame(first, second)
  }

  /// Refuses to leave out in silence what did not pass and is not there any more: it was in one of the folders that are
  /// named now, or a document that the last run did not have may be the same under a new name.
  private func refuseGone(from last: LastRun, _ wish: Wish) throws(WorkspaceError) {
    let hasStrangers = names.contains { name in !last.documents.contains { Self.isSame($0.file, name) } }
    try Self.refuse(
      last.gone.filter { document in
        let isFromHere = wish.files.contains { Files.isPlace(of: document.file, below: $0) }
        return (hasStrangers || isFromHere) && document.isMeant(by: wish.selection)
      })
  }

  private static func refuse(_ gone: [LastRun.Document]) throws(WorkspaceError) {
    guard !gone.isEmpty else { return }
    let hasFailed = gone.allSatisfy { $0.outcome.map { !$0.hasPassed } ?? false }
    let (are, names) = gone.count == 1 ? ("is", "it by its new name") : ("are", "them by their new names")
    throw WorkspaceError(
      .notReadable,
      "\(SeriesVerdict.list(gone.map(\.file))) \(hasFailed ? "failed" : "did not pass") in the last run and "
        + "\(are) not there any more",
      help: "leave out --last-failed, and run \(names), or everything")
  }

  /// Leaves out what passed the last time.
  private mutating func choose(from last: LastRun) throws(WorkspaceError) {
    let names = names
    guard let again = last.again(among: names, where: Self.isSame) else {
      throw WorkspaceError(
        .commandLineWrong, "none of these documents was part of the last run",
        help: "it was of \(SeriesVerdict.list(last.documents.map(\.file)))")
    }
    documents = again.map { index, past in
      var document = documents[index]
      document.rowsAgain = past.rowsAgain
      return document
    }
    if documents.isEmpty {
      let passed = names.filter { name in last.documents.contains { Self.isSame($0.file, name) } }
      notes = ["nothing to run again: in the last run \(SeriesVerdict.list(passed)) passed"]
    } else {
      let unpassed = last.unpassed
      left = unpassed.filter { past in !again.contains { $0.document.file == past.file } }.map(RunSeries.Left.init)
      var note = "\(unpassed.count) of \(Self.count(last.documents.count)) did not pass in the last run"
      if !left.isEmpty { note += ", \(documents.count) of them \(documents.count == 1 ? "is" : "are") chosen" }
      notes.append("\(note): \(SeriesVerdict.list(self.names))")
    }
  }

  /// What did not pass the last time and is none of `prepared`, whether it was not chosen or none of its rows was.
  package func left(beside prepared: [PreparedDocument]) -> [RunSeries.Left] {
    let files = Set(prepared.map(\.loader.file))
    let unfitting = documents.compactMap { document in
      files.contains(document.loader.file) ? nil : document.rowsAgain.map { RunSeries.Left(document.loader.file, $0) }
    }
    let rows = prepared.filter { !$0.leftRows.isEmpty }.map { RunSeries.Left($0.runnable.file, rows: $0.leftRows) }
    return left + unfitting + rows
  }

  private static func count(_ documents: Int) -> String { "\(documents) document\(documents == 1 ? "" : "s")" }
}

extension LastRun {
  /// Those that did not pass and are not there any more.
  fileprivate var gone: [Document] {
    unpassed.filter { $0.file != "-" && $0.file != "<stdin>" && Files.kind(of: $0.file) == nil }
  }
}

extension LastRun.Document {
  /// Whether a choice may mean it, whose tags and id nobody can read any more.
  fileprivate func isMeant(by selection: DocumentSelection) -> Bool {
    selection.chooses(DocumentHeader(SourceFile(name: file, bytes: [])))
  }
}

extension RunSeries.Left {
  fileprivate init(_ document: LastRun.Document) { self.init(document.file, document.rowsAgain) }

  fileprivate init(_ file: String, _ again: RunnableDocument.RowsAgain) {
    // Where only those are known that passed, all are run again.
    if case .only(let rows) = again { self.init(file, rows: rows) } else { self.init(file) }
  }
}

extension WorkspaceError {
  /// Tells all of `failures` but the worst, which is thrown.
  static func throwWorst(
    of failures: [WorkspaceError], tellingOthersTo messages: MessageOutput
  ) throws(WorkspaceError) {
    let ranks = failures.map(\.exit.rank)
    guard let worst = failures.indices.min(by: { ranks[$0] < ranks[$1] }) else { return }
    for (index, failure) in failures.enumerated() where index != worst { messages.tellFailure(failure) }
    throw failures[worst]
  }
}
