import CastProtocol
import ScenarioLanguage

/// Source: LSP 3.17 "Text Document Synchronization", "PublishDiagnostics".
extension EditorSession {
  mutating func open(_ params: JSONValue) -> [Effect] {
    guard let item = params["textDocument"], let address = item["uri"]?.string, let text = item["text"]?.string else {
      return []
    }
    guard documents[address] != nil || documents.count < Limit.documents else {
      return [warning("more than \(Limit.documents) documents are open: \(address.prefix(200)) is not checked")]
    }
    let document = OpenDocument(address: address, version: item["version"]?.int ?? 0, text: text)
    guard !document.text.isTooLarge else {
      documents[address] = nil
      return [tooLarge(address)]
    }
    documents[address] = document
    changed(address)
    return []
  }

  mutating func change(_ params: JSONValue) -> [Effect] {
    guard let address = params["textDocument"]?["uri"]?.string, var document = documents[address] else { return [] }
    for change in params["contentChanges"]?.array ?? [] {
      guard let text = change["text"]?.string else { continue }
      if let range = EditorRange(change["range"]) {
        document.text.replace(range, by: text, in: encoding)
      } else {
        document.text.replaceAll(by: text)
      }
      if document.text.isTooLarge {
        documents[address] = nil
        return clear(address) + [tooLarge(address)]
      }
    }
    document.version = params["textDocument"]?["version"]?.int ?? document.version + 1
    documents[address] = document
    changed(address)
    return []
  }

  mutating func close(_ params: JSONValue) -> [Effect] {
    guard let address = params["textDocument"]?["uri"]?.string, let document = documents.removeValue(forKey: address)
    else { return [] }
    // Those that include it get what is on the disk again.
    markIncluding(document.name)
    return clear(address)
  }

  /// A document and those that include it are to be checked again.
  private mutating func changed(_ address: String) {
    guard let document = documents[address] else { return }
    documents[address]?.isDirty = true
    markIncluding(document.name)
  }

  private mutating func markIncluding(_ name: String) {
    for (address, other) in documents where other.sources.contains(name) { documents[address]?.isDirty = true }
  }

  private func tooLarge(_ address: String) -> Effect {
    warning("\(address.prefix(200)) is larger than \(EditedText.limit >> 20) MiB, and not checked")
  }

  private func warning(_ text: String) -> Effect {
    .send(RPCMessage.notification("window/showMessage", ["type": 2, "message": .string(text)]))
  }

  // MARK: Publishing

  /// Problems are shown in the files that they are in; one of a library that several documents include is shown once.
  mutating func publish(_ result: CheckResult, of document: OpenDocument) -> [Effect] {
    var texts: [String: SourceText] = [:]
    for source in result.sources { texts[source.name] = SourceText(source) }
    func range(_ span: SourceSpan) -> EditorRange {
      texts[span.file]?.range(of: span, in: encoding)
        ?? EditorRange(start: EditorPosition(line: 0, character: 0), end: EditorPosition(line: 0, character: 0))
    }
    var own: [String: [FoundProblem]] = [document.address: []]
    // A file that is no document of ours is somebody else's to judge.
    let isOurs = DocumentSniffer.isDocument(document.text.bytes)
    for diagnostic in isOurs ? result.diagnostics : [] {
      let related = diagnostic.related.map {
        FoundProblem.Related(address: address(of: $0.span.file, document), range: range($0.span), text: $0.text)
      }
      let span = diagnostic.primary.span
      let problem = FoundProblem(diagnostic: diagnostic, range: range(span), related: related)
      own[address(of: span.file, document), default: []].append(problem)
    }
    documents[document.address]?.found = own[document.address] ?? []
    return replacePublished(by: own, of: document.address)
  }

  /// Nothing more is told of a document.
  private mutating func clear(_ address: String) -> [Effect] {
    let effects = replacePublished(by: [:], of: address)
    return effects.isEmpty ? [published(address)] : effects
  }

  private mutating func replacePublished(by own: [String: [FoundProblem]], of owner: String) -> [Effect] {
    var touched: Set<String> = []
    for (file, byOwner) in published where byOwner[owner] != nil {
      published[file]?[owner] = nil
      touched.insert(file)
    }
    for (file, problems) in own {
      published[file, default: [:]][owner] = problems
      touched.insert(file)
    }
    let effects = touched.sorted().map { published($0) }
    for file in touched where published[file]?.isEmpty == true { published[file] = nil }
    return effects
  }

  private func published(_ file: String) -> Effect {
    var told: Set<FoundProblem> = []
    let all = (published[file] ?? [:]).sorted { $0.key < $1.key }.flatMap(\.value).filter { told.insert($0).inserted }
    var params: JSONObject = ["uri": .string(file), "diagnostics": .array(all.map(\.json))]
    if let version = documents[file]?.version { params["version"] = .int(version) }
    return .send(RPCMessage.notification("textDocument/publishDiagnostics", .object(params)))
  }

  /// The address of a file that a span names; what is no file is told at the document.
  func address(of file: String, _ document: OpenDocument) -> String {
    if file == document.name { return document.address }
    if let open = documents.values.first(where: { $0.name == file }) { return open.address }
    return file.hasPrefix("/") ? DocumentAddress.address(of: file) : document.address
  }
}
