package import CastProtocol

/// The documents of a run as its folder keeps them in `runnable.json`: all that running them again needs but the bytes of
/// their files, which lie beside it. No value of a secret is part of them.
package enum StoredDocuments {
  /// Grows when what is read back changes.
  private static let version = 1

  /// One document.
  private struct Stored: Codable {
    var rows: [Plan]
    var inputs: RunnableDocument.Inputs
    var warnings: Int
    /// The paths of its files, the document first.
    var sources: [String]

    init(_ document: RunnableDocument) {
      (rows, inputs, warnings) = (document.rows, document.inputs, document.warnings)
      sources = document.sources.map(\.name)
    }
  }

  /// All documents, in order.
  /// - Throws: Nothing, unless a part of a plan cannot be encoded, which is a bug.
  package static func json(of documents: [RunnableDocument]) throws -> JSONValue {
    ["v": .int(version), "documents": try JSONValue(encoding: documents.map(Stored.init))]
  }

  /// Reads what ``json(of:)`` made.
  /// - Parameter source: The file of a path that the document names.
  /// - Throws: The first member that is not as it has to be, or a file that is not there.
  package static func read(
    _ json: JSONValue, source: (_ path: String) -> SourceFile?
  ) throws(JSONDecodingError) -> [RunnableDocument] {
    guard json["v"]?.int == version else {
      throw JSONDecodingError(path: "v", message: "it is not \(version): another version of showcaller wrote it")
    }
    guard let values = json["documents"] else { throw JSONDecodingError(path: "documents", message: "it is missing") }
    var documents: [RunnableDocument] = []
    do throws(JSONDecodingError) {
      for (index, stored) in try values.decoded(as: [Stored].self).enumerated() {
        documents.append(try document(stored, at: "[\(index)]", source: source))
      }
    } catch {
      throw JSONDecodingError(path: "documents" + (error.path.isEmpty ? "" : error.path), message: error.message)
    }
    return documents
  }

  private static func document(
    _ stored: Stored, at path: String, source: (_ path: String) -> SourceFile?
  ) throws(JSONDecodingError) -> RunnableDocument {
    guard var document = RunnableDocument(stored.rows) else {
      throw JSONDecodingError(path: "\(path).rows", message: "it is empty")
    }
    for (index, row) in stored.rows.enumerated() where !row.isWithinLimits {
      throw JSONDecodingError(path: "\(path).rows[\(index)]", message: "a time or a number of tries is out of range")
    }
    (document.inputs, document.warnings) = (stored.inputs, stored.warnings)
    for (index, name) in stored.sources.enumerated() {
      guard let file = source(name) else {
        throw JSONDecodingError(path: "\(path).sources[\(index)]", message: "there is no file \(name)")
      }
      document.sources.append(file)
    }
    return document
  }
}

extension Plan {
  /// Whether its times and tries are such as the language allows: the engine counts with them.
  fileprivate var isWithinLimits: Bool {
    RetryPolicy.allows(timeout) && retry.isWithinLimits
      && allSteps.allSatisfy { RetryPolicy.allows($0.timeout) && $0.retry.isWithinLimits }
  }
}

extension RetryPolicy {
  /// Up to a hundred years.
  fileprivate static func allows(_ time: Duration) -> Bool { (.zero ... .seconds(3_155_760_000)).contains(time) }

  fileprivate var isWithinLimits: Bool {
    (1...10_000).contains(attempts) && (1...1000).contains(factor) && (0...1).contains(jitter)
      && [wait, maxWait, within ?? .zero].allSatisfy(Self.allows)
  }
}
