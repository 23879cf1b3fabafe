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

  /// Finds and reads them.
  /// - Throws: Where a file cannot be read.
  init(_ files: [String], inputs: GivenInputs, in surroundings: Surroundings) throws(WorkspaceError) {
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
        failures.append(error)
      }
    }
    try WorkspaceError.throwWorst(of: failures, tellingOthersTo: surroundings.messages)
  }
}
