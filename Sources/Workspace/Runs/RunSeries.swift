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

  package init(first: String, documents: [String], rows: [String: [JSONObject]] = [:]) {
    self.first = first
    self.documents = documents
    self.rows = rows
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
      // Rows that cannot be read whole are none: then all are run again.
      let values = member.value.array ?? []
      let objects = values.compactMap(\.object)
      if objects.count == values.count { rows[member.name] = objects }
    }
  }
}
