import ScenarioLanguage

/// What the files and folders of a command line hold, each document read but not yet checked.
struct FoundDocuments {
  struct Document {
    /// Has the text.
    var loader: DocumentLoader
    /// What it says it is; `nil` where it was named itself: then it is taken for what is wanted, and told if it is not.
    var kindInFolder: DocumentKind?
  }

  var documents: [Document] = []
  /// The files that were found, documents or not.
  let paths: [String]
  /// Why some of what was looked at could not be read.
  var unreadable: [WorkspaceError] = []

  /// Finds and reads them.
  /// - Parameter keepsUnreadable: Whether a file that cannot be read is a document all the same, without its text.
  /// - Throws: Where a file cannot be read, or a folder.
  init(
    _ files: [String], keepsUnreadable: Bool = false, inputs: GivenInputs, in surroundings: Surroundings
  ) throws(WorkspaceError) {
    var finder = DocumentFinder()
    for file in files { try finder.add(file) }
    var failures = finder.unreadable.map { WorkspaceError(.commandLineWrong, $0.message, help: $0.help) }
    paths = finder.found.map(\.path)
    for file in finder.found {
      do throws(WorkspaceError) {
        let source = try SourceFile(readingFrom: file.path, standardInput: surroundings.standardInput)
        if !file.isNamed, !DocumentSniffer.isDocument(source.bytes) { continue }
        var loader = DocumentLoader(file.path, inputs: inputs, in: surroundings)
        loader.source = source
        let kind = file.isNamed ? nil : DocumentHeader(source).kind
        documents.append(Document(loader: loader, kindInFolder: kind))
      } catch {
        if keepsUnreadable {
          documents.append(Document(loader: DocumentLoader(file.path, inputs: inputs, in: surroundings)))
        } else {
          failures.append(error)
        }
      }
    }
    if keepsUnreadable, !documents.isEmpty {
      unreadable = failures
      return
    }
    try WorkspaceError.throwWorst(of: failures, tellingOthersTo: surroundings.messages)
  }
}
