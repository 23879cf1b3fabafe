package import CastProtocol

/// Which documents one command line runs one after the other. Each of their run folders says it, so that the runs are
/// known to belong together, and which of them were never begun.
package struct RunSeries: Hashable, Sendable {
  /// The file in a run's folder.
  package static let file = "series.json"
  private static let byteLimit = 16 << 20

  /// The run of the document that was begun first.
  package var first: String
  /// The documents as the command line named them, in order.
  package var documents: [String]
  /// The rows that were chosen of documents of which not all are run, each the values by name.
  package var rows: [String: [JSONObject]]

  /// What did not pass before and was left out when the rest was run again: it is not forgotten.
  package var left: [Left]

  /// The run of the same document that this one goes on with: what came of that one does not count any more.
  package var resumes: String?

  /// A document that was left out, or some of its rows.
  package struct Left: Hashable, Sendable {
    package var file: String
    /// `nil`: all.
    package var rows: [JSONObject]?

    package init(_ file: String, rows: [JSONObject]? = nil) {
      self.file = file
      self.rows = rows
    }
  }

  package init(first: String, documents: [String], rows: [String: [JSONObject]] = [:], left: [Left] = []) {
    self.first = first
    self.documents = documents
    self.rows = rows
    self.left = left
  }

  /// Writes it into a run's folder.
  /// - Throws: Where it cannot be written.
  package func store(in folder: String) throws(WorkspaceError) {
    var json: JSONObject = ["v": 1, "first": .string(first), "documents": .array(documents.map(JSONValue.string))]
    if !rows.isEmpty {
      json["rows"] = .object(
        JSONObject(
          rows.sorted { $0.key < $1.key }.map { .init($0.key, .array($0.value.map(JSONValue.object))) }))
    }
    if !left.isEmpty {
      json["left"] = .array(
        left.map { left in
          var object: JSONObject = ["file": .string(left.file)]
          object["rows"] = left.rows.map { .array($0.map(JSONValue.object)) }
          return .object(object)
        })
    }
    json["resumes"] = resumes.map(JSONValue.string)
    let path = "\(folder)/\(Self.file)"
    do throws(FileError) {
      try Files.store(Array((JSONValue.object(json).serialized() + "\n").utf8), at: path, mode: 0o600)
    } catch {
      throw WorkspaceError(writing: path, error)
    }
  }

  /// Reads it from a run's folder; `nil` where there is none: the run is of one document alone.
  package init?(in folder: String) {
    guard let bytes = try? Files.read("\(folder)/\(Self.file)", limit: Self.byteLimit),
      let json = try? JSONValue(parsing: bytes, limits: .init(depth: 80, length: Self.byteLimit)),
      let first = json["first"]?.string, let documents = json["documents"]?.array
    else { return nil }
    self.init(first: first, documents: documents.compactMap(\.string))
    for member in json["rows"]?.object?.members ?? [] {
      if let objects = Self.rows(member.value.array ?? []) { rows[member.name] = objects }
    }
    resumes = json["resumes"]?.string
    left = (json["left"]?.array ?? []).compactMap { left in
      left["file"]?.string.map { Left($0, rows: left["rows"]?.array.flatMap(Self.rows)) }
    }
  }

  /// Rows that cannot be read whole are none: then all are run again.
  private static func rows(_ values: [JSONValue]) -> [JSONObject]? {
    let objects = values.compactMap(\.object)
    return objects.count == values.count ? objects : nil
  }
}
